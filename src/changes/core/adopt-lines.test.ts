import { expect, it } from 'vitest';
import { cpuMsOf } from '../../../test/helpers/cpu-time.ts';
import { KnownLines } from './known-lines.ts';

/** The best of three, in ms of the processor: a file of `count` lines, taken in `times` times. */
function timeOf(count: number, times: number): number {
  const yours = Array.from({ length: count }, (_, at) => `line ${at}\n`);
  const rounds = [1, 2, 3].map(() => {
    const files = Array.from({ length: times }, () => new KnownLines([]));
    const time = cpuMsOf(() => files.forEach((lines) => void lines.adopt(yours)));
    for (const lines of files) expect(lines.before()).toEqual(yours);
    return time;
  });
  return Math.min(...rounds);
}

it('takes a large new file of yours in a time that grows with its lines, not with their square', () => {
  timeOf(5_000, 1);
  // As many lines in one file as in sixteen: the square would be 16. The clock of the processor is coarse.
  expect(timeOf(64_000, 1) / Math.max(10, timeOf(4_000, 16))).toBeLessThan(6);
});
