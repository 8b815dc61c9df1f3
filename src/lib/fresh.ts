/** Results that are good for a moment, by key: each is made again when it is too old. Bounded. Pure. */

export interface FreshOptions {
  readonly freshMs: number;
  /** With more keys than this, all results are dropped. */
  readonly maxKeys: number;
  readonly now: () => number;
}

/** The result of `key`: the one that is fresh, else the one that `make` gives. */
export type Fresh<V> = (key: string, make: () => V) => V;

/** Makes an empty store of results. */
export function fresh<V>({ freshMs, maxKeys, now }: FreshOptions): Fresh<V> {
  const kept = new Map<string, { readonly at: number; readonly value: V }>();
  return (key, make) => {
    const at = now();
    const known = kept.get(key);
    // A clock that was set back makes nothing fresh.
    if (known !== undefined && at >= known.at && at - known.at < freshMs) return known.value;
    if (kept.size >= maxKeys) kept.clear();
    const value = make();
    kept.set(key, { at, value });
    return value;
  };
}
