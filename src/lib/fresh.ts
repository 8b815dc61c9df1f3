/** A small cache whose entries expire. Bounded. Pure. */

export interface FreshOptions {
  readonly freshMs: number;
  /** With more keys than this, all results are dropped. */
  readonly maxKeys: number;
  readonly now: () => number;
}

/** The cached result of `key`; calls `make` if there is none or it has expired. */
export type Fresh<V> = (key: string, make: () => V) => V;

/** An empty cache. */
export function fresh<V>({ freshMs, maxKeys, now }: FreshOptions): Fresh<V> {
  const kept = new Map<string, { readonly at: number; readonly value: V }>();
  return (key, make) => {
    const at = now();
    const known = kept.get(key);
    // After the clock was set back, entries from the future count as expired.
    if (known !== undefined && at >= known.at && at - known.at < freshMs) return known.value;
    if (kept.size >= maxKeys) kept.clear();
    const value = make();
    kept.set(key, { at, value });
    return value;
  };
}
