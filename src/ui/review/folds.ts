/** Which hunks show only their header: those in generated files, and whitespace-only ones if the reader wants. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import type { ReviewFile } from './files.ts';
import type { HunkDoc } from './hunk-doc.ts';
import type { ReviewState } from './state.ts';

type FoldedHunk = Pick<Hunk, 'id' | 'file' | 'isGenerated'>;

export type Folds = Pick<ReviewState, 'folded' | 'quietBlanks'>;

/** Whether only a hunk's header is shown. The reader's choice has priority. */
export function isFolded(hunk: FoldedHunk, doc: HunkDoc, folds: Folds): boolean {
  const { folded, quietBlanks } = folds;
  const own = folded[hunk.id] ?? folded[hunk.file];
  if (own !== undefined) return own;
  if (doc.ranges === '') return false;
  return isGenerated(hunk) || (quietBlanks && doc.isBlankOnly());
}

/** Whether one row represents all hunks of a file: a lockfile or generated file that nobody unfolded. */
export function isOneRow({ name, hunks }: ReviewFile, { folded }: Pick<Folds, 'folded'>): boolean {
  return hunks.length > 1 && folded[name] !== false && hunks.every(isGenerated);
}

/** What a key press folds or unfolds: a hunk, or a whole generated file. */
export const foldKeyOf = (hunk: FoldedHunk): string => (isGenerated(hunk) ? hunk.file : hunk.id);

export const isGenerated = ({ isGenerated: mark }: FoldedHunk) => mark === true;
