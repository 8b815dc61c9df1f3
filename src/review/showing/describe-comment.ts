/** A comment as it goes out: with the lines that it is about, their numbers in the file and their text. */
import type { Comment, LineRange } from '../../protocol/review.ts';
import type { Change } from '../core/change.ts';
import type { StoredComment } from '../records/records.ts';
import { hunkLines } from './hunk-lines.ts';

/** Lines that are quoted; of more of them the first ones. */
export const QUOTE_MAX_LINES = 20;
/** A quoted line is cut here. */
const QUOTE_LINE_MAX_BYTES = 200;

const SIGNS = { context: ' ', removed: '-', added: '+' } as const;

export function describeComment(change: Change, stored: StoredComment): Comment {
  if (typeof stored === 'string') return { text: stored, lines: null, place: null, quote: '' };
  const { lines, ...said } = stored;
  if (lines === null) return { ...said, lines, place: null, quote: '' };
  return { ...said, lines: { ...lines }, place: placeOf(change, lines), quote: quoteOf(change, lines) };
}

/** In words why these are not lines of the change; null when they are. */
export function outsideOf(change: Change, { first, last }: LineRange): string | null {
  if (change.body === null) return `A change of kind ${change.kind} has no lines.`;
  const { count } = change.body;
  return first <= last && last <= count
    ? null
    : `There are no lines ${first}-${last}: the hunk has ${count}.`;
}

/** Lines that are there afterwards are named as they are then; removed lines alone as they were. */
function placeOf(change: Change, { first, last }: LineRange): Comment['place'] {
  const lines = linesOf(change, first, last - first + 1);
  const side = lines.some(({ newLine }) => newLine !== null) ? 'new' : 'old';
  const numbers = lines.flatMap((line) => (side === 'new' ? line.newLine : line.oldLine) ?? []);
  const [from] = numbers;
  const to = numbers.at(-1);
  return from === undefined || to === undefined ? null : { side, first: from, last: to };
}

function quoteOf(change: Change, { first, last }: LineRange): string {
  return linesOf(change, first, Math.min(last - first + 1, QUOTE_MAX_LINES))
    .map(({ op, text }) => `${SIGNS[op]}${text}`)
    .join('\n');
}

function linesOf(change: Change, first: number, count: number) {
  const read = hunkLines(change, { first, count, maxLineBytes: QUOTE_LINE_MAX_BYTES });
  return read.ok ? read.value.lines : [];
}
