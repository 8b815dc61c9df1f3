/** Assigns an author's notes to hunks. Pure. */
import type { Subject } from '../core/change.ts';
import { fileName } from './describe-suggestion.ts';

/** The author's notes by hunk id: on a file (`src/a.ts`) for all its hunks, on `src/a.ts:2` for the second. */
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
