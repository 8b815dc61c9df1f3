/** Hands out some methods of an object. */

/** These methods of `object`, each callable by itself. */
export function bound<T extends object, K extends keyof T>(object: T, ...names: readonly K[]): Pick<T, K> {
  const methods = names.map((name) => {
    const method = object[name];
    return [name, typeof method === 'function' ? method.bind(object) : method];
  });
  return Object.fromEntries(methods) as Pick<T, K>;
}
