/**
 * Menus that are hard to read: each is a report of a real user, or was drawn by the real program. Those of one client
 * are in the file of that client.
 */
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

describe('an open menu', () => {
  const MENU = [RULE, ' Bash command', '', '   rm -rf build', '', ' Do you want to proceed?'];
  const OPTIONS = [' ❯ 1. Yes', '   2. No', '', ' Esc to cancel · Tab to amend'];

  it('is waiting for an answer: nothing may be typed into it', () => {
    const reading = claude.read(screenOf(['● I will clean up.', '', ...MENU, ...OPTIONS]));
    expect(reading).toMatchObject({
      composer: { kind: 'absent' },
      state: 'waiting',
      dialog: 'Bash command\n\n  rm -rf build\n\nDo you want to proceed?\n❯ 1. Yes\n  2. No',
      vimNormal: false,
      queued: false,
    });
  });

  it('is read in the frame of older versions', () => {
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

  it.each([1, 2, 3])('is found wherever the pointer is: option %i', (pointed) => {
    const options = [1, 2, 3].map((n) => ` ${n === pointed ? '❯' : ' '} ${n}. Option ${n}`);
    const reading = claude.read(screenOf([...MENU, ...options, '', ' Esc to cancel']));
    expect(reading.dialog).toContain('Do you want to proceed?');
    expect(reading.dialog).toContain('Option 1');
    expect(reading.dialog).toContain('Option 3');
  });

  it('is not an answered one further up in the conversation', () => {
    const reading = claude.read(
      claudeScreen([...MENU, ...OPTIONS, '', '● Done.', '', '✻ Worked for 2s'], '❯ '),
    );
    expect(reading).toMatchObject({ state: 'idle', dialog: null, composer: { kind: 'empty' } });
  });

  it('is not a numbered list in an answer', () => {
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
  ] as const)('is not a draft that looks like one: %s', (cli, rows, cursorRow) => {
    const reading = screenRulesFor(cli).read(screenOf(rows, { cursorRow }));
    expect(reading).toMatchObject({ dialog: null, composer: { kind: 'draft' } });
  });

  it.each([
    ['about trust, with a hidden cursor', TRUST, null],
    ['with its keys right below, the cursor in an answer', TRUST.filter((text) => text !== ''), 2],
    ['with its keys below a blank row, the cursor in an answer', TRUST, 4],
    ['with a field for text in an answer', CODEX_NOTES, 5],
    ['with the field for its notes open', CODEX_NOTED(['  › Add notes']), 7],
    ['with its keys below a list, with a hidden cursor', CODEX_NOTES, null],
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
    ['without keys, with a hidden cursor', ['  Which one?', '', '› 1. Yes', '  2. No', ''], null],
  ] as const)('codex: does not take a dialog %s for a draft', (_what, rows, cursorRow) => {
    const reading = screenRulesFor('codex').read(screenOf(rows, { cursorRow }));
    expect(reading).toMatchObject({ state: 'waiting', composer: { kind: 'absent' } });
    expect(reading.choice?.options.length).toBeGreaterThan(1);
  });

  it.each([
    ['is a list', ['  › 1. foo', '    2. bar']],
    ['continues the list', ['  › 3. foo']],
    ['looks like an answer', ['  › 2. foo']],
  ])('of Codex keeps its answers where the typed note %s', (_what, notes) => {
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

  it('is preferred to a box in the text above it', () => {
    const reading = claude.read(screenOf([RULE, '❯ ', RULE, '  ? for shortcuts', ...MENU, ...OPTIONS]));
    expect(reading.state).toBe('waiting');
  });
});
