/** The rows of a hunk's body: which line is in which row, with wraps and remarks. Cheap if each takes one row. Pure. */
import type { Row } from '../kit/row.ts';

/** The content of a row: a part of an entry (a line, or two side by side), or a remark on it. */
export type BodyRow =
  | { readonly kind: 'entry'; readonly entry: number; readonly part: number }
  | { readonly kind: 'remark'; readonly row: Row };

export interface BodyRows {
  readonly count: number;
  readonly at: (row: number) => BodyRow | null;
  readonly rowOf: (entry: number) => number;
}

export interface BodyOptions {
  readonly entries: number;
  readonly heightOf: ((entry: number) => number) | null;
  /** The remarks below an entry. */
  readonly remarks: ReadonlyMap<number, readonly Row[]>;
}

/** Lays the entries out. */
export function layBodyRows({ entries, heightOf, remarks }: BodyOptions): BodyRows {
  if (heightOf === null && remarks.size === 0) {
    return {
      count: entries,
      at: (row) => (row >= 0 && row < entries ? { kind: 'entry', entry: row, part: 0 } : null),
      rowOf: (entry) => entry,
    };
  }
  const starts = new Int32Array(entries + 1);
  for (let entry = 0; entry < entries; entry += 1) {
    const height = (heightOf?.(entry) ?? 1) + (remarks.get(entry)?.length ?? 0);
    starts[entry + 1] = (starts[entry] ?? 0) + height;
  }
  const count = starts[entries] ?? 0;
  return {
    count,
    rowOf: (entry) => starts[entry] ?? count,
    at: (row) => {
      if (row < 0 || row >= count) return null;
      const entry = entryAt(starts, row);
      const part = row - (starts[entry] ?? 0);
      const below = remarks.get(entry) ?? [];
      const parts = (starts[entry + 1] ?? 0) - (starts[entry] ?? 0) - below.length;
      if (part < parts) return { kind: 'entry', entry, part };
      return { kind: 'remark', row: below[part - parts] ?? [] };
    },
  };
}

/** The last entry that begins at or before `row`. */
function entryAt(starts: Int32Array, row: number): number {
  let [low, high] = [0, starts.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
