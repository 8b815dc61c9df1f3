import { expect, test } from 'vitest';
import { splitWords } from './words.ts';

test.each([
  ['vim', ['vim']],
  ['code --wait', ['code', '--wait']],
  ['  nvim   -c "set ft=markdown"  ', ['nvim', '-c', 'set ft=markdown']],
  ["emacsclient -a '' -t", ['emacsclient', '-a', '', '-t']],
  ['/opt/my\\ editor/run', ['/opt/my editor/run']],
  ['a"b c"d', ['ab cd']],
  ['"say \\"hi\\""', ['say "hi"']],
  ["'$HOME \\n'", ['$HOME \\n']],
  ['', []],
])('%j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
