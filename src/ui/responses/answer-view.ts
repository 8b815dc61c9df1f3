/** The AI's question with its answers. Pure. */
import { type MenuRow, planMenu } from '../kit/menu.ts';
import { fitRow, foreign, type Row, span, wrapWords } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { dialogQuestion } from './dialog.ts';

/** The AI's question in its own words, then the answers to choose from. */
export function planAnswer(
  dialog: string,
  options: readonly { readonly key: string; readonly label: string }[],
  cursor: number,
  size: { readonly columns: number; readonly rows: number },
  theme: Theme,
): readonly Row[] {
  const question = dialogQuestion(dialog)
    .split('\n')
    .map((line): Row => fitRow([span('  '), foreign(line, 'strong')], size.columns));
  const room = Math.max(1, size.rows - options.length - 2);
  const shown = question.slice(Math.max(0, question.length - room));
  const entries = options.map(
    (option): MenuRow => ({
      left: [span(option.key, 'key'), span('  '), foreign(option.label)],
      right: [],
    }),
  );
  if (options.length === 0) {
    const advice = 'No answer to choose from was recognised. Answer it in the AI pane itself.';
    return [
      ...shown,
      [],
      ...wrapWords(advice, Math.max(10, size.columns - 4)).map((row): Row => [span('  '), ...row]),
    ];
  }
  return [...shown, [], ...planMenu(entries, cursor, { columns: size.columns, rows: options.length }, theme)];
}
