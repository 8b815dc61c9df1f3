/**
 * Rows of cells → one SVG with real text. Pure. Every piece has its own position and length, so that it lines up in any
 * monospaced font; lines and bars are drawn, because fonts leave gaps between them.
 */
import type { Cell, CellRow, Look } from './cells.ts';

export interface Paper {
  readonly color: string;
  readonly background: string;
  readonly edge: string;
}

export const PAPERS: Readonly<Record<'dark' | 'light', Paper>> = {
  dark: { color: '#d1d7e0', background: '#0f141b', edge: '#2f3742' },
  light: { color: '#1f2328', background: '#ffffff', edge: '#d1d9e0' },
};

const CELL = 8;
const LINE = 18;
const MARGIN = 14;
const FONT_SIZE = 13.3;
const FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";

export interface SvgOptions {
  readonly columns: number;
  readonly paper: Paper;
  /** Alternative text. */
  readonly title: string;
}

/** A screen, and how long a film shows it. */
export interface Frame {
  readonly rows: readonly CellRow[];
  readonly ms: number;
}

/** The picture of a screen, or a film of several: each row is drawn once for as long as it stays the same. */
export function drawSvg(frames: readonly Frame[], options: SvgOptions): string {
  const { columns, paper, title } = options;
  const height = Math.max(...frames.map(({ rows }) => rows.length)) * LINE + 2 * MARGIN;
  const width = columns * CELL + 2 * MARGIN;
  const classes = new Map<string, string>();
  const film = new Film(frames);
  const body = film
    .shots()
    .map(({ row, index, shot }) => shot(drawRow(row, MARGIN + index * LINE, paper, classes)))
    .join('');
  const rules = [...classes].map(([style, name]) => `.${name}{${style}}`).join('');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<style>text{font:${FONT_SIZE}px ${FONTS};fill:${paper.color}}${rules}${film.rules()}</style>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${paper.background}" stroke="${paper.edge}"/>`,
    body,
    '</svg>\n',
  ].join('\n');
}

interface Shot {
  readonly row: CellRow;
  /** Which row of the screen it is. */
  readonly index: number;
  readonly shot: (drawn: string) => string;
}

/** The frames in which each row is visible. With reduced motion only the last frame shows. */
class Film {
  readonly #frames: readonly Frame[];
  readonly #spans = new Map<string, string>();

  constructor(frames: readonly Frame[]) {
    this.#frames = frames;
  }

  shots(): readonly Shot[] {
    const rows = Math.max(...this.#frames.map((frame) => frame.rows.length));
    return Array.from({ length: rows }, (_, index) => this.#shotsOf(index)).flat();
  }

  #shotsOf(index: number): readonly Shot[] {
    const shots: Shot[] = [];
    let from = 0;
    this.#frames.forEach(({ rows }, at) => {
      const row = rows[index] ?? [];
      if (JSON.stringify(row) === JSON.stringify(this.#frames[at + 1]?.rows[index])) return;
      const name = this.#spanOf(from, at + 1);
      const shot = (drawn: string) =>
        name === '' || drawn === '' ? drawn : `<g class="${name}">${drawn}</g>`;
      shots.push({ row, index, shot });
      from = at + 1;
    });
    return shots;
  }

  /** The class of what is visible from one frame to another; '' for what is always visible. */
  #spanOf(from: number, to: number): string {
    if (from === 0 && to === this.#frames.length) return '';
    const name = `f${from}-${to}`;
    const share = (frames: number) =>
      Math.round((this.#msUntil(frames) / this.#msUntil(Infinity)) * 10_000) / 100;
    const [start, end] = [share(from), share(to)];
    const isLast = to === this.#frames.length;
    const steps = [
      from === 0 ? '' : '0%{visibility:hidden}',
      `${start}%{visibility:visible}`,
      isLast ? '' : `${end}%{visibility:hidden}`,
    ];
    const still = isLast ? '' : `.${name}{visibility:hidden}`;
    this.#spans.set(name, `${still}@keyframes ${name}{${steps.join('')}}`);
    return name;
  }

  #msUntil(frames: number): number {
    return this.#frames.slice(0, frames).reduce((sum, { ms }) => sum + ms, 0);
  }

  rules(): string {
    if (this.#spans.size === 0) return '';
    const seconds = this.#msUntil(Infinity) / 1000;
    const played = [...this.#spans.keys()].map(
      (name) => `.${name}{animation:${name} ${seconds}s step-end infinite}`,
    );
    return `${[...this.#spans.values()].join('')}@media (prefers-reduced-motion:no-preference){${played.join('')}}`;
  }
}

interface Piece {
  readonly x: number;
  readonly width: number;
  readonly text: string;
  readonly look: Look;
}

function drawRow(row: CellRow, top: number, paper: Paper, classes: Map<string, string>): string {
  const grounds: string[] = [];
  const texts: string[] = [];
  for (const piece of piecesOf(row)) {
    const { color, background } = colorsOf(piece.look, paper);
    const x = round(MARGIN + piece.x * CELL);
    const length = piece.width * CELL;
    if (background !== null) grounds.push(rect(x, top, length, LINE, background));
    const drawn = drawLine(piece, x, top, color);
    if (drawn !== null) grounds.push(drawn);
    else if (piece.text.trim() !== '') {
      const name = classOf(piece.look, color, paper, classes);
      const tidy = isWord(piece.text) ? ` textLength="${length}"` : '';
      texts.push(
        `<tspan x="${x}"${tidy}${name === '' ? '' : ` class="${name}"`}>${escapeXml(piece.text)}</tspan>`,
      );
    }
  }
  const line = texts.length === 0 ? '' : `<text y="${round(top + LINE * 0.72)}">${texts.join('')}</text>\n`;
  return `${grounds.length === 0 ? '' : `${grounds.join('')}\n`}${line}`;
}

/** Cells of one style and kind, split at blanks, because an SVG reader may collapse them. */
function piecesOf(row: CellRow): readonly Piece[] {
  const pieces: Piece[] = [];
  let x = 0;
  for (const cell of row) {
    const last = pieces.at(-1);
    if (last !== undefined && last.look === cell.look && joins(last, cell))
      pieces[pieces.length - 1] = { ...last, text: last.text + cell.text, width: last.width + cell.width };
    else pieces.push({ x, width: cell.width, text: cell.text, look: cell.look });
    x += cell.width;
  }
  return pieces;
}

function joins(piece: Piece, cell: Cell): boolean {
  const isGround = piece.look.inverse || piece.look.background !== null;
  if (piece.text.trim() === '') return cell.text === ' ';
  if (cell.text === ' ') return isGround && isWord(piece.text);
  if (isWord(piece.text)) return isWord(cell.text);
  return piece.text.endsWith(cell.text) && cell.text in STROKES;
}

/** Letters that any monospaced font has; other signs may come from a font with a different width. */
function isWord(text: string): boolean {
  return /^[\u0020-\u007e]+$/.test(text);
}

/** Signs that are drawn: where their stroke begins in the cell and how large it is, in cells. */
const STROKES: Readonly<
  Record<string, { readonly x: number; readonly y: number; readonly w: number; readonly h: number }>
> = {
  '─': { x: 0, y: 0.5, w: 1, h: 0 },
  '│': { x: 0.5, y: 0, w: 0, h: 1 },
  '▌': { x: 0, y: 0, w: 0.4, h: 1 },
};

function drawLine({ text, width, look }: Piece, x: number, top: number, color: string): string | null {
  const stroke = STROKES[text[0] ?? ''];
  if (stroke === undefined || look.inverse) return null;
  const long = stroke.w === 1 ? width * CELL : Math.max(1, stroke.w * CELL);
  const high = stroke.h === 1 ? LINE : 1;
  return rect(round(x + stroke.x * CELL), round(top + stroke.y * LINE), round(long), high, color);
}

function colorsOf(look: Look, paper: Paper): { readonly color: string; readonly background: string | null } {
  const color = look.color ?? paper.color;
  return look.inverse
    ? { color: look.background ?? paper.background, background: color }
    : { color, background: look.background };
}

function classOf(look: Look, color: string, paper: Paper, classes: Map<string, string>): string {
  const style = [
    color === paper.color ? '' : `fill:${color}`,
    look.bold ? 'font-weight:600' : '',
    look.dim ? 'fill-opacity:.6' : '',
    look.italic ? 'font-style:italic' : '',
    look.underline ? 'text-decoration:underline' : '',
  ]
    .filter((rule) => rule !== '')
    .join(';');
  if (style === '') return '';
  const known = classes.get(style);
  if (known !== undefined) return known;
  const name =
    String.fromCharCode(97 + (classes.size % 26)) + (classes.size < 26 ? '' : Math.floor(classes.size / 26));
  classes.set(style, name);
  return name;
}

function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
