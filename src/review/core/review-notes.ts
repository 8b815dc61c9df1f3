/** A reviewer's decisions and comments for the author: place, quoted lines, text. Counts uncommented accepts. Pure. */
import { count, rangeWords } from '../../lib/count.ts';
import { oneLine } from '../../lib/sanitize.ts';
import type { Comment, Hunk, Suggestion } from '../../protocol/review.ts';

const QUOTE_LINE_MAX_CHARACTERS = 200;
/** Most characters in total; the rest is counted. */
export const REVIEW_NOTES_MAX_CHARACTERS = 60_000;

const DECIDED: Partial<Record<Hunk['status'], string>> = {
  rejected: 'rejected',
  modified: 'changed by the reviewer',
  accepted: 'accepted',
  already_applied: 'there already',
  conflict: 'does not fit any more',
  pending: 'not decided',
};

/** The format of the notes. */
interface Style {
  /** The remark after a hunk's place. */
  readonly aboutHunk: (hunk: Hunk) => string;
  /** The remark for only the lines of a comment. */
  readonly aboutLines: (hunk: Hunk, comment: Comment) => string;
  /** Most lines to quote; more are cut. */
  readonly quotedLines: number;
}

const IN_PROMPT: Style = {
  aboutHunk: ({ status }) => ` (${DECIDED[status] ?? status})`,
  // Unchanged lines were not decided on.
  aboutLines: ({ status }, { lines }) => (lines === null ? '' : ` (${DECIDED[status] ?? status})`),
  quotedLines: 20,
};

const TAKEN: Partial<Record<Hunk['status'], string>> = {
  rejected: ' I took this back; do not put it in again:',
  modified: ' I changed this; keep it as it is now:',
};
const IN_DRAFT: Style = {
  aboutHunk: ({ status }) => TAKEN[status] ?? '',
  aboutLines: () => '',
  quotedLines: 6,
};

/** The prompt; null if there is nothing to tell. `results`: the reviewer's text of modified hunks, by id. */
export function reviewNotes(
  { description, hunks: all }: Pick<Suggestion, 'description' | 'hunks'>,
  results: ReadonlyMap<string, string> = new Map(),
): string | null {
  const hunks = all.map(withoutReplies);
  const reported = hunks.filter((hunk) => isUndone(hunk) || hunk.comments.length > 0);
  if (reported.length === 0) return null;
  const title = description.split('\n')[0] ?? '';
  const head = `I reviewed ${title === '' ? 'your change' : `"${title}"`}: ${tally(hunks)}.`;
  const parts: string[] = [];
  let length = head.length;
  for (const hunk of reported) {
    const part = notesOn(hunk, IN_PROMPT, results.get(hunk.id)).join('\n\n');
    length += part.length + 2;
    if (length > REVIEW_NOTES_MAX_CHARACTERS) break;
    parts.push(part);
  }
  const left = reported.length - parts.length;
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

/** The notes on an AI's turn for its next prompt; empty if nothing was rejected or commented. */
export function turnNotes(hunks: readonly Hunk[]): readonly string[] {
  return hunks.flatMap((hunk) => notesOn(withoutReplies(hunk), IN_DRAFT));
}

/** The author already knows its own replies. */
const withoutReplies = (hunk: Hunk): Hunk => ({
  ...hunk,
  comments: hunk.comments.filter(({ by }) => by === undefined),
});

const isUndone = ({ status }: Hunk) => status === 'rejected' || status === 'modified';

/** A comment on lines quotes those; a decision, or a comment on the whole hunk, quotes the hunk. */
function notesOn(hunk: Hunk, style: Style, result?: string): readonly string[] {
  const quoted = changedLines(hunk);
  const isOnAll = ({ place, quote: lines }: Comment) =>
    (place === null && lines === '') || (isUndone(hunk) && lines === quoted.join('\n'));
  const whole = hunk.comments.filter(isOnAll).map(wordsOf);
  const file = oneLine(hunk.file);
  const about = `${file}${placeOf(hunk)}${style.aboutHunk(hunk)}`;
  const all =
    isUndone(hunk) || whole.length > 0
      ? [[about, ...quote(quoted, style.quotedLines), ...becameLines(result, style.quotedLines), ...whole]]
      : [];
  const single = hunk.comments.flatMap((comment) => {
    if (isOnAll(comment)) return [];
    const place = comment.place === null ? ' (lines that are gone)' : `:${rangeWords(comment.place)}`;
    const where = `${file}${place}${style.aboutLines(hunk, comment)}`;
    return [[where, ...quote(comment.quote.split('\n'), style.quotedLines), wordsOf(comment)]];
  });
  return [...all, ...single].map((lines) => lines.filter((line) => line !== '').join('\n'));
}

function becameLines(result: string | undefined, most: number): readonly string[] {
  if (result === undefined) return [];
  return result === '' ? ['Now without these lines.'] : ['Now:', ...quote(linesIn(result), most)];
}

const linesIn = (text: string) => text.replace(/\n$/, '').split('\n');

const wordsOf = ({ text }: Comment) => text.trim();

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The line of its first change in the changed file; if it only removes, in the old one. */
function placeOf({ diff }: Hunk): string {
  const header = HEADER.exec(diff);
  if (header === null) return '';
  const body = diff.split('\n').slice(1);
  const first = body.findIndex((line) => /^[-+]/.test(line));
  const isAdding = body.some((line) => line.startsWith('+'));
  const start = Number(isAdding ? header[3] : header[1]);
  return first < 0 ? '' : `:${start + first}`;
}

function changedLines({ diff }: Hunk): readonly string[] {
  const lines = linesIn(diff);
  const changed = lines.slice(1).filter((line) => /^[-+]/.test(line));
  if (HEADER.test(diff)) return changed;
  // A change without lines is described in words; so are bytes that are no text.
  return changed.length === 0 ? lines : diff.includes('\uFFFD') ? lines.slice(0, 1) : changed;
}

function quote(lines: readonly string[], most: number): readonly string[] {
  if (lines.every((line) => line === '')) return [];
  const shown = lines
    .slice(0, most)
    .map((line) =>
      line.length > QUOTE_LINE_MAX_CHARACTERS
        ? `> ${line.slice(0, QUOTE_LINE_MAX_CHARACTERS)}…`
        : `> ${line}`,
    );
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`> … ${count(left, 'more line')}`] : [])];
}
