/** Adds any number of items to a list. `push(...items)` fails for more items than a call can take as arguments. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
