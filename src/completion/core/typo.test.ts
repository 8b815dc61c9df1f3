import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corrections, slipDistance } from './typo.ts';

describe('typo', () => {
  it.each([
    ['gti', 'git', 1],
    ['git', 'git', 0],
    ['gut', 'git', 1],
    ['dcoker', 'docker', 1],
    ['kubeclt', 'kubectl', 1],
    ['abc', 'xyz', 3],
  ])('%s → %s is at most %i slips', (a, b, slips) => {
    expect(slipDistance(a, b, 3)).toBeLessThanOrEqual(slips);
    expect(slipDistance(a, b, 3)).toBe(slipDistance(b, a, 3));
  });

  it('prefers frequently used words', () => {
    const known = [
      { word: 'git', uses: 50 },
      { word: 'gtk', uses: 0 },
      { word: 'gtf', uses: 0 },
    ];
    expect(corrections('gti', known, 3)[0]?.word).toBe('git');
  });

  it('offers every word that is close enough as a correction', () => {
    const word = fc.string({ minLength: 3, maxLength: 7, unit: fc.constantFrom(...'abqwé') });
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 20 }), (typed, names) => {
        const limit = typed.length <= 4 ? 1 : 2;
        const near = names.filter((name) => name !== typed && slipDistance(typed, name, limit) <= limit);
        const known = names.map((name) => ({ word: name, uses: 1 }));
        expect(
          corrections(typed, known, 50)
            .map((one) => one.word)
            .sort(),
        ).toEqual(near.sort());
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('corrects a word of two letters only if they are swapped', () => {
    expect(corrections('lq', [{ word: 'ls', uses: 9 }], 3)).toEqual([]);
    expect(corrections('sl', [{ word: 'ls', uses: 9 }], 3)).toHaveLength(1);
  });
});
