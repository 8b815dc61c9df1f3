/** The AI's question and below it the answers, all in full, as one scrolling document. Pure. */
import { rowText, wrapLine } from '../../lib/text-layout.ts';
import type { Dialog, DialogOption } from '../../protocol/dialog.ts';
import { foreign, indented, type Row, span, wrapWords } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';

export interface AnswerDocument {
  readonly rows: readonly Row[];
  /** For each answer, its first row and the row after its last. */
  readonly answers: readonly { readonly start: number; readonly end: number }[];
}

const INDENT = '  ';
/** `> 12 [x] `: what precedes an answer. */
const LEAD_CELLS = 5;
const BOX_CELLS = 4;
const FOLDED = 'The AI CLI hides a part of this: Ctrl+O in its pane unfolds it.';
const NEEDS_HOOK = ' With its hook (copane init) the whole stands here.';
const UNKNOWN = 'copane does not know how to answer this one. Answer it in the AI pane itself.';

/** All rows at this width; `mark`: the answer that Enter gives. */
export function planAnswer(
  dialog: Dialog,
  mark: number | null,
  columns: number,
  theme: Theme,
): AnswerDocument {
  const rows: Row[] = [
    ...questionRows(dialog.question, columns),
    ...(dialog.folded === null
      ? []
      : indented(FOLDED + (dialog.folded === 'untold' ? '' : NEEDS_HOOK), columns)),
    [],
  ];
  const answers = dialog.options.map((option, index) => {
    const start = rows.length;
    rows.push(...optionRows(option, index, { isMarked: index === mark, columns, theme }));
    return { start, end: rows.length };
  });
  if (answers.length === 0) rows.push(...indented(UNKNOWN, columns));
  return { rows, answers };
}

function questionRows(question: string, columns: number): readonly Row[] {
  const width = Math.max(1, columns - INDENT.length - 1);
  return question.split('\n').flatMap((line) => {
    const text = foreign(line).text;
    return wrapLine(text, width).map(
      (part): Row => [span(INDENT), span(rowText(text, part, width), 'strong')],
    );
  });
}

interface OptionPlace {
  readonly isMarked: boolean;
  readonly columns: number;
  readonly theme: Theme;
}

function optionRows(
  option: DialogOption,
  index: number,
  { isMarked, columns, theme }: OptionPlace,
): readonly Row[] {
  const pointer = span(`${isMarked ? theme.glyphs.pointer : ' '} `, 'rule-active');
  const number = span(String(index + 1).padEnd(LEAD_CELLS - 2), 'key');
  const box =
    option.checked === null ? [] : [span(`[${option.checked ? theme.glyphs.checked : ' '}] `, 'key')];
  const lead = LEAD_CELLS + (option.checked === null ? 0 : BOX_CELLS);
  const width = Math.max(8, columns - lead - 1);
  const role = isMarked ? 'selected' : 'text';
  const label = wrapWords(foreign(option.label).text, width, role);
  const rest = option.description
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrapWords(foreign(line).text, width, 'dim'));
  return [...label, ...rest].map(
    (row, at): Row => (at === 0 ? [pointer, number, ...box, ...row] : [span(' '.repeat(lead)), ...row]),
  );
}
