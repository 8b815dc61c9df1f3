/** Menus of Claude Code that are hard to read. */
import { describe, expect, it } from 'vitest';
import { RULE, screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const claude = screenRulesFor('claude');

describe('a menu of Claude Code, 44 columns wide', () => {
  const read = (rows: readonly string[]) => claude.read(screenOf(rows, { width: 44 })).choice;
  const NARROW = '─'.repeat(44);

  it('shows answers in Chinese characters, with emoji, and with their own number', () => {
    const choice = read([
      NARROW,
      ' ☐ 保存先',
      '',
      'どの保存先を使いますか？次の起動で速く、上限',
      'があるものに限ります。',
      '',
      '❯ 1. SQLite と全文検索を使う（推奨）',
      '     ファイル一つ、検索つき。✅',
      '     サーバーは要りません 👩‍👩‍👧',
      '  2. プレーンな JSON 行',
      '     読むのは簡単、検索は遅い',
      '  3. 1. not a number',
      '     2. nor this',
      '  4. Type something.',
      NARROW,
      '  5. Chat about this',
      '',
      'Enter to select · ↑/↓ to navigate · Esc to',
      'cancel',
    ]);
    expect(choice?.pointed).toBe(0);
    expect(choice?.options.map(({ label }) => label)).toEqual([
      'SQLite と全文検索を使う（推奨）',
      'プレーンな JSON 行',
      '1. not a number',
      'Type something.',
      'Chat about this',
    ]);
    expect(choice?.options[2]?.description).toBe('2. nor this');
  });

  it.each([
    [[' Tip: auto mode handles these prompts for', ' you — choose "switch to auto mode" below']],
    [[' Tip: auto mode handles these prompts for you — choose "switch to auto mode" below']],
    [[]],
  ])('does not take a tip for a part of the question: %j', (tip) => {
    const dashes = '╌'.repeat(44);
    const choice = read([
      NARROW,
      ' Bash command',
      ...tip,
      ' Create a file',
      dashes,
      ' Tip: not one',
      ' echo below',
      dashes,
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. No',
      '',
      ' Esc to cancel · Tab to amend',
    ]);
    expect(choice?.question.replaceAll(/\s+/g, ' ')).toBe(
      'Bash command Create a file Tip: not one echo below Do you want to proceed?',
    );
  });

  it('does not show a line of the command as an answer', () => {
    const dashes = '╌'.repeat(44);
    const choice = read([
      '     2. sed -n \'1,200p\' "$f" | head -n 40',
      "     done && echo 'Proceed? ❯ 1. Yes'",
      '',
      NARROW,
      ' Bash command',
      dashes,
      " │ for f in $(git ls-files '*.ts'); do",
      ' │   1. echo "$f" >> /tmp/out-with-a-very-l',
      ' │ ong-name-that-must-wrap.txt',
      ' │   2. sed -n \'1,200p\' "$f" | head -n 40',
      " │ done && echo 'Proceed? ❯ 1. Yes'",
      dashes,
      '',
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. Yes, and switch to auto mode · auto',
      '      mode handles these prompts for you',
      '   3. No',
      '',
      ' Esc to cancel · Tab to amend',
    ]);
    expect(choice?.options.map(({ label }) => label)).toEqual([
      'Yes',
      'Yes, and switch to auto mode · auto mode handles these prompts for you',
      'No',
    ]);
    expect(choice?.question).toContain('head -n 40');
  });
});

it('does not show a list in the description of an answer as answers', () => {
  const { choice } = claude.read(
    screenOf([
      RULE,
      'Which one?',
      '',
      '  1. First',
      '     ❯ 1. a step',
      '       2. another',
      '❯ 2. Second',
      '  3. Third',
      '',
      'Enter to select · ↑/↓ to navigate · Esc to cancel',
    ]),
  );
  expect(choice?.options.map(({ label }) => label)).toEqual(['First', 'Second', 'Third']);
  expect(choice?.pointed).toBe(1);
});

it.each([
  ['right', '  9. Nine', ' 10. Ten'],
  ['left', '  9. Nine', '  10. Ten'],
])('shows a tenth answer when numbers are aligned to the %s', (_side, nine, ten) => {
  const rows = Array.from({ length: 8 }, (_, at) => ` ${at === 0 ? '❯' : ' '} ${at + 1}. Answer`.slice(1));
  const { choice } = claude.read(
    screenOf([RULE, ' Which?', '', ...rows, nine, ten, '', ' Enter to select · Esc to cancel']),
  );
  expect(choice?.options).toHaveLength(10);
});
