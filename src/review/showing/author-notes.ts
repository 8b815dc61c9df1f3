/** Which hunk each note of an author is about. Pure. */
import type { Subject } from '../core/change.ts';
import { fileName } from './describe-suggestion.ts';

/** The author's notes by hunk id: a note on a file (`src/a.ts`) goes to all its hunks, one on `src/a.ts:2` to the second. */
export function notesByHunk(
  subjects: readonly Subject[],
  notes: Readonly<Record<string, string>>,
): Record<string, string> {
  const byHunk: Record<string, string> = {};
  for (const subject of subjects) {
    const name = fileName(subject);
    subject.changes.forEach((change, i) => {
      const note = notes[`${name}:${i + 1}`] ?? notes[change.id] ?? notes[name];
      if (note !== undefined) byHunk[change.id] = note;
    });
  }
  return byHunk;
}
