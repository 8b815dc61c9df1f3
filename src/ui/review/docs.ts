/** The Review screen's caches, which live as long as the surface. */
import { createLayoutFile, type LayoutFile } from './diff-layout.ts';
import { createFilterHunks, createGroupFiles, type FilterHunks, type GroupFiles } from './files.ts';
import { createHunkDocs, type HunkDocs } from './hunk-doc.ts';
import { createFindMoved, type FindMoved } from './moved-blocks.ts';
import { createSizes, type SizeHunks } from './sizes.ts';
import { createTally, type TallyHunks } from './state.ts';

export interface ReviewDocs {
  readonly groupFiles: GroupFiles;
  readonly filterHunks: FilterHunks;
  readonly hunkDoc: HunkDocs;
  readonly layoutFile: LayoutFile;
  readonly tally: TallyHunks;
  readonly findMoved: FindMoved;
  readonly sizes: SizeHunks;
}

/** Makes them. */
export function createReviewDocs(): ReviewDocs {
  const hunkDoc = createHunkDocs();
  return {
    groupFiles: createGroupFiles(),
    filterHunks: createFilterHunks(),
    hunkDoc,
    layoutFile: createLayoutFile(hunkDoc),
    tally: createTally(),
    findMoved: createFindMoved(hunkDoc),
    sizes: createSizes(),
  };
}
