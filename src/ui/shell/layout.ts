/** The Shell screen's layout: facts, sources, requests, reasons. Pure. */

import type { Region } from '../kit/layout.ts';
import type { Size } from '../kit/row.ts';

/** From this width on, the reasons are beside the requests. */
export const WHY_BESIDE_MIN_COLUMNS = 96;
/** Below this height, the reasons replace the requests. */
const WHY_BELOW_MIN_ROWS = 16;
/** Below this height, the sources are one row among the facts. */
const SOURCES_MIN_ROWS = 22;
const SOURCES_MAX_ROWS = 6;
const LIST_MAX_SHARE = 0.45;

export interface ShellLayout {
  /** Rows of the sources table without its rule; 0: no table. */
  readonly sourceRows: number;
  /** Each has a titled rule above it; null if there is no room. */
  readonly list: Region | null;
  readonly why: Region | null;
}

/** Lays out what is below the title and `factRows` rows of facts. */
export function layoutShell(area: Size, factRows: number, sources: number, hasReasons: boolean): ShellLayout {
  const sourceRows = area.rows >= SOURCES_MIN_ROWS && sources > 0 ? Math.min(SOURCES_MAX_ROWS, sources) : 0;
  const from = 1 + factRows + (sourceRows === 0 ? 0 : sourceRows + 1);
  const rest = Math.max(0, area.rows - from);
  const region = (y: number, height: number, x = 0, columns = area.columns): Region | null =>
    height < 2 ? null : { x, y: y + 1, columns, rows: height - 1 };
  if (!hasReasons) return { sourceRows, list: region(from, rest), why: null };
  if (area.columns >= WHY_BESIDE_MIN_COLUMNS) {
    const left = Math.floor((area.columns - 1) * LIST_MAX_SHARE);
    return {
      sourceRows,
      list: region(from, rest, 0, left),
      why: region(from, rest, left + 1, area.columns - left - 1),
    };
  }
  if (rest < WHY_BELOW_MIN_ROWS) return { sourceRows, list: null, why: region(from, rest) };
  const upper = Math.floor(rest / 2);
  return { sourceRows, list: region(from, upper), why: region(from + upper, rest - upper) };
}
