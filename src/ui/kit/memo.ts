/** Caches that compare by identity: an unchanged part of the state stays the same object. */

/** Keeps the last result while the inputs are the same. */
export function keepLast<R>(): (inputs: readonly unknown[], compute: () => R) => R {
  let last: { readonly inputs: readonly unknown[]; readonly result: R } | null = null;
  return (inputs, compute) => {
    if (last === null || !isSame(last.inputs, inputs)) last = { inputs, result: compute() };
    return last.result;
  };
}

/** The same for each key, for as long as the key lives. */
export function keepEach<K extends object, R>(): (key: K, inputs: readonly unknown[], compute: () => R) => R {
  const kept = new WeakMap<K, ReturnType<typeof keepLast<R>>>();
  return (key, inputs, compute) => {
    const keep = kept.get(key) ?? keepLast<R>();
    kept.set(key, keep);
    return keep(inputs, compute);
  };
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((input, at) => input === other[at]);
