import fc from 'fast-check';
import { expect, it } from 'vitest';
import { likeliest } from './likeliest.ts';

it('picks the same rows as sorting all of them', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 0, max: 5 })), {
        selector: ([text]) => text,
      }),
      fc.integer({ min: 0, max: 8 }),
      (scores, count) => {
        const sorted = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, count);
        expect(likeliest(scores, count)).toEqual(sorted.map(([text, score]) => ({ text, score })));
      },
    ),
    { seed: 11 },
  );
});
