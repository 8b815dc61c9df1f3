/**
 * What a reviewer decided and said, as one prompt for who wrote the change: place, quoted lines, words. Accepted hunks
 * without a word are counted only: nothing is to be done about them. Pure.
 */
import { count } from '../../lib/count.ts';
import type { Comment, Hunk, Suggestion } from '../../protocol/review.ts';

/** Lines of a hunk that are quoted; of a longer one the first. */
const QUOTE_MAX_LINES = 20;
const QUOTE_LINE_MAX_CHARACTERS = 200;
/** Characters of the whole; what is beyond is counted. */
export const REVIEW_NOTES_MAX_CHARACTERS = 60_000;

const DECIDED: Partial<Record<Hunk['status'], string>> = {
  rejected: 'rejected',
  modified: 'changed by the reviewer',
  accepted: 'accepted',
  already_applied: 'there already',
  conflict: 'does not fit any more',
  pending: 'not decided',
};

/** The prompt; null where there is nothing to tell. */
export function reviewNotes({
  description,
  hunks: all,
}: Pick<Suggestion, 'description' | 'hunks'>): string | null {
  // The author knows its own replies.
  const hunks = all.map((hunk) => ({
    ...hunk,
    comments: hunk.comments.filter(({ by }) => by === undefined),
  }));
  const told = hunks.filter(
    (hunk) => hunk.status === 'rejected' || hunk.status === 'modified' || hunk.comments.length > 0,
  );
  if (told.length === 0) return null;
  const title = description.split('\n')[0] ?? '';
  const head = `I reviewed ${title === '' ? 'your change' : `"${title}"`}: ${tally(hunks)}.`;
  const parts: string[] = [];
  let length = head.length;
  for (const hunk of told) {
    const part = partOf(hunk);
    length += part.length + 2;
    if (length > REVIEW_NOTES_MAX_CHARACTERS) break;
    parts.push(part);
  }
  const left = told.length - parts.length;
  const rest = left === 0 ? [] : [`${count(left, 'more hunk')} did not fit here.`];
  return `${[head, ...parts, ...rest].join('\n\n')}\n`;
}

function tally(hunks: readonly Hunk[]): string {
  const amounts = Object.entries(DECIDED).map(([status, words]) => {
    const amount = hunks.filter((hunk) => hunk.status === status).length;
    return amount === 0 ? null : `${amount} ${words}`;
  });
  return amounts.filter((words) => words !== null).join(', ');
}

function partOf(hunk: Hunk): string {
  const whole = hunk.comments.filter(({ lines }) => lines === null);
  const atLines = hunk.comments.filter(({ lines }) => lines !== null);
  // A comment on some lines quotes them; a decision, and words about all of it, quote the hunk.
  const isAboutAll = hunk.status === 'rejected' || hunk.status === 'modified' || whole.length > 0;
  const all = isAboutAll
    ? [
        [
          `${hunk.file}${placeOf(hunk)} (${DECIDED[hunk.status] ?? hunk.status})`,
          quote(changedLines(hunk)),
          ...whole.map(wordsOf),
        ],
      ]
    : [];
  const single = atLines.map((comment) => [
    `${hunk.file}${placeOfComment(comment)} (${DECIDED[hunk.status] ?? hunk.status})`,
    quote(comment.quote.split('\n')),
    wordsOf(comment),
  ]);
  return [...all, ...single].map((lines) => lines.filter((line) => line !== '').join('\n')).join('\n\n');
}

const wordsOf = ({ text }: Comment) => text.trim();

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Where its first changed line is in the file as the change leaves it; of one that only removes, as it was. */
function placeOf({ diff }: Hunk): string {
  const header = HEADER.exec(diff);
  if (header === null) return '';
  const body = diff.split('\n').slice(1);
  const first = body.findIndex((line) => /^[-+]/.test(line));
  const isAdding = body.some((line) => line.startsWith('+'));
  const start = Number(isAdding ? header[3] : header[1]);
  return first < 0 ? '' : `:${start + first}`;
}

function placeOfComment({ place }: Comment): string {
  if (place === null) return '';
  return place.first === place.last ? `:${place.first}` : `:${place.first}-${place.last}`;
}

function changedLines({ diff }: Hunk): readonly string[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  if (!HEADER.test(diff)) return lines;
  return lines.slice(1).filter((line) => /^[-+]/.test(line));
}

function quote(lines: readonly string[]): string {
  if (lines.every((line) => line === '')) return '';
  const shown = lines
    .slice(0, QUOTE_MAX_LINES)
    .map((line) =>
      line.length > QUOTE_LINE_MAX_CHARACTERS
        ? `> ${line.slice(0, QUOTE_LINE_MAX_CHARACTERS)}…`
        : `> ${line}`,
    );
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`> … ${count(left, 'more line')}`] : [])].join('\n');
}
