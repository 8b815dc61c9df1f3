/** The reasons of a review of an AI's turn as notes for its next prompt: what was taken back, and every comment. Pure. */
import type { Comment, Hunk } from '../../protocol/review.ts';

/** Changed lines of a hunk that are quoted; of more the AI finds the rest by its place. */
const QUOTED_MAX_LINES = 6;

/** The notes, a blank line between two; null when nothing was taken back and nothing said. */
export function turnNotes(hunks: readonly Hunk[]): string | null {
  const notes = hunks.flatMap((hunk) => {
    const isTaken = hunk.status === 'rejected';
    const isChanged = hunk.status === 'modified';
    const about = isTaken
      ? 'I took this back; do not put it in again:'
      : isChanged
        ? 'I changed this; keep it as it is now:'
        : null;
    const whole = hunk.comments.filter(({ place }) => place === null).map(({ text }) => text);
    const head =
      about === null && whole.length === 0
        ? []
        : [[`${placeOf(hunk)} ${about ?? ''}`.trimEnd(), ...quoteOf(hunk), ...whole].join('\n')];
    return [...head, ...hunk.comments.filter(({ place }) => place !== null).map((one) => noteOn(hunk, one))];
  });
  return notes.length === 0 ? null : notes.join('\n\n');
}

/** `src/a.ts:12`: the first line that the hunk changes, as the file has it after the turn. */
function placeOf({ file, diff }: Hunk): string {
  const start = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(diff)?.[1];
  if (start === undefined) return file;
  const lines = diff.split('\n').slice(1);
  const before = lines.findIndex((line) => /^[-+]/.test(line));
  return `${file}:${Math.max(1, Number(start) + Math.max(0, before))}`;
}

function quoteOf({ diff }: Hunk): readonly string[] {
  const changed = diff.split('\n').filter((line) => /^[-+]/.test(line));
  const quoted = changed.slice(0, QUOTED_MAX_LINES).map((line) => `> ${line}`);
  const left = changed.length - quoted.length;
  return left === 0 ? quoted : [...quoted, `> … ${left} more lines`];
}

function noteOn({ file }: Hunk, { place, quote, text }: Comment): string {
  const where = place === null ? file : `${file}:${place.first}`;
  const lines = quote.split('\n').filter((line) => line !== '');
  return [where, ...lines.slice(0, QUOTED_MAX_LINES).map((line) => `> ${line}`), text].join('\n');
}
