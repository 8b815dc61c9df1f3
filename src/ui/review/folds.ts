/** Which hunks show only their header: those of generated files, and whitespace alone where the reader wants that. Pure. */
import { isGeneratedFile } from '../../lib/generated-files.ts';
import type { Hunk } from '../../protocol/review.ts';
import type { HunkDoc } from './hunk-doc.ts';
import type { ReviewState } from './state.ts';

type FoldedHunk = Pick<Hunk, 'id' | 'file' | 'isGenerated'>;

export type Folds = Pick<ReviewState, 'folded' | 'quietBlanks'>;

/** Whether only the header of a hunk is shown; what the reader chose wins. */
export function isFolded(hunk: FoldedHunk, doc: HunkDoc, folds: Folds): boolean {
  const { folded, quietBlanks } = folds;
  const own = folded[hunk.id] ?? folded[hunk.file];
  if (own !== undefined) return own;
  if (doc.ranges === '') return false;
  return isGenerated(hunk) || (quietBlanks && doc.isBlankOnly());
}

/** What one press folds or unfolds: a hunk, or a whole generated file. */
export const foldKeyOf = (hunk: FoldedHunk): string => (isGenerated(hunk) ? hunk.file : hunk.id);

const isGenerated = ({ file, isGenerated: said }: FoldedHunk) => said ?? isGeneratedFile(file);
