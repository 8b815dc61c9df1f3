/** Parses an open dialog: question, answers, pointer. Joins wrapped rows; text below an answer describes it. Pure. */
import { widthOf } from '../../lib/width.ts';
import type { Choice, DialogOption } from '../../protocol/dialog.ts';
import { dialogText, isRule, saysDialogKeys, withoutFrame } from './shared.ts';
import { glueBetween, indentOf } from './unwrap.ts';

/** `❯ 2. Yes`; a narrow pane may lack the blank after the number. */
const NUMBERED = /^(\s*(?:[❯›●▶→]\s*)?)(\d{1,2})\.(\s*)(\S.*)$/u;
const POINTER = /^\s*[❯›●▶→]\s+\S/u;
const CHECKBOX = /^\[([ xX✓✔*•])\]\s+/u;
/** How programs label an answer that takes text. */
const TAKES_TEXT =
  /^(?:Type something|Type your (?:own answer|feedback)|Enter a custom value|Tell \w+ what to change|Other\b.*type)/i;
/** Hints about keys, which are not part of an answer. */
const KEY_NAME = /^\s*(?:shift\+tab|ctrl\+\w|tab|esc) to\b/i;
const COLUMN_GAP = /\s{2,}/;
/** How many cells a program leaves free at the right edge. */
const EDGE_CELLS = 1;

interface Row {
  readonly text: string;
  readonly isPointed: boolean;
}

/** Where an answer begins, and the column of its label. */
interface Start {
  readonly row: number;
  readonly column: number;
}

export interface ChoiceOptions {
  readonly width: number;
  /**
   * Whether a row is marked only by its background; omitted: by the pointer. A program that marks rows this way numbers
   * every answer, and starts descriptions below the boxes.
   */
  readonly isMarked?: (row: number) => boolean;
}

/** The choice in the rows of a dialog, including its frame. */
export function readChoice(texts: readonly string[], options: ChoiceOptions): Choice {
  const rows = texts.map((text, at): Row => {
    const bare = withoutFrame(text);
    return { text: bare, isPointed: POINTER.test(bare) || options.isMarked?.(at) === true };
  });
  const starts = numberedStarts(rows) ?? pointedStarts(rows, options.width);
  const first = starts[0];
  if (first === undefined) return { question: dialogText(texts), options: [], pointed: null, keys: 'down' };
  const all = options.isMarked === undefined ? withBareRows(rows, starts) : starts;
  const pointed = all.findIndex(({ row }) => rows[row]?.isPointed);
  const width = frameWidth(texts, options);
  const shown = all.map((start, index) => optionAt(rows, start, all[index + 1]?.row, width));
  const above = isFirstShown(rows, first) ? [] : [{ ...option('More answers above'), leads: 'up' as const }];
  // The end of a choice has no number, and nothing below it.
  const hasMore = all.at(-1) === starts.at(-1) && rows.some(({ text }) => text.trim() === MORE_BELOW);
  const below = hasMore ? [{ ...option('More answers below'), leads: 'down' as const }] : [];
  return {
    question: dialogText(
      texts.slice(0, first.row).filter((text) => withoutFrame(text).trim() !== MORE_ABOVE),
    ),
    options: [...above, ...shown, ...below],
    pointed: pointed < 0 ? null : pointed + above.length,
    keys: 'down',
  };
}

/** Shown at the edges of a list that is longer than its visible part, also at its ends. */
const MORE_ABOVE = '▲';
const MORE_BELOW = '▼';

function isFirstShown(rows: readonly Row[], { row }: Start): boolean {
  const number = NUMBERED.exec(rows[row]?.text ?? '')?.[2];
  return number === undefined || number === '1';
}

/** The width in cells at which the dialog's text wraps: inside its frame, if it has one. */
function frameWidth(texts: readonly string[], { width }: ChoiceOptions): number {
  const framed = texts.find((text) => /^\s*[│┃].*[│┃]\s*$/u.test(text));
  return (framed === undefined ? width : widthOf(framed) - 2) - EDGE_CELLS;
}

/** Answers numbered from 1, and the column after their numbers. */
interface Run {
  readonly starts: Start[];
  readonly column: number;
  next: number;
  hasPointer: boolean;
}

/** The run with the pointer, else the last. Numbered plan steps come above it; its descriptions are indented. */
function numberedStarts(rows: readonly Row[]): readonly Start[] | null {
  const runs: Run[] = [];
  rows.forEach(({ text, isPointed }, row) => {
    const match = NUMBERED.exec(text);
    if (match === null) return;
    const [, lead = '', digits = '', gap = ''] = match;
    const end = lead.length + digits.length;
    const start = { row, column: end + 1 + gap.length };
    if (Number(digits) === 1 || rows[row - 1]?.text.trim() === MORE_ABOVE) {
      runs.push({ starts: [start], column: end, next: Number(digits) + 1, hasPointer: isPointed });
      return;
    }
    const run = runs.findLast(({ next, column }) => next === Number(digits) && isColumn(end, column, digits));
    if (run === undefined) return;
    run.starts.push(start);
    run.next += 1;
    run.hasPointer ||= isPointed;
  });
  const pointed = runs.filter(({ hasPointer }) => hasPointer);
  const outer = pointed.filter((run, at) => !pointed.slice(0, at).some(({ column }) => column < run.column));
  const found = outer.at(-1) ?? runs.findLast(({ starts }) => starts.length > 1);
  return found?.starts ?? null;
}

/** Two-digit numbers are aligned with one-digit ones at the right or at the left. */
function isColumn(end: number, column: number, digits: string): boolean {
  return end === column || end === column + digits.length - 1;
}

/** Answers without numbers: the rows above and below the pointer in the same column, without a gap. */
function pointedStarts(rows: readonly Row[], width: number): readonly Start[] {
  const pointed = rows.findLastIndex(({ text }) => POINTER.test(text));
  if (pointed < 0) return [];
  const column = labelColumn(rows[pointed]?.text ?? '');
  const isSibling = (row: number) => {
    const text = rows[row]?.text ?? '';
    return text.trim() !== '' && indentOf(text) === column && !isRule(text) && !saysDialogKeys(text);
  };
  let first = pointed;
  while (isSibling(first - 1)) first -= 1;
  const starts: Start[] = [];
  for (let row = first; row === pointed || isSibling(row) || isDeeper(rows, row, column); row++) {
    const before = rows[row - 1]?.text ?? '';
    const isRest =
      row > first &&
      row !== pointed &&
      glueBetween(before, rows[row]?.text ?? '', width - EDGE_CELLS) !== null;
    if (!isRest && !isDeeper(rows, row, column)) starts.push({ row, column });
  }
  // A pointer alone could mean anything.
  return starts.length > 1 ? starts : [];
}

function isDeeper(rows: readonly Row[], row: number, column: number): boolean {
  const text = rows[row]?.text ?? '';
  return text.trim() !== '' && indentOf(text) > column;
}

const labelColumn = (text: string): number => /^\s*[❯›●▶→]\s+/u.exec(text)?.[0].length ?? indentOf(text);

/** Among answers with boxes, a row in the column of the boxes or after the numbers is also an answer: `Done`. */
function withBareRows(rows: readonly Row[], starts: readonly Start[]): readonly Start[] {
  const [first] = starts;
  const head = rows[first?.row ?? -1]?.text ?? '';
  if (first === undefined || !CHECKBOX.test(head.slice(first.column))) return starts;
  const columns = new Set([first.column, head.search(/\d/) + 1]);
  const taken = new Set(starts.map(({ row }) => row));
  const bare = rows.flatMap(({ text }, row): Start[] =>
    row > first.row &&
    !taken.has(row) &&
    /^\s*\S+$/.test(text.replace(/[❯›●▶→]/u, ' ')) &&
    columns.has(labelColumn(text))
      ? [{ row, column: labelColumn(text) }]
      : [],
  );
  return [...starts, ...bare].sort((a, b) => a.row - b.row);
}

function optionAt(rows: readonly Row[], start: Start, next: number | undefined, width: number): DialogOption {
  const paragraphs: string[] = [(rows[start.row]?.text ?? '').slice(start.column).trim()];
  for (let row = start.row + 1; row < (next ?? rows.length); row++) {
    const text = rows[row]?.text ?? '';
    if (text.trim() === '' || isRule(text) || (next === undefined && saysDialogKeys(text))) break;
    if (indentOf(text) < Math.min(start.column, labelColumn(rows[start.row]?.text ?? ''))) break;
    if (text.trim() === MORE_BELOW) break;
    const glue = KEY_NAME.test(text) ? null : glueBetween(rows[row - 1]?.text ?? '', text, width);
    if (glue === null) paragraphs.push(text.trim());
    else paragraphs.push(`${paragraphs.pop() ?? ''}${glue}${text.trim()}`);
  }
  const [head = '', ...rest] = paragraphs;
  const box = CHECKBOX.exec(head);
  // In a wide pane the description can be in a column beside the label.
  const [label = '', ...further] = (box === null ? head : head.slice(box[0].length)).split(COLUMN_GAP);
  return {
    label,
    description: [...further, ...rest].join('\n'),
    checked: box === null ? null : box[1] !== ' ',
    takesText: TAKES_TEXT.test(label),
    leads: null,
  };
}

/** `(Y)es/(N)o/(A)ll [Yes]`: each answer is a letter. */
export function readLetters(text: string): Choice {
  const joined = text.replace(/\s*\n\s*/g, ' ');
  const list = /\([A-Za-z]\)[^[\n]*/.exec(joined);
  const labels = list === null ? [] : [...list[0].matchAll(/\(([A-Za-z])\)([^/(]*)/g)];
  return {
    question: dialogText(joined.slice(0, list?.index).split('\n')),
    options: labels.map(([, letter = '', rest = '']) => option(`${letter}${rest.replace(/[:?\s]+$/, '')}`)),
    pointed: null,
    keys: 'letter',
  };
}

/** An answer with only a label. */
export function option(label: string): DialogOption {
  return { label, description: '', checked: null, takesText: false, leads: null };
}
