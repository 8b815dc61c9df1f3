/** Screens that misled other tools, as tables: each row is a report of a real user, told in one line. */
import { describe, expect, it } from 'vitest';
import { parseStyledRows } from '../../tmux/core/sgr.ts';
import type { Screen } from './port.ts';
import { screenRulesFor } from './registry.ts';

const RULE = '─'.repeat(60);
const DIM = '\u001b[2m';
const PLAIN = '\u001b[0m';

function screenOf(rows: readonly string[], more: Partial<Screen> = {}): Screen {
  return {
    rows: parseStyledRows(rows.join('\n')),
    title: '',
    width: 60,
    alternate: false,
    cursorRow: null,
    ...more,
  };
}

const claude = screenRulesFor('claude');

/** Claude Code's box with one row of input, and what stands above and below it. */
function claudeScreen(
  above: readonly string[],
  input: string,
  below: readonly string[] = ['  ? for shortcuts'],
) {
  return screenOf([...above, '', RULE, input, RULE, ...below]);
}

describe('composer', () => {
  it.each([
    ['faint text is a suggestion of nobody', `❯ ${DIM}fix the failing tests${PLAIN}`, 'empty'],
    [
      'so it is with the cursor drawn over its first letter',
      `❯ \u001b[7mf${PLAIN}${DIM}ix the tests${PLAIN}`,
      'empty',
    ],
    ['bright text is a draft', '❯ \u001b[39mfix the failing tests', 'draft'],
    [
      'a bright word with a faint completion behind it is a draft',
      `❯ fix the ${DIM}failing tests${PLAIN}`,
      'draft',
    ],
    ['one typed letter is a draft', '❯ y', 'draft'],
    ['a folded paste is staged text', '❯ [Pasted text #1 +12 lines]', 'pill'],
    ['a folded paste with words around it too', '❯ see [Pasted text #2 +3 lines] please', 'pill'],
    ['a picture in place of its path is staged text', '❯ [Image #1]', 'pill'],
    ['a picture beside words is a draft', '❯ [Image #1] like this', 'draft'],
    ['a no-break space behind the sign', '❯\u00a0', 'empty'],
  ])('%s', (_report, input, kind) => {
    expect(claude.read(claudeScreen(['● Done.'], input)).composer.kind).toBe(kind);
  });

  it('takes a suggestion that runs over two rows for nobody', () => {
    const rows = [
      '● Done.',
      '',
      RULE,
      `❯ ${DIM}fix the failing tests`,
      `  and then commit${PLAIN}`,
      RULE,
      '',
    ];
    expect(claude.read(screenOf(rows)).composer).toEqual({ kind: 'empty' });
  });

  it('finds the composer above a HUD of any height', () => {
    const hud = [
      '  ctx 42% │ $1.20',
      '  main ✓ │ 3 files',
      '  ⏵⏵ accept edits on',
      '  tokens 120k',
      '  MCP 4',
    ];
    expect(claude.read(claudeScreen(['● Done.'], '❯ not yet sent', hud)).composer).toEqual({
      kind: 'draft',
      text: 'not yet sent',
    });
  });

  it('finds a composer whose upper rule bears a name', () => {
    const named = `${'─'.repeat(40)} my session ${'─'.repeat(6)}`;
    const screen = screenOf(['● Done.', '', named, '❯ a draft', RULE, '  ? for shortcuts']);
    expect(claude.read(screen).composer).toEqual({ kind: 'draft', text: 'a draft' });
  });

  it('reads the framed box of older versions', () => {
    const frame = '─'.repeat(58);
    const rows = [
      '● Done.',
      '',
      `╭${frame}╮`,
      `│ > a draft${' '.repeat(48)}│`,
      `╰${frame}╯`,
      '  ? for shortcuts',
    ];
    expect(claude.read(screenOf(rows)).composer).toEqual({ kind: 'draft', text: 'a draft' });
  });

  it('reads a draft of many rows without its indent', () => {
    const rows = ['● Done.', '', RULE, '❯ first', '  second', '', '  fourth', RULE, ''];
    expect(claude.read(screenOf(rows)).composer).toEqual({ kind: 'draft', text: 'first\nsecond\n\nfourth' });
  });

  it.each(['aider', 'claude', 'codex', 'gemini', 'opencode', 'pi'] as const)(
    '%s: no composer on a shell, a pager or an empty screen, and no claim about a state',
    (cli) => {
      const pager = Array.from({ length: 20 }, (_, n) => `commit ${n} by somebody`).concat(':');
      for (const rows of [[], ['user@host:~$ '], pager]) {
        const reading = screenRulesFor(cli).read(screenOf(rows));
        expect(reading.composer).toEqual({ kind: 'absent' });
        expect(reading.dialog).toBeNull();
        expect(reading.state).not.toBe('idle');
      }
    },
  );
});

describe('state', () => {
  it.each([
    ['the prompt sign is there while it works', ['✶ Boogieing… (2m 28s · ↓ 10.9k tokens)'], 'working'],
    ['a spinner word that nobody has listed', ['✽ Flibbertigibbeting…'], 'working'],
    ['words in another language', ['✢ Grübeln über den Plan… (3s · ↑ 1.1k tokens)'], 'working'],
    ['several words', ['· Fixing the flaky test… (esc to interrupt · ctrl+t to hide todos)'], 'working'],
    ['a clock alone', ['✻ Compacting conversation (1m 2s · ↓ 300 tokens)'], 'working'],
    ['hours', ['✻ Refactoring… (1h 2m 3s · ↓ 300k tokens)'], 'working'],
    ['the asterisk frame', ['* Churning…'], 'working'],
    [
      'a request that is tried again',
      ['✻ Connection refused — a firewall may be block… · retrying in 5s · attempt 5/10'],
      'working',
    ],
    ['a warning that is cut short', ['● Done.', '', '⚠ Your settings have a key that nobody knows…'], 'idle'],
    ['a finished spinner', ['✻ Worked for 3m 38s'], 'idle'],
    ['a finished spinner with the time of day', ['✻ Cooked for 0s · done 11:25 PM'], 'idle'],
    ['an old spinner above a newer answer', ['✶ Boogieing… (2m · ↓ 1k tokens)', '', '● Done.'], 'idle'],
    ['an old spinner above a finished one', ['✶ Boogieing…', '', '● Done.', '', '✻ Worked for 1s'], 'idle'],
    ['a spinner below an old answer', ['✻ Worked for 1s', '', '❯ next', '', '✶ Boogieing…'], 'working'],
    ['a todo list below the spinner', ['✶ Boogieing…', '  ⎿  ☐ first', '     ☐ second'], 'working'],
    ['an answer that ends in an ellipsis', ['● And so on…'], 'idle'],
    ['an answer that speaks of seconds', ['● It took (3s · really) a while'], 'idle'],
  ])('%s', (_report, above, state) => {
    expect(claude.read(claudeScreen(above, '❯ ')).state).toBe(state);
  });

  it.each([
    '  ⏸ manual mode on · esc to interrupt · ← for agents',
    '  ⏵⏵ accept edits on (shift+tab to cycle) · esc to int…',
    '  ⏵⏵ accept edits on (shift+tab to cycle) · esc …',
  ])('believes the hint below the box while text streams without a spinner: %s', (line) => {
    const hint = [line];
    expect(claude.read(claudeScreen(['● The first words'], '❯ ', hint)).state).toBe('working');
  });

  it('is not misled by the hint in the conversation', () => {
    expect(
      claude.read(claudeScreen(['● Press esc to interrupt me.', '', '✻ Worked for 1s'], '❯ ')).state,
    ).toBe('idle');
  });

  it('opencode: sees the moving bar in a pane too narrow for the hint', () => {
    const edge = `  ╹${'▀'.repeat(38)}`;
    const box = ['  ┃', '  ┃', '  ┃', '  ┃  Build · mock', edge];
    const read = (footer: readonly string[]) =>
      screenRulesFor('opencode').read(screenOf([...box, ...footer])).state;
    expect(read(['   ⬝⬝■■■■⬝⬝  esc     tab      ctrl+p', '             interrupagents   commands'])).toBe(
      'working',
    );
    expect(read(['   ~/project     tab       ctrl+p', '                 agents    commands'])).toBe('idle');
  });

  it.each([
    ['• Working (12s • esc to interrupt)', 'working'],
    ['• Reticulating splines (1m 02s • esc to interrupt)', 'working'],
    ['  Worked for 3m 38s • 23:36', 'idle'],
    ['■ Conversation interrupted - use /feedback', 'idle'],
    ['• An answer, perhaps still growing', 'unknown'],
  ])('Codex: %s', (row, state) => {
    const screen = screenOf([
      '› a prompt',
      '',
      row,
      '',
      `› ${DIM}Ask Codex to do anything${PLAIN}`,
      '',
      '  model',
    ]);
    expect(screenRulesFor('codex').read(screen).state).toBe(state);
  });
});

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

  it('does not take a draft that quotes a menu for a dialog', () => {
    const rows = ['● Done.', '', RULE, '❯ 1. Yes', '  2. No', RULE, '  ? for shortcuts'];
    expect(claude.read(screenOf(rows))).toMatchObject({ dialog: null, composer: { kind: 'draft' } });
  });

  it('prefers the dialog that is open to a box in the text above it', () => {
    const reading = claude.read(screenOf([RULE, '❯ ', RULE, '  ? for shortcuts', ...MENU, ...OPTIONS]));
    expect(reading.state).toBe('waiting');
  });
});

describe('answers', () => {
  it('cuts everything below the answer: spinner, tips, box, HUD', () => {
    const lines = [
      '',
      '● The answer.',
      '',
      '✻ Worked for 3m 38s',
      '',
      RULE,
      '❯ a draft of mine',
      RULE,
      '  ctx 42%',
      '  main ✓',
    ];
    expect(claude.extract(lines, 60)).toEqual({ lines: ['The answer.'], reflowed: false });
  });

  it.each<[string, 'claude' | 'codex' | 'opencode', readonly string[], readonly string[]]>([
    ['a name with parentheses', 'claude', ['● Foo(bar) is what you want.'], ['Foo(bar) is what you want.']],
    [
      'a count of things',
      'claude',
      ['● I did this:', '  Added 3 files', '  Read 2 files'],
      ['I did this:', 'Added 3 files', 'Read 2 files'],
    ],
    ['a paragraph with a count', 'claude', ['● Done.', '', '  Fixed 2 bugs'], ['Done.', '', 'Fixed 2 bugs']],
    [
      'a verb of tools',
      'codex',
      ['• Added a test for it.', '', '  More.'],
      ['Added a test for it.', '', 'More.'],
    ],
    ['a tip below it', 'codex', ['• Done.', '  └ Tip: Press f3.', '', '  Worked for 1s • 23:46'], ['Done.']],
    ['an arrow', 'opencode', ['     → next step', '     ← and back'], ['→ next step', '← and back']],
  ])('does not take the words of an answer for chrome: %s', (_case, cli, lines, expected) => {
    expect(screenRulesFor(cli).extract(lines, 60).lines).toEqual(expected);
  });

  it('leaves out what Codex says about its tools', () => {
    const lines = [
      '• First I look.',
      '',
      '✔ You approved codex to run ls this time',
      '',
      '• Ran ls',
      '  └ (no output)',
      '',
      '• Edited notes.md (+1 -0)',
      '    1 +line',
      '',
      '• Then I answer.',
      '',
      '  Worked for 2s • 23:46',
      '',
      '› next',
    ];
    expect(screenRulesFor('codex').extract(lines, 60).lines).toEqual(['First I look.', '', 'Then I answer.']);
  });

  it('leaves out the blocks of tools between the words of opencode, and stops at its signature', () => {
    const lines = [
      '  ┃',
      '',
      '     First I run it.',
      '',
      '  ┃',
      '  ┃  $ ls',
      '  ┃',
      '',
      '     Then I answer.',
      '',
      '     ▣  Build · mock · 1.7s',
      '',
      '  ┃  next',
    ];
    const { lines: answer } = screenRulesFor('opencode').extract(lines, 60);
    expect(answer).toEqual(['First I run it.', '', 'Then I answer.']);
  });

  it('stops at the next prompt', () => {
    const lines = ['', '● First.', '', '✻ Worked for 1s', '', '❯ next question', '', '● Second.'];
    expect(claude.extract(lines, 60).lines).toEqual(['First.']);
  });

  it('leaves out tool calls and their results', () => {
    const lines = [
      '● First I look.',
      '',
      '● Bash(ls -la)',
      '  ⎿  total 3',
      '     file',
      '     … +12 lines (ctrl+o to expand)',
      '',
      '● Then I answer.',
      '',
      '  With a second paragraph.',
    ];
    expect(claude.extract(lines, 60).lines).toEqual([
      'First I look.',
      '',
      'Then I answer.',
      '',
      'With a second paragraph.',
    ]);
  });

  it.each(['●', '⏺'])('takes the bullet %s off, a blank behind it or not', (bullet) => {
    expect(claude.extract([`${bullet}Great.`, '  More.'], 60).lines).toEqual(['Great.', 'More.']);
  });

  it('is empty while nothing was answered', () => {
    expect(claude.extract(['', '✶ Boogieing…', '', RULE, '❯ ', RULE], 60)).toEqual({
      lines: [],
      reflowed: false,
    });
  });

  it('has no trailing blanks, whatever the padding of the capture', () => {
    const { lines } = claude.extract(['● One.     ', '          ', '  Two.   '], 60);
    expect(lines).toEqual(['One.', '', 'Two.']);
  });

  it('keeps what an unknown program printed, but for a shell that waits behind it', () => {
    const generic = screenRulesFor('generic');
    expect(generic.extract(['', '> quoted', '● kept', '', 'user@host:~/dir$'], 60).lines).toEqual([
      '> quoted',
      '● kept',
    ]);
    expect(generic.extract(['costs 5 $', '100 %', '$'], 60).lines).toEqual(['costs 5 $', '100 %', '$']);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'numbers of ten lines and more',
      [...Array(10).keys()].map((n) => `  ${String(n + 1).padStart(2)} x${n}`),
      [...Array(10).keys()].map((n) => `x${n}`),
    ],
    ['a broken line goes back', ['  1 const a =', '    1;', '  2 b();'], ['const a = 1;', 'b();']],
    ['an empty line in the code', ['  1 a();', '  2', '  3 b();'], ['a();', '', 'b();']],
    ['a list is not code', ['  1. one', '  2. two'], ['1. one', '2. two']],
    ['a lone number is not one either', ['  42 is the answer'], ['42 is the answer']],
  ])('Gemini: line numbers of code go: %s', (_case, shown, expected) => {
    const lines = ['✦ Code:', '', ...shown, '', '  End.'];
    expect(screenRulesFor('gemini').extract(lines, 60).lines).toEqual(['Code:', '', ...expected, '', 'End.']);
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
