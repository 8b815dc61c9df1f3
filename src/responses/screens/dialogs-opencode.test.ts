/** Menus of opencode that are hard to read. */
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

/** A dialog of opencode: rows behind its bar; `¶` starts and ends a marked background. */
const opencodeScreen = (rows: readonly string[]) =>
  screenRulesFor('opencode').read(
    screenOf(
      rows.map((row) => `  ┃${row}`.replace(/¶([^¶]*)¶/g, '\u001b[44m$1\u001b[49m')),
      { width: 44 },
    ),
  );

it('does not show a list in a command as answers', () => {
  const { choice } = opencodeScreen([
    '',
    '  △ Permission required',
    '    # Shell command',
    '',
    '  $ cat > steps.txt',
    '  ❯ 1. Proceed',
    '    2. Cancel (esc)',
    '',
    '  ¶ Allow once ¶  Allow always   Reject',
    '',
    '  ctrl+f fullscreen  ⇆ select  enter conf',
  ]);
  expect(choice?.options.map(({ label }) => label)).toEqual(['Allow once', 'Allow always', 'Reject']);
  expect(choice).toMatchObject({ pointed: 0, keys: 'right' });
});

it('does not show a description of one word as an answer', () => {
  const { choice } = opencodeScreen([
    '',
    '  Which of these? (select all that apply)',
    '',
    '  ¶1.¶ [ ] [x] odd label',
    '     d1',
    '  2. [✓] 日本語の選択肢',
    '     説明',
    '',
    '  ↑↓ select  enter toggle  esc dismiss',
  ]);
  expect(choice?.options).toMatchObject([
    { label: '[x] odd label', description: 'd1', checked: false },
    { label: '日本語の選択肢', description: '説明', checked: true },
    { leads: 'on' },
  ]);
});

it('shows all answers, including the tenth, if the menu is taller than the screen and its keys are not visible', () => {
  const rows = Array.from({ length: 12 }, (_, at) => [
    at === 0 ? '  ¶1.¶ Choice 1' : `  ${at + 1}. Choice ${at + 1}`,
    `     What ${at + 1} means. 1. not a step`,
  ]);
  const { state, choice } = opencodeScreen(['', '  Many?', '', ...rows.flat()]);
  expect(state).toBe('waiting');
  expect(choice?.options).toHaveLength(12);
  expect(choice?.options[9]).toMatchObject({
    label: 'Choice 10',
    description: 'What 10 means. 1. not a step',
  });
  expect(choice?.pointed).toBe(0);
});
