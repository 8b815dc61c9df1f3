/** How many lines hunks add and remove. Counts each hunk once, and sums up a file and all once. Pure. */

import type { Hunk } from '../../protocol/review.ts';
import { keepEach } from '../kit/memo.ts';
import { type Row, span } from '../kit/row.ts';
import { countLines } from './hunk-doc.ts';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

export type SizeHunks = (hunks: readonly Hunk[]) => LineCounts;

/** Makes the counter. */
export function createSizes(): SizeHunks {
  const keep = keepEach<readonly Hunk[], LineCounts>();
  // A decision makes a new hunk with the same diff, whose text is the key.
  const byHunk = new Map<string, { readonly diff: string; readonly size: LineCounts }>();
  const sizeOf = ({ id, diff }: Hunk): LineCounts => {
    const known = byHunk.get(id);
    if (known?.diff === diff) return known.size;
    const size = countLines(diff);
    if (byHunk.size > KEPT_MAX_HUNKS) byHunk.clear();
    byHunk.set(id, { diff, size });
    return size;
  };
  return (hunks) => keep(hunks, [], () => hunks.map(sizeOf).reduce(plus, { added: 0, removed: 0 }));
}

/** Most hunks whose size is cached. */
const KEPT_MAX_HUNKS = 100_000;

const plus = (one: LineCounts, other: LineCounts): LineCounts => ({
  added: one.added + other.added,
  removed: one.removed + other.removed,
});

/** `+12 -3`; empty for a change without lines. */
export function sizeRow({ added, removed }: LineCounts): Row {
  const parts: Row = [
    ...(added === 0 ? [] : [span(`+${added}`, 'added')]),
    ...(removed === 0 ? [] : [span(`-${removed}`, 'removed')]),
  ];
  return parts.flatMap((part, index) => (index === 0 ? [part] : [span(' '), part]));
}
