/** Which panes of the Review screen are visible at a size, and where. Pure. */

import type { Region } from '../kit/layout.ts';
import type { Size } from '../kit/row.ts';

/** From this width on, the files are beside the diff. */
const BESIDE_MIN_COLUMNS = 84;
const FILES_MIN_COLUMNS = 26;
const FILES_MAX_COLUMNS = 46;
/** From this many rows on, the files are above the diff. */
const STACKED_MIN_ROWS = 16;
const FILES_MAX_ROWS = 8;
/** From this width on, a diff shows both sides unless the reader chose otherwise. */
export const TWO_SIDES_FROM_COLUMNS = 110;
/** Below this width, there is no room for two sides. */
export const TWO_SIDES_MIN_COLUMNS = 60;

export interface ReviewLayout {
  readonly files: Region | null;
  readonly diff: Region | null;
}

/** Lays out files and diff below the suggestion's title. `isDiff`: which to show if only one fits. */
export function layoutReview(area: Size, fileCount: number, isDiff: boolean): ReviewLayout {
  const rows = Math.max(0, area.rows - 1);
  const { columns } = area;
  if (columns >= BESIDE_MIN_COLUMNS) {
    const left = Math.min(FILES_MAX_COLUMNS, Math.max(FILES_MIN_COLUMNS, Math.floor(columns * 0.28)));
    return {
      files: { x: 0, y: 1, columns: left, rows },
      diff: { x: left + 1, y: 1, columns: columns - left - 1, rows },
    };
  }
  if (rows >= STACKED_MIN_ROWS) {
    const upper = Math.max(1, Math.min(fileCount, FILES_MAX_ROWS, Math.floor(rows / 4)));
    return {
      files: { x: 0, y: 1, columns, rows: upper },
      diff: { x: 0, y: upper + 2, columns, rows: rows - upper - 1 },
    };
  }
  const only: Region = { x: 0, y: 1, columns, rows };
  return isDiff ? { files: null, diff: only } : { files: only, diff: null };
}
