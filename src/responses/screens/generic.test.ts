import { expect, test } from 'vitest';
import { genericScreen } from './generic.ts';

test.each<[string, string[], string[]]>([
  ['an empty input line', ['', 'yes', '', '❯'], ['yes']],
  ['a shell that waits', ['yes', 'dev@host:~/project$'], ['yes']],
  ['an answer that ends in a quote sign', ['> quoted', '>'], ['> quoted', '>']],
  ['an answer about prompts', ['the sign is', '❯ and nothing else'], ['the sign is', '❯ and nothing else']],
  ['nothing yet', ['', '❯', ''], []],
])('%s', (_name, lines, answer) => {
  expect(genericScreen.extract(lines, 80)).toEqual({ lines: answer, reflowed: false });
});
