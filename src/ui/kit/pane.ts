/** A planned pane: its region, titled rule and rows, drawn by Ink or in the first frame. Pure. */
import type { Region } from './layout.ts';
import {
  type CursorCell,
  fillRows,
  fitRow,
  type PaintedRow,
  paintSpans,
  type Row,
  sideBySide,
  span,
} from './row.ts';
import type { Theme } from './theme/theme.ts';

export interface Pane<R = Row> {
  /** Of the rows; the titled rule is above it. */
  readonly region: Region;
  /** The titled rule; null if there is none. */
  readonly head: R | null;
  /** The rows in view: at most as many as the region has. */
  readonly rows: readonly R[];
  /** The terminal's cursor, relative to the region's corner. */
  readonly cursor: CursorCell | null;
}

/** A screen's panes by name, from top to bottom and left to right; null for one without room now. */
export type Panes<K extends string = string, R = Row> = Readonly<Record<K, Pane<R> | null>>;

export type PaintedPane = Pane<PaintedRow>;
export type PaintedPanes<K extends string = string> = Panes<K, PaintedRow>;

/** A pane of full width, with its rule in row `y` of the area. */
export function widePane(
  y: number,
  size: { readonly columns: number; readonly rows: number },
  { head, rows }: Pick<Pane, 'head' | 'rows'>,
): Pane {
  const region = { x: 0, y: y + 1, columns: size.columns, rows: Math.max(0, size.rows) };
  return { region, head, rows: rows.slice(0, region.rows), cursor: null };
}

/** The panes clipped to the first `rows` rows of the area. */
export function clipPanes<K extends string>(panes: Panes<K>, rows: number): Panes<K> {
  return mapPanes(panes, (pane) => {
    const { region, head } = pane;
    const first = head === null ? region.y : region.y - 1;
    if (first >= rows) return null;
    const height = Math.max(0, Math.min(region.rows, rows - region.y));
    if (height === region.rows) return pane;
    const cursor = pane.cursor !== null && pane.cursor.y < height ? pane.cursor : null;
    return { ...pane, region: { ...region, rows: height }, rows: pane.rows.slice(0, height), cursor };
  });
}

/** The panes dimmed, because an overlay is open. */
export function dimPanes<K extends string>(panes: Panes<K>): Panes<K> {
  const dim = (row: Row): Row => row.map(({ text }) => span(text, 'dim'));
  return mapPanes(panes, (pane) => ({
    ...pane,
    head: pane.head === null ? null : dim(pane.head),
    rows: pane.rows.map(dim),
    cursor: null,
  }));
}

function mapPanes<K extends string, A, B>(
  panes: Panes<K, A>,
  change: (pane: Pane<A>) => Pane<B> | null,
): Panes<K, B> {
  return Object.fromEntries(
    Object.entries<Pane<A> | null>(panes).map(([name, pane]) => [name, pane === null ? null : change(pane)]),
  ) as Panes<K, B>;
}

/** The focused pane's cursor, relative to the area's corner. */
export function cursorOf(panes: Panes): CursorCell | null {
  for (const pane of Object.values(panes)) {
    if (pane?.cursor != null) return { x: pane.region.x + pane.cursor.x, y: pane.region.y + pane.cursor.y };
  }
  return null;
}

/** The pane as written to the terminal, no row wider than its region. */
export function paintPane({ region, head, rows, cursor }: Pane, theme: Theme): PaintedPane {
  const paint = (row: Row) => paintSpans(fitRow(row, region.columns, theme), theme);
  return { region, head: head === null ? null : paint(head), rows: rows.map(paint), cursor };
}

/** Every pane as written to the terminal. */
export function paintPanes<K extends string>(panes: Panes<K>, theme: Theme): PaintedPanes<K> {
  return mapPanes(panes, (pane) => paintPane(pane, theme));
}

/** The rows of an area with its panes, and a bar between two side by side. */
export function composePanes(panes: Panes, height: number, theme: Theme): readonly Row[] {
  const rows: Row[] = [];
  const shown = Object.values(panes).filter((pane) => pane !== null);
  for (const pane of shown) {
    if (pane.region.x > 0) continue;
    const top = topOf(pane);
    const right = shown.find((other) => other.region.x > 0 && topOf(other) === top);
    const bar = span(theme.glyphs.vertical, 'rule');
    const band =
      right === undefined ? rowsOf(pane) : sideBySide(rowsOf(pane), rowsOf(right), pane.region.columns, bar);
    while (rows.length < top) rows.push([]);
    rows.splice(top, band.length, ...band);
  }
  return fillRows(rows, height);
}

const topOf = ({ region, head }: Pick<Pane, 'region' | 'head'>): number =>
  head === null ? region.y : region.y - 1;

function rowsOf({ region, head, rows }: Pane): readonly Row[] {
  const body = fillRows(rows, region.rows);
  return head === null ? body : [head, ...body];
}
