/** A menu of a response's code blocks, with the marked one shown below. Pure. */
import { rowText } from '../../lib/text-layout.ts';
import { sliceCells } from '../../lib/width.ts';
import type { CodeBlock } from '../../responses/core/code-blocks.ts';
import { planMenu } from '../kit/menu.ts';
import { foreign, type Row, type Size, span } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { count } from '../kit/time.ts';

const LIST_SHARE = 0.4;

/** The list of blocks, and the marked one's code. */
export function planCode(
  blocks: readonly CodeBlock[],
  cursor: number,
  size: Size,
  theme: Theme,
): readonly Row[] {
  const listRows = Math.min(blocks.length, Math.max(1, Math.floor(size.rows * LIST_SHARE)));
  const entries = blocks.map((block) => ({
    left: [
      foreign(block.language === '' ? 'text' : block.language),
      span('  '),
      foreign(firstLine(block), 'dim'),
    ],
    right: [span(`${count(lineCount(block), 'line')}${block.closed ? '' : ', not finished'}`, 'dim')],
  }));
  const list = planMenu(entries, cursor, { columns: size.columns, rows: listRows }, theme);
  const code = (blocks[cursor]?.text ?? '').split('\n').slice(0, Math.max(0, size.rows - listRows - 1));
  return [...list, [], ...code.map((line) => codeRow(line, size.columns))];
}

function codeRow(line: string, columns: number): Row {
  const text = rowText(line, { start: 0, end: line.length, indent: 0 });
  return [span('  '), span(sliceCells(text, Math.max(0, columns - 2)), 'code')];
}

const lineCount = (block: CodeBlock): number => (block.text === '' ? 0 : block.text.split('\n').length);

function firstLine(block: CodeBlock): string {
  return (
    block.text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}
