/** Asynchronous work on a list, a few items at a time; results in the list's order. Stops at the first failure. */
import { ok, type Result } from './result.ts';

/** Does `work` for every item, at most `limit` at once. After a failure no further item is begun. */
export async function sideBySide<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, position: number) => Promise<Result<R>>,
): Promise<Result<R[]>> {
  const results: R[] = new Array(items.length);
  let failed: Result<never> | null = null;
  const next = items.entries();
  const lane = async () => {
    for (const [position, item] of next) {
      if (failed !== null) return;
      const done = await work(item, position);
      if (done.ok) results[position] = done.value;
      else failed ??= done;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return failed ?? ok(results);
}
