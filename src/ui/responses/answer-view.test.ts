import { expect, it } from 'vitest';
import { testDialog } from '../../../test/helpers/ui-fakes.ts';
import { widthOf } from '../../lib/width.ts';
import { rowPlainText } from '../kit/row.ts';
import { createTheme } from '../kit/theme/theme.ts';
import { planAnswer } from './answer-view.ts';

const theme = createTheme({ depth: 'none', background: 'dark', plain: false, ascii: true });

it.each([
  ['names the hook if it has reported nothing', 'unhooked', true, true],
  ['says where to see the rest if the hook has reported other things', 'untold', true, false],
  ['adds nothing to a complete question', null, false, false],
] as const)('%s', (_what, folded, hasKey, hasHook) => {
  const { rows } = planAnswer(testDialog('Allow?', ['Yes'], { folded }), 0, 200, theme);
  const text = rows.map(rowPlainText).join('\n');
  expect([text.includes('Ctrl+O in its pane'), text.includes('copane init')]).toEqual([hasKey, hasHook]);
});

it.each([44, 80, 160])('shows every answer in full at %i columns, wherever a word ends', (columns) => {
  const labels = [
    `Yes, and always allow ${'/a/very/long/path'.repeat(6)}:*`,
    '変更をそのまま適用し、以後このプロジェクトでは二度と確認しないでください。'.repeat(3),
  ];
  const { rows } = planAnswer(testDialog('Allow?', labels), 0, columns, theme);
  const texts = rows.map(rowPlainText);
  expect(texts.filter((row) => widthOf(row) > columns)).toEqual([]);
  const whole = texts.join('').replace(/\s+/g, '');
  for (const label of labels) expect(whole).toContain(label.replace(/\s+/g, ''));
});
