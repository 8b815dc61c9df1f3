import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuMsOf } from '../../test/helpers/cpu-time.ts';
import { alignSequences, editScript, Interner, longestRising } from './sequence-diff.ts';

const numbers = fc.array(fc.integer({ min: -1, max: 7 }), { maxLength: 40 });

/** Length of a longest common subsequence, by the textbook table. */
function lcsLength(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    b.forEach((y, j) => {
      next.push(x >= 0 && x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    });
    row = next;
  }
  return row[b.length] ?? 0;
}

function expectCommonSubsequence(a: readonly number[], b: readonly number[], partners: Int32Array): void {
  let last = -1;
  partners.forEach((partner, index) => {
    if (partner < 0) return;
    expect(partner).toBeGreaterThan(last);
    expect(a[index]).toBeGreaterThanOrEqual(0);
    expect(b[partner]).toBe(a[index]);
    last = partner;
  });
}

describe('alignSequences', () => {
  it('finds a common subsequence, and a longest one where no element is unique', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const partners = alignSequences(Int32Array.from(a), Int32Array.from(b));
        expectCommonSubsequence(a, b, partners);
        const doubled = (list: readonly number[]) => list.flatMap((element) => [element, element]);
        const [aa, bb] = [doubled(a), doubled(b)];
        const all = alignSequences(Int32Array.from(aa), Int32Array.from(bb));
        expect(all.filter((partner) => partner >= 0)).toHaveLength(lcsLength(aa, bb));
      }),
      { seed: 31, numRuns: 500 },
    );
  });

  it('still returns a common subsequence when its work limit is reached', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 0, max: 60 }), (a, b, maxWork) => {
        expectCommonSubsequence(a, b, alignSequences(Int32Array.from(a), Int32Array.from(b), maxWork));
      }),
      { seed: 32, numRuns: 500 },
    );
  });

  it('keeps everything but the edits of a long edited sequence', () => {
    const a = Int32Array.from({ length: 20_000 }, (_, index) => index % 5000);
    const b = Int32Array.from([...a].filter((_, index) => index % 100 !== 7));
    const partners = alignSequences(a, b);
    expect(partners.filter((partner) => partner >= 0)).toHaveLength(b.length);
  });

  it.each([
    [
      'two symbols at random',
      (index: number) => (index * 7919) % 13 < 6,
      (index: number) => (index * 104_729) % 11 < 5,
    ],
    ['all equal', () => true, () => true],
    ['nothing in common', () => true, () => false],
  ])('is bounded on %s', (_name, left, right) => {
    const a = Int32Array.from({ length: 30_000 }, (_, index) => Number(left(index)));
    const b = Int32Array.from({ length: 30_000 }, (_, index) => Number(right(index)));
    expect(cpuMsOf(() => alignSequences(a, b))).toBeLessThan(1000);
    expectCommonSubsequence([...a], [...b], alignSequences(a, b));
  });
});

describe('editScript', () => {
  it('rebuilds both sides in order', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const partners = alignSequences(Int32Array.from(a), Int32Array.from(b));
        const script = editScript(a.length, b.length, partners);
        const side = (skipped: string, key: 'a' | 'b') =>
          script.filter((edit) => edit.kind !== skipped).map((edit) => edit[key]);
        expect(side('added', 'a')).toEqual(a.map((_, index) => index));
        expect(side('removed', 'b')).toEqual(b.map((_, index) => index));
      }),
      { seed: 33 },
    );
  });
});

describe('longestRising', () => {
  it.each([
    [[], []],
    [
      [3, 1, 2],
      [1, 2],
    ],
    [
      [1, 5, 2, 3, 9, 4],
      [0, 2, 3, 5],
    ],
  ])('%j', (values, expected) => {
    expect(longestRising(values)).toEqual(expected);
  });
});

describe('Interner', () => {
  it('numbers densely', () => {
    const interner = new Interner();
    expect([...interner.idsOf(['a', 'b', 'a', 'constructor'])]).toEqual([0, 1, 0, 2]);
    expect(interner.size).toBe(3);
  });
});
