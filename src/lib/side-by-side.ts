/** Does `work` for every item, at most `limit` at once. Returns the results in the order of the items. */
export async function sideBySide<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, position: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const next = items.entries();
  const lane = async () => {
    for (const [position, item] of next) results[position] = await work(item, position);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
