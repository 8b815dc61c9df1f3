/** Details for someone who looks at a hunk. Texts are sent as UTF-8, with long lines cut. */
import { partnersOf } from '../../lib/line-pairs.ts';
import type { Conflict, HunkPlace, Inspection } from '../../protocol/review.ts';
import { displayBytes } from '../core/bytes.ts';
import type { Change } from '../core/change.ts';
import { explain } from '../core/explain.ts';
import type { FileReview } from '../core/file-review.ts';
import { type LineTable, lineStart, lineTable } from '../core/line-table.ts';
import { lineNow, placesIn } from '../core/places.ts';
import { modifiedRegion, surroundings } from '../core/surroundings.ts';
import { hunkLines } from './hunk-lines.ts';

/** Longer lines around a hunk are cut. */
const LINE_MAX_BYTES = 4_096;
/** How many lines of a hunk are paired. */
const PAIRED_MAX_LINES = 5_000;
/** Longer texts of a modified hunk are not sent. */
const REGION_MAX_BYTES = 1024 * 1024;

const LF = 0x0a;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A change's three sides against the target's content; null for one without lines. */
export function sidesOf(
  review: FileReview,
  change: Change,
  target: LineTable = review.table() ?? lineTable(new Uint8Array(0)),
): Conflict | null {
  const sides = explain(change, target);
  if (sides === null) return null;
  const { base, yours, window, suggested, merged, conflicts } = sides;
  return {
    base: decoder.decode(base),
    yours: decoder.decode(yours),
    yoursLine: window.start + 1,
    suggested: decoder.decode(suggested),
    merged: decoder.decode(merged),
    conflicts,
  };
}

/** A change's current place, what is around it, and what it was modified to. */
export function inspect(
  review: FileReview,
  change: Change,
  wanted: { readonly above: number; readonly below: number; readonly pairs?: boolean },
): Inspection {
  const hasLines = change.body !== null && review.table() !== null;
  return {
    path: displayBytes(review.path()),
    line: hasLines ? lineNow(review, change) + 1 : null,
    around: hasLines ? aroundOf(review, change, wanted) : null,
    modified: modifiedOf(review, change),
    ...(wanted.pairs ? { pairs: pairsOf(change) } : {}),
  };
}

function pairsOf(change: Change): Inspection['pairs'] {
  const { lines } = hunkLines(change, { first: 1, count: PAIRED_MAX_LINES, maxLineBytes: LINE_MAX_BYTES });
  // The lines of a part's diff: without additions of other parts, and with what they remove as context.
  const shown = lines
    .filter(({ own, op }) => own || op !== 'added')
    .map((line) => ({ ...line, op: line.own ? line.op : 'context' }));
  return [...partnersOf(shown)].flatMap((to, at) =>
    to >= 0 && shown[at]?.op === 'removed' ? [{ removed: at + 1, added: to + 1 }] : [],
  );
}

/** Where each hunk is in an editor's text of the file, or in the file. */
export function hunkPlaces(review: FileReview, text: string | null): HunkPlace[] {
  return placesIn(review, text).map(({ change, runs, ...at }) => ({
    hunk: change.id,
    ...at,
    runs: [...runs],
  }));
}

function aroundOf(
  review: FileReview,
  change: Change,
  wanted: { readonly above: number; readonly below: number },
): Inspection['around'] {
  const table = review.table();
  const found = surroundings(review, change, wanted);
  if (table === null || found === null) return null;
  const { above, below, moreAbove, moreBelow } = found;
  return { above: linesOf(table, above), below: linesOf(table, below), moreAbove, moreBelow };
}

function linesOf(
  table: LineTable,
  { start, end }: { readonly start: number; readonly end: number },
): string[] {
  return Array.from({ length: end - start }, (_, index) => {
    const from = lineStart(table, start + index);
    const to = lineStart(table, start + index + 1);
    const isEnded = to > from && table.bytes[to - 1] === LF;
    return decoder.decode(table.bytes.subarray(from, Math.min(isEnded ? to - 1 : to, from + LINE_MAX_BYTES)));
  });
}

function modifiedOf(review: FileReview, change: Change): Inspection['modified'] {
  const region = modifiedRegion(review, change);
  if (region === null || region.suggested.length + region.modified.length > REGION_MAX_BYTES) return null;
  return {
    suggested: decoder.decode(region.suggested),
    result: decoder.decode(region.modified),
    isOwnRegion: region.isOwn,
  };
}
