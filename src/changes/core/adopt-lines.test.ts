import { expect, it } from 'vitest';
import { KnownLines } from './known-lines.ts';

/** The best of three, in ms. */
function timeOf(count: number): number {
  const yours = Array.from({ length: count }, (_, at) => `line ${at}\n`);
  const times = [1, 2, 3].map(() => {
    const lines = new KnownLines([]);
    const began = performance.now();
    expect(lines.adopt(yours)).toBe(true);
    const time = performance.now() - began;
    expect(lines.before()).toEqual(yours);
    return time;
  });
  return Math.min(...times);
}

it('takes a large new file of yours in a time that grows with its lines, not with their square', () => {
  timeOf(5_000);
  // 16 times the lines: the square would be 256.
  expect(timeOf(64_000) / timeOf(4_000)).toBeLessThan(100);
});
