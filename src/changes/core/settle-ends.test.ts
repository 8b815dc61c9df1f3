import { describe, expect, it } from 'vitest';
import { bytesOf, exactText, normalisedText } from './file-text.ts';
import { settleEnds, unprovenFiles } from './settle-ends.ts';
import { turnChanges } from './turn-changes.ts';
import type { RecordedTurn } from './turn-edits.ts';

const PATH = '/p/a.txt';

function turn(...texts: readonly (readonly [string, string])[]): RecordedTurn {
  const edits = texts.map(([before, after], order) => ({
    path: PATH,
    kind: 'edit' as const,
    before: normalisedText(before),
    after: normalisedText(after),
    order,
    at: null,
    outcome: 'applied' as const,
    source: 'tool' as const,
    by: 'tool' as const,
    lineEnds: 'normalised' as const,
  }));
  return { turnId: 't', edits, commands: [], interrupted: false, rewound: false };
}

const TURNS = [turn(['1\n', '2\n']), turn(['2\n', '3\n'], ['3\n', '4\n'])];
const disk = (text: string) => new Map([[PATH, new TextEncoder().encode(text)]]);

describe('line ends that a record has lost', () => {
  it('are proven, for all turns before it, by a file that is still what the last edit left', () => {
    expect(unprovenFiles(TURNS)).toEqual([PATH]);
    const settled = settleEnds(TURNS, disk('4\n'), true);
    expect(turnChanges(settled.slice(0, 1)).files[0]).toMatchObject({
      exact: true,
      before: exactText('1\n'),
    });
    expect(turnChanges(settled).files[0]).toMatchObject({ exact: true, after: exactText('4\n') });
    expect(unprovenFiles(settled)).toEqual([]);
  });

  it('are not proven by a file that has changed since, or is gone', () => {
    for (const files of [disk('5\n'), new Map<string, Uint8Array>()]) {
      const [file] = turnChanges(settleEnds(TURNS, files, true)).files;
      expect(file?.exact).toBe(false);
    }
  });

  it('of the text before stay open if the file has CRLF, or the program may have removed it', () => {
    for (const [text, keepsCr] of [
      ['4\r\n', true],
      ['4\n', false],
    ] as const) {
      const [file] = turnChanges(settleEnds(TURNS, disk(text), keepsCr)).files;
      expect(file?.exact).toBe(false);
      expect(file?.after === undefined ? null : Buffer.from(bytesOf(file.after)).toString()).toBe(text);
    }
  });

  it('are not proven across a change by somebody else', () => {
    const broken = [turn(['1\n', '2\n'], ['mine\n', '4\n'])];
    expect(turnChanges(settleEnds(broken, disk('4\n'), true)).files[0]?.exact).toBe(false);
  });
});
