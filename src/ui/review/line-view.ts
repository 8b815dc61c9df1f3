/** A hunk's line as a row: numbers of one or both sides, sign, text; or two lines side by side. Pure. */

import { padRow, type Row, rowWidth, span } from '../kit/row.ts';
import type { Ground, Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { type CodeLine, type ColorRange, planCodeLine, planWrappedLine, wrapCodeLine } from './code-line.ts';
import type { HunkDoc } from './hunk-doc.ts';
import { showLine } from './long-line.ts';
import { isMoved, type MovedBlock } from './moved-blocks.ts';
import type { ColoredLine } from './port.ts';

/** From this width on, a line has both numbers; below it, one. */
const BOTH_NUMBERS_MIN_COLUMNS = 60;
/** Sign and blank before a line's text. */
const SIGN_CELLS = 2;

const SIGNS = { same: ' ', around: ' ', removed: '-', added: '+', words: ' ', title: ' ' } as const;
const ROLES = {
  same: 'text',
  around: 'dim',
  removed: 'removed',
  added: 'added',
  words: 'strong',
  title: 'heading',
} as const satisfies Record<HunkDoc['lines'][number]['op'], Role>;
const WORD_ROLES = { ...ROLES, removed: 'removed-word', added: 'added-word' } as const;

/** A changed line's ground; none if it is drawn as context, so that it does not stand out. */
function groundOf(doc: HunkDoc, index: number, view: LineView): 'added' | 'removed' | undefined {
  const op = doc.lines[index]?.op;
  if (op !== 'added' && op !== 'removed') return undefined;
  if (isMoved(view.moved, index - doc.own.from)) return undefined;
  return view.quietBlanks && doc.isBlankChange(index) ? undefined : op;
}

/** How the text of a line is displayed. */
export interface LineView {
  /** Cells by which the text is shifted to the left. */
  readonly shift: number;
  /** Changes of only blanks are drawn as context. */
  readonly quietBlanks: boolean;
  readonly isWrapped: boolean;
  /** Cells of the file's longest line number, so that the numbers of its hunks align. */
  readonly numberCells: number;
  /** Blocks of the hunk that are elsewhere on the other side: they have no ground, since they are not new. */
  readonly moved: readonly MovedBlock[];
  /** Syntax of the hunk's own lines; empty while unknown. */
  readonly colors: readonly ColoredLine[];
}

/** What is not a line of a file spans both sides: messages, headings, a conflict's parts. */
function isWide(doc: HunkDoc, index: number): boolean {
  const line = doc.lines[index];
  return line !== undefined && line.before === null && line.after === null;
}

/** Cells before a line's text. */
function headCells(doc: HunkDoc, numberCells: number, columns: number): number {
  if (doc.numberCells === 0) return SIGN_CELLS;
  const numbers = columns >= BOTH_NUMBERS_MIN_COLUMNS ? 2 : 1;
  return numbers * (numberCells + 1) + SIGN_CELLS;
}

function sideHeadCells(doc: HunkDoc, numberCells: number): number {
  return (doc.numberCells === 0 ? 0 : numberCells + 1) + SIGN_CELLS;
}

/** Cells to the left of the bar between two sides. */
const leftColumns = (columns: number) => Math.floor((columns - 1) / 2);

/** Rows that a wrapped line needs on one side. */
export function rowsOfLine(
  doc: HunkDoc,
  index: number,
  { columns, numberCells }: { readonly columns: number; readonly numberCells: number },
): number {
  const line = doc.lines[index];
  if (line === undefined) return 1;
  const head = line.op === 'words' || line.op === 'title' ? 0 : headCells(doc, numberCells, columns);
  return wrapCodeLine(doc.shownOf(index).text, columns - head).length;
}

/** Rows that two wrapped lines side by side need. */
export function rowsOfPair(
  doc: HunkDoc,
  pair: { readonly left: number; readonly right: number },
  { columns, numberCells }: { readonly columns: number; readonly numberCells: number },
): number {
  if (pair.left === pair.right && isWide(doc, pair.left))
    return rowsOfLine(doc, pair.left, { columns, numberCells });
  const head = sideHeadCells(doc, numberCells);
  const rows = (index: number, width: number) => {
    const line = doc.lines[index];
    return line === undefined ? 1 : wrapCodeLine(doc.shownOf(index).text, width - head).length;
  };
  const left = leftColumns(columns);
  return Math.max(rows(pair.left, left), rows(pair.right, columns - left - 1));
}

export interface DrawnHunk {
  readonly doc: HunkDoc;
  readonly view: LineView;
  readonly theme: Theme;
}

/** Row `part` of a line. */
interface LinePart {
  readonly index: number;
  readonly part: number;
}

/** Row `part` of a line at full width. */
export function planLine(drawn: DrawnHunk, { index, part }: LinePart, columns: number): Row {
  const { doc, view, theme } = drawn;
  const line = doc.lines[index];
  if (line === undefined) return [];
  if (line.op === 'words' || line.op === 'title') return textCells(drawn, { index, part }, columns);
  const ground = groundOf(doc, index, view);
  const head =
    part > 0
      ? goesOn(headCells(doc, view.numberCells, columns), ground, theme)
      : headRow(doc, index, view, columns);
  const row = [...head, ...textCells(drawn, { index, part }, columns - rowWidth(head))];
  return onGround(row, columns, ground, theme);
}

/** The ground extends to the end of the row. */
function onGround(row: Row, columns: number, ground: Ground | undefined, theme: Theme): Row {
  return ground === undefined || !theme.isTinted ? row : padRow(row, columns, 'text', ground);
}

function headRow(doc: HunkDoc, index: number, view: LineView, columns: number): Row {
  const line = doc.lines[index];
  if (line === undefined) return [];
  const { numberCells } = view;
  const sign = span(`${SIGNS[line.op]} `, ROLES[line.op], groundOf(doc, index, view));
  if (doc.numberCells === 0) return [sign];
  const number = (value: number | null) => String(value ?? '').padStart(numberCells);
  const numbers =
    columns >= BOTH_NUMBERS_MIN_COLUMNS
      ? `${number(line.before)} ${number(line.after)} `
      : `${number(line.after ?? line.before)} `;
  return [span(numbers, 'dim'), sign];
}

function goesOn(cells: number, ground: Ground | undefined, theme: Theme): Row {
  const sign = span(`${theme.glyphs.goesOn} `, 'dim', ground);
  return [span(' '.repeat(Math.max(0, cells - SIGN_CELLS)), 'dim'), sign];
}

/** Row `part` of two lines side by side. */
export function planPair(
  drawn: DrawnHunk,
  { left, right, part }: { readonly left: number; readonly right: number; readonly part: number },
  columns: number,
): Row {
  if (left === right && isWide(drawn.doc, left)) return planLine(drawn, { index: left, part }, columns);
  const half = leftColumns(columns);
  return [
    ...padRow(planSide(drawn, { index: left, part, side: 'before' }, half), half),
    span(drawn.theme.glyphs.vertical, 'rule'),
    ...planSide(drawn, { index: right, part, side: 'after' }, columns - half - 1),
  ];
}

function planSide(
  drawn: DrawnHunk,
  { index, part, side }: LinePart & { readonly side: 'before' | 'after' },
  columns: number,
): Row {
  const { doc, view, theme } = drawn;
  const line = doc.lines[index];
  if (line === undefined) return [];
  const ground = groundOf(doc, index, view);
  const head: Row =
    part > 0
      ? goesOn(sideHeadCells(doc, view.numberCells), ground, theme)
      : [
          span(doc.numberCells === 0 ? '' : `${String(line[side] ?? '').padStart(view.numberCells)} `, 'dim'),
          span(`${SIGNS[line.op]} `, ROLES[line.op], ground),
        ];
  const text = textCells(drawn, { index, part }, columns - rowWidth(head));
  // Below a shorter line, its numbers stay off the ground too.
  if (text.length === 0 && part > 0)
    return onGround([span(' '.repeat(rowWidth(head) - SIGN_CELLS))], columns, ground, theme);
  return onGround([...head, ...text], columns, ground, theme);
}

/** With few colours, a changed line keeps its own colour; its keywords are bold. */
function colorsOf(doc: HunkDoc, index: number, view: LineView, theme: Theme): readonly ColorRange[] {
  const line = view.colors[index - doc.own.from];
  const op = doc.lines[index]?.op;
  if (line === undefined || op === undefined || index >= doc.own.from + doc.own.count) return [];
  const { depth } = theme.options;
  if (depth === 'none') return [];
  if (depth !== '16' || (op !== 'added' && op !== 'removed'))
    return line.map(([start, end, kind]): ColorRange => [start, end, `syntax-${kind}`]);
  return line.flatMap(([start, end, kind]): ColorRange[] => {
    if (kind === 'keyword') return [[start, end, `${op}-strong`]];
    return kind === 'comment' ? [[start, end, `${op}-soft`]] : [];
  });
}

/** What follows the text of a line whose file ends in it. */
const OPEN_END = ' (no line end)';

function textCells(drawn: DrawnHunk, { index, part }: LinePart, columns: number): Row {
  const { doc, view, theme } = drawn;
  const line = doc.lines[index];
  if (line === undefined) return [];
  const isQuiet = view.quietBlanks && doc.isBlankChange(index);
  const isChanged = line.op === 'added' || line.op === 'removed';
  const ground = theme.isTinted ? groundOf(doc, index, view) : undefined;
  const { text, leftOut, at } = view.isWrapped ? doc.shownOf(index) : showLine(line.text, null);
  const colors = isQuiet ? [] : at(colorsOf(doc, index, view, theme));
  const code: CodeLine = {
    text,
    marks: isQuiet ? [] : at(doc.marksOf(index)),
    colors: [...leftOut, ...colors].sort(([one], [other]) => one - other),
    role: isQuiet ? 'dim' : ground === undefined ? ROLES[line.op] : 'text',
    markRole: WORD_ROLES[line.op],
    ...(ground === undefined ? {} : { ground: { line: ground, word: `${ground}-word` as const } }),
    showBlanks: !isQuiet && isChanged,
  };
  const row = view.isWrapped
    ? planWrappedLine(code, part, columns, theme)
    : planCodeLine(code, view.shift, columns, theme);
  const isEnd = !view.isWrapped || part === wrapCodeLine(text, columns).length - 1;
  const hasRoom = rowWidth(row) + OPEN_END.length <= columns;
  return line.isOpenEnd && isEnd && hasRoom ? [...row, span(OPEN_END, 'dim', ground)] : row;
}
