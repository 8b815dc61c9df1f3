/** zsh's history file, in all its real forms. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HistoryFileParser, MAX_ENTRY_BYTES } from './history-file.ts';

/** Writes text as zsh does: some bytes as 0x83 and the byte XOR 0x20. */
function metafy(text: string): Uint8Array {
  const out: number[] = [];
  for (const byte of new TextEncoder().encode(text))
    if (byte >= 0x83 && byte <= 0xa2) out.push(0x83, byte ^ 0x20);
    else out.push(byte);
  return Uint8Array.from(out);
}

const parse = (bytes: Uint8Array) => new HistoryFileParser().push(bytes);
const lines = (text: string) => parse(metafy(text)).map(({ line }) => line);

describe('HistoryFileParser', () => {
  it.each([
    ['plain', 'ls\ngit status\n', ['ls', 'git status']],
    ['extended', ': 1700000000:0;ls\n: 1700000001:12;make -j2\n', ['ls', 'make -j2']],
    ['both', 'old\n: 1700000000:0;new\n', ['old', 'new']],
    [
      'several lines',
      ': 1:0;for i in 1 2; do\\\n  echo $i\\\ndone\nls\n',
      ['for i in 1 2; do\n  echo $i\ndone', 'ls'],
    ],
    ['a semicolon in the command', ': 1:0;cd /; ls\n', ['cd /; ls']],
    ['letters of several bytes', 'echo 世界 é ţ\n', ['echo 世界 é ţ']],
    ['a colon without a stamp', '\\: > file\n\\:\n: 1:0;\\: x\n', [': > file', ':', '\\: x']],
    [
      'trailing blanks, one of them escaped',
      'ls  \ncd a\\ b\\ \ncd a\\  \necho \\\\ \n',
      ['ls', 'cd a\\ b\\ ', 'cd a\\ ', 'echo \\\\'],
    ],
    ['empty lines', '\n\nls\n\n', ['ls']],
    ['control characters are left out', 'echo \u001b[31m\nls\n', ['ls']],
    ['no last newline: the entry is not finished', 'ls\nhalf', ['ls']],
  ])('%s', (_name, text, expected) => {
    expect(lines(text)).toEqual(expected);
  });

  it('keeps the time', () => {
    expect(parse(metafy(': 1700000000:5;ls\n'))).toEqual([{ line: 'ls', at: 1_700_000_000 }]);
  });

  it('reads the same however the file is split', () => {
    const text = ': 1:0;echo 世界\n: 2:0;for x; do\\\necho\\\ndone\nls -l\n';
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 20 }), (cuts) => {
        const all = metafy(text);
        const parser = new HistoryFileParser();
        const found: string[] = [];
        let from = 0;
        for (const cut of [...cuts, all.length]) {
          found.push(...parser.push(all.subarray(from, from + cut)).map(({ line }) => line));
          from += cut;
        }
        expect(found).toEqual(lines(text));
      }),
      { seed: 3 },
    );
  });

  it('reads an entry at the limit, leaves out a longer one, and continues', () => {
    const fits = 'x'.repeat(MAX_ENTRY_BYTES);
    expect(lines(`${fits}\n${fits}y\nls\n`)).toEqual([fits, 'ls']);
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        for (const { line } of parse(bytes)) expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f]/);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
