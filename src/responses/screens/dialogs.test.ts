/** Dialogs that are hard to take apart: each is a report of a real user, or was drawn by the real program. */
import { describe, expect, it } from 'vitest';
import { claudeScreen, RULE, screenOf } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const TRUST = [
  '  Trust this folder?',
  '',
  '› 1. Trust and continue',
  '     Codex may run files of it.',
  '  2. Quit',
  '',
  '  enter continue · esc exit',
];
const CODEX_NOTES = [
  '  Question 1/1 (1 unanswered)',
  '  Which colour do you want?',
  '',
  '  1. Red   The warm one',
  '› 2. None  My own words:',
  '    blue',
  '',
  '  tab or esc to clear notes | enter to submit answer',
];
const CODEX_QUESTION = [
  '• I run one command first.',
  '',
  '  Which colour do you want?',
  '',
  '  › 1. Red   The warm one',
  '    2. Blue  The cold one',
];
const NOTES_KEYS = '  tab or esc to clear notes | enter to submit answer';
const CODEX_NOTED = (notes: readonly string[]) => [...CODEX_QUESTION, '', ...notes, '', NOTES_KEYS];
const claude = screenRulesFor('claude');

describe('dialogs', () => {
  const MENU = [RULE, ' Bash command', '', '   rm -rf build', '', ' Do you want to proceed?'];
  const OPTIONS = [' ❯ 1. Yes', '   2. No', '', ' Esc to cancel · Tab to amend'];

  it('shows a menu for what it is: nothing may be typed into it', () => {
    const reading = claude.read(screenOf(['● I will clean up.', '', ...MENU, ...OPTIONS]));
    expect(reading).toMatchObject({
      composer: { kind: 'absent' },
      state: 'waiting',
      dialog: 'Bash command\n\n  rm -rf build\n\nDo you want to proceed?\n❯ 1. Yes\n  2. No',
      vimNormal: false,
      queued: false,
    });
  });

  it('reads the framed dialog of older versions', () => {
    const frame = '─'.repeat(40);
    const inside = [
      'Edit file',
      '',
      'Do you want to make this edit?',
      '❯ 1. Yes',
      '  2. No, and tell Claude (esc)',
    ];
    const rows = [`╭${frame}╮`, ...inside.map((text) => `│ ${text.padEnd(38)} │`), `╰${frame}╯`];
    expect(claude.read(screenOf(['● I will edit.', '', ...rows]))).toMatchObject({
      state: 'waiting',
      dialog: 'Edit file\n\nDo you want to make this edit?\n❯ 1. Yes\n  2. No, and tell Claude (esc)',
    });
  });

  it.each([1, 2, 3])('finds it wherever the pointer stands: option %i', (pointed) => {
    const options = [1, 2, 3].map((n) => ` ${n === pointed ? '❯' : ' '} ${n}. Option ${n}`);
    const reading = claude.read(screenOf([...MENU, ...options, '', ' Esc to cancel']));
    expect(reading.dialog).toContain('Do you want to proceed?');
    expect(reading.dialog).toContain('Option 1');
    expect(reading.dialog).toContain('Option 3');
  });

  it('does not take an answered dialog in the conversation for an open one', () => {
    const reading = claude.read(
      claudeScreen([...MENU, ...OPTIONS, '', '● Done.', '', '✻ Worked for 2s'], '❯ '),
    );
    expect(reading).toMatchObject({ state: 'idle', dialog: null, composer: { kind: 'empty' } });
  });

  it('does not take a numbered list of the answer for a dialog', () => {
    const reading = claude.read(
      claudeScreen(['● Choose:', '', '  1. Yes', '  2. No', '', '✻ Worked for 2s'], '❯ '),
    );
    expect(reading).toMatchObject({ state: 'idle', dialog: null });
  });

  it.each([
    ['claude', ['● Done.', '', RULE, '❯ 1. Yes', '  2. No', RULE, '  ? for shortcuts'], 3],
    ['codex', ['• Done.', '', '', '› 1. Yes', '  2. No', '', '  gpt default · ~/project'], 4],
    ['codex', ['• Done.', '', '', '› 1. Yes', '', '  2. No', '', '  gpt default · ~/project'], 3],
    [
      'codex',
      ['• Done.', '', '› 1. Press enter to confirm', '  2. Esc to cancel', '', '  gpt · ~/project'],
      2,
    ],
    ['codex', ['  >_ OpenAI Codex', '     loading', '', '› 1. Yes', '  2. No'], 4],
    ['gemini', ['✦ Done.', '', '▔'.repeat(60), ' > 1. Yes', '   2. No', '▁'.repeat(60), ' ~/project'], 4],
    ['opencode', ['     Done.', '', '  ┃  1. Yes', '  ┃  2. No', '  ┃', '  ┃  Build · mock', '  ╹▀▀▀▀'], 3],
    ['pi', [' Done.', RULE, '→ 1. Yes', '2. No', RULE, '~/project'], 3],
    ['aider', ['Done.', '', RULE, '> 1. (Y)es/(N)o'], 3],
  ] as const)('%s: does not take a draft that is a menu for a dialog', (cli, rows, cursorRow) => {
    const reading = screenRulesFor(cli).read(screenOf(rows, { cursorRow }));
    expect(reading).toMatchObject({ dialog: null, composer: { kind: 'draft' } });
  });

  it.each([
    ['of trust, the cursor hidden', TRUST, null],
    ['with its keys right below, the cursor in an answer', TRUST.filter((text) => text !== ''), 2],
    ['with its keys below a blank row, the cursor in an answer', TRUST, 4],
    ['with a field for text in an answer', CODEX_NOTES, 5],
    ['with the field for its notes open', CODEX_NOTED(['  › Add notes']), 7],
    ['with its keys below a list, the cursor hidden', CODEX_NOTES, null],
    [
      'whose reason names the key for notes',
      [
        '',
        '› help me with the notes',
        '',
        '• I will look at it.',
        '',
        '  Would you like to run the following command?',
        '',
        '  Reason: the app needs it to clear notes',
        '',
        '  $ rm notes.db',
        '',
        '› 1. Yes, proceed (y)',
        '  2. No, and tell Codex what to do differently (esc)',
        '',
        '  Press enter to confirm or esc to cancel',
      ],
      null,
    ],
    ['without keys, the cursor hidden', ['  Which one?', '', '› 1. Yes', '  2. No', ''], null],
  ] as const)('codex: does not take a dialog %s for a draft', (_what, rows, cursorRow) => {
    const reading = screenRulesFor('codex').read(screenOf(rows, { cursorRow }));
    expect(reading).toMatchObject({ state: 'waiting', composer: { kind: 'absent' } });
    expect(reading.choice?.options.length).toBeGreaterThan(1);
  });

  it.each([
    ['is a list', ['  › 1. foo', '    2. bar']],
    ['goes on with the list', ['  › 3. foo']],
    ['is like an answer', ['  › 2. foo']],
  ])('codex: keeps the answers of a question whose typed note %s', (_what, notes) => {
    const { choice } = screenRulesFor('codex').read(screenOf(CODEX_NOTED(notes)));
    expect(choice).toMatchObject({
      question: 'Which colour do you want?',
      options: [
        { label: 'Red', description: 'The warm one' },
        { label: 'Blue', description: 'The cold one' },
      ],
      pointed: 0,
    });
  });

  it('prefers the dialog that is open to a box in the text above it', () => {
    const reading = claude.read(screenOf([RULE, '❯ ', RULE, '  ? for shortcuts', ...MENU, ...OPTIONS]));
    expect(reading.state).toBe('waiting');
  });
});

it('reads the question of Codex whole when it breaks a path over two rows', () => {
  const { choice } = screenRulesFor('codex').read(
    screenOf(
      [
        '• I run one command first.',
        '',
        '• Added hello.txt (+2 -0)',
        '    1 +hello',
        '    + Show details',
        '',
        '  Would you like to make the following',
        '  edits?',
        '',
        '  Destination:',
        '  /tmp/a-folder-with-a-long-name/project/hello.',
        '  txt',
        '',
        '› 1. Yes, proceed (y)',
        '  2. No, and tell Codex what to do',
        '     differently (esc)',
        '',
        '  Press enter to confirm or esc to cancel',
      ],
      { width: 44 },
    ),
  );
  expect(choice?.question).toMatch(/^Would you like[\s\S]*hello\.\ntxt$/);
  expect(choice?.options).toHaveLength(2);
});

describe('a plan to approve', () => {
  const labelled = (cli: 'gemini' | 'codex', rows: readonly string[], width: number) =>
    screenRulesFor(cli)
      .read(screenOf(rows, { width }))
      .choice?.options.map(({ label, description, takesText }) => [label, description, takesText]);

  it('takes words in the last answer of Gemini CLI, and loses none of the others', () => {
    const rows = [
      '╭──────────────────────────────────────────╮',
      '│ Ready to start implementation?           │',
      '│                                          │',
      '│ ● 1.  Yes, automatically accept edits    │',
      '│       Approves plan and allows tools to  │',
      '│       run automatically                  │',
      '│   2.  Type your feedback...              │',
      '│                                          │',
      '│ Enter to select · ↑/↓ to navigate ·      │',
      '│ Ctrl+G to edit plan · Esc to cancel      │',
      '╰──────────────────────────────────────────╯',
    ];
    const [yes = [], words] = labelled('gemini', rows, 44) ?? [];
    expect(yes.join(' ')).toContain('accept edits Approves plan and allows tools to run automatically');
    expect(words).toEqual(['Type your feedback...', '', true]);
  });

  it('has the column beside the answers of Codex as their descriptions', () => {
    const rows = [
      '  Implement this plan?',
      '',
      '› 1. Yes, implement this plan          Switch to Default and start coding',
      '  2. Yes, clear context and implement  Fresh thread with this plan',
      '  3. No, stay in Plan mode             Continue planning with the model',
      '',
      '  enter select · esc back',
    ];
    expect(labelled('codex', rows, 100)).toEqual([
      ['Yes, implement this plan', 'Switch to Default and start coding', false],
      ['Yes, clear context and implement', 'Fresh thread with this plan', false],
      ['No, stay in Plan mode', 'Continue planning with the model', false],
    ]);
  });
});

describe('a question of Claude Code in a pane of 44 columns', () => {
  const read = (rows: readonly string[]) => claude.read(screenOf(rows, { width: 44 })).choice;
  const NARROW = '─'.repeat(44);

  it('keeps answers in Chinese characters, with emoji, and ones that begin with a number of their own', () => {
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

  it('takes no line of the command for an answer', () => {
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

/** A dialog of opencode: rows behind its bar; `¶` begins and ends a marked background. */
const opencodeScreen = (rows: readonly string[]) =>
  screenRulesFor('opencode').read(
    screenOf(
      rows.map((row) => `  ┃${row}`.replace(/¶([^¶]*)¶/g, '\u001b[44m$1\u001b[49m')),
      { width: 44 },
    ),
  );

describe('a list that is no answer', () => {
  const labels = (choice: { readonly options: readonly { readonly label: string }[] } | null) =>
    choice?.options.map(({ label }) => label);

  it.each([1, 2, 3])('is in a command, and the pointer is on answer %i', (at) => {
    const row = (number: number, label: string) =>
      `│ ${number === at ? '●' : ' '} ${number}. ${label}`.padEnd(43).concat('│');
    const { choice } = screenRulesFor('gemini').read(
      screenOf(
        [
          '╭──────────────────────────────────────────╮',
          '│ ? Shell  Write steps                     │',
          '│ ╭──────────────────────────────────────╮ │',
          '│ │ ❯ 1. Proceed                         │ │',
          '│ │   2. Cancel (esc)                    │ │',
          '│ ╰──────────────────────────────────────╯ │',
          '│ Allow execution of [Shell]?              │',
          '│                                          │',
          row(1, 'Allow once'),
          row(2, 'Allow for this session'),
          row(3, 'No, suggest changes (esc)'),
          '╰──────────────────────────────────────────╯',
        ],
        { width: 44 },
      ),
    );
    expect(labels(choice)).toEqual(['Allow once', 'Allow for this session', 'No, suggest changes (esc)']);
    expect(choice?.pointed).toBe(at - 1);
    expect(choice?.question).toContain('❯ 1. Proceed');
  });

  it('is in a command that opencode asks about', () => {
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
    expect(labels(choice)).toEqual(['Allow once', 'Allow always', 'Reject']);
    expect(choice).toMatchObject({ pointed: 0, keys: 'right' });
  });

  it('is in the description of an answer', () => {
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
    expect(labels(choice)).toEqual(['First', 'Second', 'Third']);
    expect(choice?.pointed).toBe(1);
  });
});

it.each([5, null])('has `Done` below the boxes of Gemini CLI: answer %s is pointed at', (pointed) => {
  const sign = (at: number | null) => (pointed === at ? '●' : ' ');
  const { choice } = screenRulesFor('gemini').read(
    screenOf([
      '╭──────────────────────────────────────────╮',
      '│ Which clients shall it cover?            │',
      '│ (Select all that apply)                  │',
      '│                                          │',
      '│ ▲                                        │',
      '│   4. [x] All of the above                │',
      '│          Select all options              │',
      `│ ${sign(5)} 5. [ ] Enter a custom value            │`,
      `│ ${sign(null)}  Done                                  │`,
      '│    Finish selection                      │',
      '│ ▼                                        │',
      '│                                          │',
      '│ Enter to select · Esc to cancel          │',
      '╰──────────────────────────────────────────╯',
    ]),
  );
  expect(choice?.options).toMatchObject([
    { leads: 'up' },
    { label: 'All of the above', checked: true },
    { label: 'Enter a custom value', checked: false, takesText: true },
    { label: 'Done', description: 'Finish selection', checked: null, leads: null },
  ]);
  expect(choice?.pointed).toBe(pointed === null ? 3 : 2);
});

describe('a question of opencode', () => {
  it('has no answer that is the one word of a description', () => {
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

  it('has its answers when it is higher than the screen and shows no keys, also the tenth', () => {
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
});

it.each([
  ['right', '  9. Nine', ' 10. Ten'],
  ['left', '  9. Nine', '  10. Ten'],
])('goes on behind nine answers whose numbers are aligned to the %s', (_side, nine, ten) => {
  const rows = Array.from({ length: 8 }, (_, at) => ` ${at === 0 ? '❯' : ' '} ${at + 1}. Answer`.slice(1));
  const { choice } = claude.read(
    screenOf([RULE, ' Which?', '', ...rows, nine, ten, '', ' Enter to select · Esc to cancel']),
  );
  expect(choice?.options).toHaveLength(10);
});
