/** Filtering a patch by lines of the new text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runAtOnce } from '../../lib/steps.ts';
import { formatFile } from './format-diff.ts';
import { keepLines, type LineRange } from './line-filter.ts';
import { lineTable } from './line-table.ts';
import { parsePatch } from './parse-patch.ts';

const LINES = 60;
const textWith = (edits: ReadonlySet<number>) =>
  Array.from({ length: LINES }, (_, i) => `${edits.has(i) ? 'new' : 'old'} ${i}\n`).join('');

const side = (path: string, text: string) => ({
  path,
  mode: 0o100644,
  table: lineTable(Buffer.from(text)),
  blob: '1'.repeat(40),
});

const patchOf = (path: string, edits: Iterable<number>) =>
  Buffer.from(formatFile(side(path, textWith(new Set())), side(path, textWith(new Set(edits))), 3));

const both = (...patches: Buffer[]) => Buffer.concat(patches);

/** `file first-last` of each remaining hunk, in new lines. */
function hunksOf(patch: Uint8Array): string[] {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value.files.flatMap((file) =>
    file.hunks.map(
      ({ newStart, newCount }) => `${file.newPath} ${newStart}-${(newStart ?? 0) + newCount - 1}`,
    ),
  );
}

function kept(patch: Uint8Array, ...ranges: LineRange[]): string[] {
  const filtered = runAtOnce(keepLines(patch, ranges));
  if (!filtered.ok) throw new Error(filtered.error.message);
  return filtered.value.length === 0 ? [] : hunksOf(filtered.value);
}

const range = (file: string, first: number, last = first): LineRange => ({ file, first, last });
const patch = both(patchOf('a b.ts', [2, 20, 40]), patchOf('c.ts', [10]));

describe('the hunks that remain', () => {
  test.each<[string, LineRange[], string[]]>([
    ['no range: all', [], ['a b.ts 1-6', 'a b.ts 18-24', 'a b.ts 38-44', 'c.ts 8-14']],
    ['one line of one hunk; the other file whole', [range('a b.ts', 21)], ['a b.ts 18-24', 'c.ts 8-14']],
    ['its first line', [range('a b.ts', 18)], ['a b.ts 18-24', 'c.ts 8-14']],
    ['the line before it', [range('a b.ts', 17)], ['c.ts 8-14']],
    ['the line after it', [range('a b.ts', 25)], ['c.ts 8-14']],
    ['over two hunks', [range('a b.ts', 6, 18)], ['a b.ts 1-6', 'a b.ts 18-24', 'c.ts 8-14']],
    [
      'two ranges',
      [range('a b.ts', 1), range('a b.ts', 44, 99)],
      ['a b.ts 1-6', 'a b.ts 38-44', 'c.ts 8-14'],
    ],
    ['nothing of either', [range('a b.ts', 30), range('c.ts', 30)], []],
    ['a missing file', [range('d.ts', 1)], ['a b.ts 1-6', 'a b.ts 18-24', 'a b.ts 38-44', 'c.ts 8-14']],
  ])('%s', (_name, ranges, hunks) => {
    expect(kept(patch, ...ranges)).toEqual(hunks);
  });

  test('are those that one of many ranges touches', () => {
    const line = fc.integer({ min: 1, max: 50 });
    const found = [[1, 6] as const, [18, 24] as const, [38, 44] as const];
    const all = fc.array(fc.record({ first: line, last: line }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(all, (ranges) => {
        const real = ranges.filter(({ first, last }) => first <= last);
        const wanted = found.filter(([from, to]) =>
          real.some(({ first, last }) => first <= to && from <= last),
        );
        const left = kept(
          patchOf('a b.ts', [2, 20, 40]),
          ...ranges.map((one) => ({ file: 'a b.ts', ...one })),
        );
        expect(left).toEqual(wanted.map(([from, to]) => `a b.ts ${from}-${to}`));
      }),
    );
  });

  test('still refuses what cannot be read', () => {
    expect(runAtOnce(keepLines(Buffer.from('no patch\n'), [range('a', 1)])).ok).toBe(
      parsePatch(Buffer.from('no patch\n')).ok,
    );
  });
});

test('keeps exactly the hunks that a range touches, byte for byte', () => {
  const edits = fc.uniqueArray(fc.nat(LINES - 1), { minLength: 1, maxLength: 8 });
  const ranges = fc.array(fc.tuple(fc.integer({ min: 1, max: LINES }), fc.nat(9)), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(edits, ranges, (at, given) => {
      const whole = both(patchOf('x', at), patchOf('y', [5]));
      const wanted = given.map(([first, more]) => range('x', first, first + more));
      const touches = (hunk: string) => {
        const [, name, first, last] = /^(\S+) (\d+)-(\d+)$/.exec(hunk) ?? [];
        return name === 'y' || wanted.some((one) => one.first <= Number(last) && Number(first) <= one.last);
      };
      expect(kept(whole, ...wanted)).toEqual(hunksOf(whole).filter(touches));
    }),
    { seed: 11, numRuns: 300 },
  );
});
