/** Replaces hunk ids in the engine's sentences with names for the reader: file and number. Pure. */
import type { Hunk } from '../../protocol/review.ts';

const HUNK_ID = /\b([Hh])unk ([0-9a-f]{16})\b/g;

/** `hunk 2 of src/a.ts` instead of an id; `own`, the hunk in view, needs no name. */
export function nameHunks(text: string, hunks: readonly Hunk[], own: string | null): string {
  const head = `Hunk ${own}: `;
  const sentence = text.startsWith(head)
    ? text.charAt(head.length).toUpperCase() + text.slice(head.length + 1)
    : text;
  return sentence.replace(HUNK_ID, (known, first: string, id: string) => {
    const word = first === 'H' ? 'Hunk' : 'hunk';
    if (id === own) return first === 'H' ? 'This hunk' : 'this hunk';
    const hunk = hunks.find((one) => one.id === id);
    if (hunk === undefined) return known;
    const place = hunks.filter(({ file }) => file === hunk.file).indexOf(hunk) + 1;
    return `${word} ${place} of ${hunk.file}`;
  });
}
