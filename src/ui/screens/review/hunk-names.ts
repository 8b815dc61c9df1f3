/** Ids of hunks in sentences of the engine, as a reader knows them: by file and number. Pure. */
import type { Suggestion } from '../../../protocol/review.ts';

const HUNK_ID = /\b([Hh])unk ([0-9a-f]{16})\b/g;

/** `hunk 2 of src/a.ts` in the place of an id; the hunk `own` is this one. */
export function nameHunks(text: string, hunks: Suggestion['hunks'], own: string | null): string {
  return text.replace(HUNK_ID, (known, first: string, id: string) => {
    const word = first === 'H' ? 'Hunk' : 'hunk';
    if (id === own) return first === 'H' ? 'This hunk' : 'this hunk';
    const hunk = hunks.find((one) => one.id === id);
    if (hunk === undefined) return known;
    const place = hunks.filter(({ file }) => file === hunk.file).indexOf(hunk) + 1;
    return `${word} ${place} of ${hunk.file}`;
  });
}
