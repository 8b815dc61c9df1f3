/** A comment as sent: with its lines, their numbers in the file and their text. */
import type { Comment, LineRange } from '../../protocol/review.ts';
import type { Change } from '../core/change.ts';
import type { FileReview } from '../core/file-review.ts';
import { newSpan, shownRange } from '../core/shown-lines.ts';
import type { StoredComment } from '../records/records.ts';
import { hunkLines } from './hunk-lines.ts';
import { inspect } from './hunk-surroundings.ts';

/** Most lines to quote; more are cut. */
export const QUOTE_MAX_LINES = 20;
/** Longer quoted lines are cut. */
const QUOTE_LINE_MAX_BYTES = 200;

const SIGNS = { context: ' ', removed: '-', added: '+' } as const;

export function describeComment(change: Change, stored: StoredComment): Comment {
  if (typeof stored === 'string') return { text: stored, lines: null, place: null, quote: '' };
  const { lines, quote, ...rest } = stored;
  if (lines === null) return { ...rest, lines, place: null, quote: quote ?? '' };
  return { ...rest, ...placeOf(change, lines), quote: quote ?? quoteOf(change, lines) };
}

/** The lines as the diff shows them, if all are in the hunk, and their numbers in the changed file, or in the old file if all are removed. */
export function placeOf(change: Change, { first, last }: LineRange): Pick<Comment, 'lines' | 'place'> {
  const { above, below } = aroundHunk(change, { first, last });
  const own = linesOf(change, { first, last });
  const isOwn = above + below === 0;
  const side: 'new' | 'old' = !isOwn || own.some(({ newLine }) => newLine !== null) ? 'new' : 'old';
  const numbers = own.flatMap((line) => (side === 'new' ? line.newLine : line.oldLine) ?? []);
  const [start, end] = newSpan(change);
  if (above > 0) numbers.unshift(start + first - 1, start + Math.min(0, last) - 1);
  const count = change.body?.count ?? 0;
  if (below > 0) numbers.push(end + Math.max(1, first - count), end + last - count);
  const [from] = numbers;
  const to = numbers.at(-1);
  const place = from === undefined || to === undefined ? null : { side, first: from, last: to };
  return { lines: isOwn ? shownRange(change, { first, last }) : null, place } as const;
}

/** A quote of lines not all in the hunk, from the current file; empty if they are, null if they do not exist. */
export function quoteAround(
  review: FileReview,
  change: Change,
  lines: LineRange,
): { readonly quote?: string } | null {
  const { above, below } = aroundHunk(change, lines);
  if (above + below === 0) return {};
  const reach = {
    above: Math.max(0, 1 - lines.first),
    below: Math.max(0, lines.last - (change.body?.count ?? 0)),
  };
  const { around } = inspect(review, change, reach);
  if (around === null || around.above.length < reach.above || around.below.length < reach.below) return null;
  const plain = (text: string) => ` ${text.replace(/\r$/, '').slice(0, QUOTE_LINE_MAX_BYTES)}`;
  const quoted = [
    ...around.above.slice(0, above).map(plain),
    ...signed(change, lines),
    ...around.below.slice(reach.below - below).map(plain),
  ];
  return { quote: quoted.slice(0, QUOTE_MAX_LINES).join('\n') };
}

/** How many of the lines are above and below the hunk. */
function aroundHunk({ body }: Change, { first, last }: LineRange) {
  const count = body?.count ?? 0;
  return {
    above: Math.max(0, Math.min(last, 0) - first + 1),
    below: Math.max(0, last - Math.max(first, count + 1) + 1),
  };
}

const quoteOf = (change: Change, lines: LineRange) => signed(change, lines).join('\n');

const signed = (change: Change, lines: LineRange) =>
  linesOf(change, lines)
    .slice(0, QUOTE_MAX_LINES)
    .map(({ op, text }) => `${SIGNS[op]}${text}`);

/** The ones in the hunk. */
function linesOf(change: Change, range: LineRange) {
  const first = Math.max(1, range.first);
  const count = Math.max(0, range.last - first + 1);
  return hunkLines(change, { first, count, maxLineBytes: QUOTE_LINE_MAX_BYTES }).lines;
}
