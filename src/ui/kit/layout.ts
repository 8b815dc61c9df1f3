/** The basis of every screen's layout: regions, the room between header and footer, the smallest size. Pure. */
import type { Size } from './row.ts';

/** The smallest terminal; in a smaller one the application only says that it is too small. */
export const MIN_COLUMNS = 30;
export const MIN_ROWS = 8;

/** Cells to the left of a text, for the cursor's mark. */
export const GUTTER_CELLS = 2;

/** A region of the screen area, with a titled rule above it. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly columns: number;
  readonly rows: number;
}

/** Header, rule and footer. */
const FRAME_ROWS = 3;

/** The rows between header and footer. */
export function areaOf(size: Size): Size {
  return { columns: size.columns, rows: Math.max(0, size.rows - FRAME_ROWS) };
}

/** Whether nothing useful fits. */
export const isTooSmall = (size: Size): boolean => size.columns < MIN_COLUMNS || size.rows < MIN_ROWS;
