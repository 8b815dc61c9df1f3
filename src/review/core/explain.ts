/** The three sides of a conflict: the lines that the change expected, the current ones, and its new ones. */
import { alignSequences } from '../../lib/sequence-diff.ts';
import type { Change } from './change.ts';
import { sideText } from './hunk-body.ts';
import { LineInterner, type LineTable, lineRange, lineTable } from './line-table.ts';
import { merge3 } from './merge3.ts';

export interface Explanation {
  readonly base: Uint8Array;
  readonly yours: Uint8Array;
  readonly suggested: Uint8Array;
  /** The target's lines in `yours`. */
  readonly window: { readonly start: number; readonly end: number };
  /** All three merged, and the number of places that a person must resolve. */
  readonly merged: Uint8Array;
  readonly conflicts: number;
}

/** The three sides of `change` with the target's text; null for a change without lines. */
export function explain(change: Change, target: LineTable): Explanation | null {
  const { hunk, body } = change;
  if (hunk === null || body === null) return null;
  const base = lineTable(sideText(body, 'old'));
  const suggested = lineTable(sideText(body, 'new'));
  const window = windowOf(base, target, Math.max(0, (hunk.oldStart ?? 1) - 1));
  const yours = lineTable(lineRange(target, window.start, window.end));
  const merge = merge3(base, yours, suggested);
  return {
    base: base.bytes,
    yours: yours.bytes,
    suggested: suggested.bytes,
    window,
    merged: merge.text,
    conflicts: merge.conflicts,
  };
}

/** The target's lines most similar to the old ones: from the first pair of an alignment to the last. */
function windowOf(base: LineTable, target: LineTable, expected: number): { start: number; end: number } {
  const nearby = {
    from: Math.max(0, expected - NEARBY_LINES),
    to: Math.min(target.count, expected + base.count + NEARBY_LINES),
  };
  const slice = lineTable(lineRange(target, nearby.from, nearby.to));
  const interner = new LineInterner();
  const partners = alignSequences(interner.add(base), interner.add(slice));
  const first = partners.findIndex((partner) => partner >= 0);
  if (first < 0) {
    const start = Math.min(target.count, expected);
    return { start, end: Math.min(target.count, start + base.count) };
  }
  const last = partners.findLastIndex((partner) => partner >= 0);
  const start = nearby.from + (partners[first] ?? 0) - first;
  const end = nearby.from + (partners[last] ?? 0) + (base.count - last);
  return { start: Math.max(0, start), end: Math.min(target.count, Math.max(end, start)) };
}

/** How far from its own place to search for a change's likely position. */
const NEARBY_LINES = 2_000;
