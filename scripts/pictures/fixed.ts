/** Makes rows the same in every run: replaces clock-dependent text with fixed words. Pure. */
import { type Cell, type CellRow, PLAIN_LOOK, textOf } from './cells.ts';

/** `edge`: the text at the right edge stays there. */
type Place = 'inline' | 'edge';

/** What differs between runs, and its replacement in row `row` of the screen. */
const TIMES: readonly (readonly [RegExp, Place, (row: number) => string])[] = [
  [/\b\d\d:\d\d:\d\d\b/, 'inline', (row) => `14:02:${String(59 - row).padStart(2, '0')}`],
  [/(?<!:)\b\d\d:\d\d\b(?!:)/, 'inline', (row) => `14:${String(30 - 3 * row).padStart(2, '0')}`],
  [/(?<=idle )\d+[smh]/, 'edge', () => '12s'],
  [/(?<!within [\d.]*)\b\d+(?:\.\d+)? ms(?= │|$)/, 'edge', () => '3 ms'],
  [/(?<=answered in )\d+(?:\.\d+)? ms/, 'inline', () => '0.8 ms'],
  [/(?<=within )\d+(?:\.\d+)? ms/, 'inline', () => '4.1 ms'],
];

/** The row with every time fixed; text at its right edge stays there. */
export function fixTimes(row: CellRow, index: number): CellRow {
  let cells = row;
  for (const [pattern, place, fixed] of TIMES) {
    const text = textOf(cells);
    const match = pattern.exec(text.trimEnd());
    if (match === null) continue;
    const from = [...text.slice(0, match.index)].length;
    const found = { from, to: from + [...match[0]].length };
    cells = replaceCells(cells, found, fixed(index), place);
  }
  return cells;
}

function replaceCells(
  row: CellRow,
  { from, to }: { readonly from: number; readonly to: number },
  words: string,
  place: Place,
): CellRow {
  const look = row[from]?.look ?? PLAIN_LOOK;
  const put = [...words].map((text): Cell => ({ text, width: 1, look }));
  const before = row.slice(0, from);
  const head = place === 'edge' ? stretched(before, to - from - put.length) : before;
  return [...head, ...put, ...row.slice(to)];
}

/** The cells with `more` blanks added to their last gap, or removed if negative. */
function stretched(cells: CellRow, more: number): CellRow {
  const gap = textOf(cells).lastIndexOf('  ');
  if (more === 0 || gap < 0) return cells;
  const blank: Cell = { text: ' ', width: 1, look: PLAIN_LOOK };
  if (more > 0)
    return [...cells.slice(0, gap), ...Array.from({ length: more }, () => blank), ...cells.slice(gap)];
  return [...cells.slice(0, gap + 2 + more), ...cells.slice(gap + 2)];
}

/** The row padded to exactly `columns`. */
export function padTo(row: CellRow, columns: number): CellRow {
  const cells = row.slice(0, columns);
  const width = cells.reduce((sum, cell) => sum + cell.width, 0);
  return [
    ...cells,
    ...Array.from({ length: columns - width }, (): Cell => ({ text: ' ', width: 1, look: PLAIN_LOOK })),
  ];
}
