/** What the mouse does in a cell. */
import type { Region } from '../layout.ts';

export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** What a press, a drag and the wheel do in one place. An omitted one does nothing. */
export interface Spot<O> {
  readonly press?: () => O;
  readonly drag?: () => O;
  /** `rows` down (negative: up). */
  readonly wheel?: (rows: number) => O;
}

/** The cell relative to a region's corner; null outside. The titled rule, one row above, has `y` -1. */
export function within(region: Region | null, cell: Cell): Cell | null {
  if (region === null) return null;
  const at = { x: cell.x - region.x, y: cell.y - region.y };
  return at.x >= 0 && at.x < region.columns && at.y >= -1 && at.y < region.rows ? at : null;
}
