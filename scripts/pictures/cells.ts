/**
 * Reads the output of `capture-pane -e` into runs of equal style, for a picture. Pure. Knows only SGR, as tmux writes
 * it; drops all other sequences, which cannot be drawn.
 */
import { graphemesOf, widthOf } from '../../src/lib/width.ts';

/** `#rrggbb`, or null for the terminal's own colour. */
export type PictureColor = string | null;

export interface Look {
  readonly color: PictureColor;
  readonly background: PictureColor;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

/** One grapheme and its position. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly look: Look;
}

export type CellRow = readonly Cell[];

export const PLAIN_LOOK: Look = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

const SEQUENCE =
  /\u001b\[([0-9;:]*)m|\u001b\[[0-9;?]*[A-Za-z]|\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** The rows of one capture. tmux does not repeat a style at the start of a row, so it is carried over. */
export function parseCells(capture: string): readonly CellRow[] {
  const lines = capture.replace(/\n$/, '').split('\n');
  let look = PLAIN_LOOK;
  return lines.map((line) => {
    const cells: Cell[] = [];
    let last = 0;
    const append = (text: string) => {
      for (const grapheme of graphemesOf(text))
        cells.push({ text: grapheme, width: widthOf(grapheme), look });
    };
    for (const match of line.matchAll(SEQUENCE)) {
      append(line.slice(last, match.index));
      last = match.index + match[0].length;
      if (match[1] !== undefined) look = applySgr(match[1], look);
    }
    append(line.slice(last));
    return cells;
  });
}

/** The text of a row, for inspection. */
export function textOf(row: CellRow): string {
  return row.map(({ text }) => text).join('');
}

const SWITCHES: Readonly<Record<number, Partial<Look>>> = {
  0: PLAIN_LOOK,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { color: null },
  49: { background: null },
};

function applySgr(parameters: string, before: Look): Look {
  const codes = (parameters === '' ? '0' : parameters).split(';').map((code) => Number(code.split(':')[0]));
  let look = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const name = code === 38 ? 'color' : 'background';
      if (codes[at + 1] === 5) look = { ...look, [name]: indexed(codes[at + 2] ?? 0) };
      else look = { ...look, [name]: hex(codes.slice(at + 2, at + 5)) };
      at += codes[at + 1] === 5 ? 2 : 4;
    } else if (code >= 30 && code <= 37) look = { ...look, color: indexed(code - 30) };
    else if (code >= 90 && code <= 97) look = { ...look, color: indexed(code - 82) };
    else if (code >= 40 && code <= 47) look = { ...look, background: indexed(code - 40) };
    else look = { ...look, ...SWITCHES[code] };
  }
  return look;
}

/** The 16 colours as most terminals show them, readable on both backgrounds. */
const BASIC = [
  '#24292f',
  '#cf3a3a',
  '#2f8f46',
  '#a87b14',
  '#3478c6',
  '#9a4fb8',
  '#1f8a94',
  '#b1bac4',
  '#808892',
  '#e5534b',
  '#57ab5a',
  '#c69026',
  '#539bf5',
  '#b083f0',
  '#39c5cf',
  '#f0f6fc',
];

const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];

function indexed(index: number): string {
  const basic = BASIC[index];
  if (basic !== undefined) return basic;
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const cube = index - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((at) => CUBE_LEVELS[at] ?? 0));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
