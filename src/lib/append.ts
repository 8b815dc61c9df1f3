/** Adds items to a list, however many: `push(...items)` fails where they are more than a call takes arguments. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
