import { describe, expect, it } from 'vitest';
import { formatArgv, formatCommandLine, quoteWord } from './command-line.ts';

describe('tmux words', () => {
  it.each([
    ['%1', '%1'],
    ['', "''"],
    ['a b', "'a b'"],
    [';', "';'"],
    ['#{x}', "'#{x}'"],
    ["it's", `'it'"'"'s'`],
    ['~', "'~'"],
    ['$HOME', "'$HOME'"],
  ])('%j is quoted as %j', (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted);
  });

  it('a line end is a defect', () => {
    expect(() => quoteWord('a\nb')).toThrow();
  });

  it('commands in sequence', () => {
    const commands = [
      ['send-keys', '-l', 'a;'],
      ['list-panes', '-a'],
    ];
    expect(formatCommandLine(commands)).toBe("send-keys -l 'a;' ; list-panes -a");
    expect(formatArgv(commands)).toEqual(['send-keys', '-l', 'a\\;', ';', 'list-panes', '-a']);
  });
});
