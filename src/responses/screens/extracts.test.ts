/** Answers that are hard to separate from their surroundings: each row is a report of a real user. */
import { describe, expect, it } from 'vitest';
import { RULE } from '../../../test/helpers/draw-screen.ts';
import { screenRulesFor } from './registry.ts';

const claude = screenRulesFor('claude');

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
      'a verb that tools use',
      'codex',
      ['• Added a test for it.', '', '  More.'],
      ['Added a test for it.', '', 'More.'],
    ],
    ['a tip below it', 'codex', ['• Done.', '  └ Tip: Press f3.', '', '  Worked for 1s • 23:46'], ['Done.']],
    ['an arrow', 'opencode', ['     → next step', '     ← and back'], ['→ next step', '← and back']],
  ])('does not take words of an answer for chrome: %s', (_case, cli, lines, expected) => {
    expect(screenRulesFor(cli).extract(lines, 60).lines).toEqual(expected);
  });

  it('leaves out the reports of Codex about its tools', () => {
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

  it.each([
    ['in order', ['• Queued follow-up inputs', '  ↳ the next one', '    shift+← edit last queued message']],
    [
      'at its next step',
      [
        '• Messages to be submitted after next tool call (press',
        '  esc to send immediately)',
        '  ↳ the next one',
      ],
    ],
  ])('leaves out the prompts that wait in Codex: %s', (_case, queue) => {
    const lines = ['• A paragraph.', '', ...queue, '', '› Ask Codex to do anything'];
    expect(screenRulesFor('codex').extract(lines, 60).lines).toEqual(['A paragraph.']);
    const answer = ['• Queued jobs run in order.', '', '  Each is written down.', '', '› next'];
    expect(screenRulesFor('codex').extract(answer, 60).lines).toEqual([
      'Queued jobs run in order.',
      '',
      'Each is written down.',
    ]);
  });

  it('leaves out the tool blocks between the text of opencode, and stops at its signature', () => {
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

  it.each(['●', '⏺'])('removes the bullet %s, with or without a blank after it', (bullet) => {
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

  it('keeps the output of an unknown program, except a shell prompt after it', () => {
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
    ['a wrapped line is joined', ['  1 const a =', '    1;', '  2 b();'], ['const a = 1;', 'b();']],
    ['an empty line in the code', ['  1 a();', '  2', '  3 b();'], ['a();', '', 'b();']],
    ['a list is not code', ['  1. one', '  2. two'], ['1. one', '2. two']],
    ['a lone number is not one either', ['  42 is the answer'], ['42 is the answer']],
  ])('Gemini: removes line numbers of code: %s', (_case, shown, expected) => {
    const lines = ['✦ Code:', '', ...shown, '', '  End.'];
    expect(screenRulesFor('gemini').extract(lines, 60).lines).toEqual(['Code:', '', ...expected, '', 'End.']);
  });
});
