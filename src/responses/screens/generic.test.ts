import { describe, expect, test } from 'vitest';
import { screenOf } from '../../../test/helpers/draw-screen.ts';
import { linesAfterPrompt, type Recording, readRecordings } from '../../../test/helpers/screen-recordings.ts';
import { claudeScreen } from './claude.ts';
import { genericScreen } from './generic.ts';
import { screenRulesFor } from './registry.ts';
import { trimmedRows } from './shared.ts';

test.each<[string, string[], string[]]>([
  ['an empty input line', ['', 'yes', '', '❯'], ['yes']],
  ['a waiting shell', ['yes', 'dev@host:~/project$'], ['yes']],
  ['an answer that ends in a quote sign', ['> quoted', '>'], ['> quoted', '>']],
  ['an answer about prompts', ['the sign is', '❯ and nothing else'], ['the sign is', '❯ and nothing else']],
  ['nothing yet', ['', '❯', ''], []],
])('%s', (_name, lines, answer) => {
  expect(genericScreen.extract(lines, 80)).toEqual({ lines: answer, reflowed: false });
});

describe('an AI CLI that is only visible, through another tmux', () => {
  const STATUS = '[0] 0:ssh* 1:zsh                    "host" 18:15 29-Nov-26';
  const seen = ({ screen }: Recording) => ({
    ...screen,
    rows: [...trimmedRows(screen), { text: STATUS, dim: [] }],
  });
  const known = readRecordings().filter(({ facts }) => !['pi', 'aider'].includes(facts.cli));

  test.each(known.map((each) => [each.label, each] as const))('has the same dialogs: %s', (_label, each) => {
    const { choice } = screenRulesFor(each.facts.cli).read(each.screen);
    const isAsked = choice?.pointed != null && choice.options.length > 1;
    expect(genericScreen.read(seen(each)).dialog !== null).toBe(isAsked);
  });

  test.each(
    known
      .filter(({ facts }) => facts.cli === 'claude' && facts.case === 'draft')
      .map((each) => [each.label, each] as const),
  )('is Claude Code by its input box, with text that a user typed: %s', (_label, each) => {
    expect(genericScreen.read(seen(each)).composer).toMatchObject({ kind: 'draft' });
  });

  test.each(
    known
      .filter(({ facts }) => facts.cli === 'claude' && facts.case === 'answer-code')
      .map((each) => [each.label, each] as const),
  )('answers without what Claude Code draws around it: %s', (_label, each) => {
    const lines = [...linesAfterPrompt(each), STATUS];
    expect(genericScreen.extract(lines, each.facts.columns)).toEqual(
      claudeScreen.extract(lines, each.facts.columns),
    );
  });

  const LISTS = [
    ['Choose:', '', '❯ 1. Yes', '  2. No', '', 'Press enter to confirm your order.', ''],
    ['Choose:', '', '❯ 1. Yes', '  2. No'],
    ['Here is how:', '', '→ 1. Open the file', '  2. Close it', ''],
    ['Pick one:', '● 1. Red', '  2. Blue', ''],
  ];
  test.each([
    '>',
    '>>> Send a message (/? for help)',
    '>>>',
    'You: ',
    'aichat> ',
    'dev@host:~$',
    'dev@host:~/a$ cat b',
    '[dev@host a]#',
  ])('shows no dialog if a list with a pointer is part of an answer, above %s', (input) => {
    for (const list of LISTS) expect(genericScreen.read(screenOf([...list, input])).dialog).toBeNull();
  });
});
