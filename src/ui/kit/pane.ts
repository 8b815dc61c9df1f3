/** A planned pane: its place, titled rule and rows. Ink draws panes; the first frame is composed of the same. Pure. */
import type { Region } from './layout.ts';
import {
  beside,
  type CursorCell,
  fillRows,
  fitRow,
  type PaintedRow,
  paintSpans,
  type Row,
  span,
} from './row.ts';
import type { Theme } from './theme/theme.ts';

export interface Pane<R = Row> {
  /** Of its rows; the titled rule stands above. */
  readonly region: Region;
  /** The titled rule; null for none. */
  readonly head: R | null;
  /** Those in view: at most as many as the region has. */
  readonly rows: readonly R[];
  /** Where the terminal's cursor stands, from the corner of the region. */
  readonly cursor: CursorCell | null;
}

/** The panes of a screen by name, from top to bottom and from left to right; null for one that has no room now. */
export type Panes<K extends string = string, R = Row> = Readonly<Record<K, Pane<R> | null>>;

export type PaintedPane = Pane<PaintedRow>;
export type PaintedPanes<K extends string = string> = Panes<K, PaintedRow>;

/** A pane of the full width, with its rule in row `y` of the area. */
export function widePane(
  y: number,
  size: { readonly columns: number; readonly rows: number },
  { head, rows }: Pick<Pane, 'head' | 'rows'>,
): Pane {
  const region = { x: 0, y: y + 1, columns: size.columns, rows: Math.max(0, size.rows) };
  return { region, head, rows: rows.slice(0, region.rows), cursor: null };
}

/** The part of the panes in the first `rows` rows of the area. */
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

/** The panes out of focus: the overlay has the reader's attention. */
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

/** The cursor of the pane that has it, from the corner of the area. */
export function cursorOf(panes: Panes): CursorCell | null {
  for (const pane of Object.values(panes)) {
    if (pane?.cursor != null) return { x: pane.region.x + pane.cursor.x, y: pane.region.y + pane.cursor.y };
  }
  return null;
}

/** The pane as the terminal gets it, no row wider than its region. */
export function paintPane({ region, head, rows, cursor }: Pane, theme: Theme): PaintedPane {
  const paint = (row: Row) => paintSpans(fitRow(row, region.columns, theme), theme);
  return { region, head: head === null ? null : paint(head), rows: rows.map(paint), cursor };
}

/** Every pane as the terminal gets it. */
export function paintPanes<K extends string>(panes: Panes<K>, theme: Theme): PaintedPanes<K> {
  return mapPanes(panes, (pane) => paintPane(pane, theme));
}

/** The rows of an area with the panes in it; a bar stands between two that are beside each other. */
export function composePanes(panes: Panes, height: number, theme: Theme): readonly Row[] {
  const rows: Row[] = [];
  const shown = Object.values(panes).filter((pane) => pane !== null);
  for (const pane of shown) {
    if (pane.region.x > 0) continue;
    const top = topOf(pane);
    const right = shown.find((other) => other.region.x > 0 && topOf(other) === top);
    const bar = span(theme.glyphs.vertical, 'rule');
    const band =
      right === undefined ? rowsOf(pane) : beside(rowsOf(pane), rowsOf(right), pane.region.columns, bar);
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
