import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testHunk } from '../../../test/helpers/review-fakes.ts';
import type { HunkStatus } from '../kit/tally.ts';
import { createTally } from './state.ts';

const STATUSES: readonly HunkStatus[] = [
  'pending',
  'conflict',
  'accepted',
  'rejected',
  'modified',
  'already_applied',
];

it('counts expected statuses instead of the current ones', () => {
  const tally = createTally();
  const status = fc.constantFrom(...STATUSES);
  fc.assert(
    fc.property(fc.array(fc.tuple(status, fc.option(status))), (cases) => {
      const hunks = cases.map(([before], i) => testHunk(`h${i}`, { status: before }));
      const expected = Object.fromEntries(
        cases.flatMap(([, after], i) => (after === null ? [] : [[`h${i}`, after] as const])),
      );
      const become = cases.map(([before, after]) => after ?? before);
      const number = (...some: HunkStatus[]) => become.filter((one) => some.includes(one)).length;
      const wanted = {
        accepted: number('accepted', 'modified', 'already_applied'),
        rejected: number('rejected'),
        open: number('pending'),
        conflict: number('conflict'),
      };
      expect(tally({ expected: { ...expected, elsewhere: 'accepted' } }, hunks)).toEqual(wanted);
      expect(tally({ expected }, hunks)).toEqual(wanted);
    }),
    { seed: 7 },
  );
});
