import { expect, test } from 'vitest';
import { exponentOf } from '../bench/harness.ts';
import { compareRuns, type KeptRun } from '../bench/results.ts';

const run = (commit: string, ratios: Readonly<Record<string, number>>, dirty = false): KeptRun => ({
  commit,
  dirty,
  machine: 'here',
  at: '2026-01-02T03:04:05Z',
  rows: Object.entries(ratios).map(([key, ratio]) => ({ key, ours: ratio, theirs: 1, ratio })),
});

test('two commits are compared row by row, by the median of their runs; rows 15 % worse are reported first', () => {
  const runs = [
    run('a', { start: 1, key: 2, old: 1 }),
    run('a', { start: 1.1, key: 2 }),
    run('a', { start: 9, key: 9 }, true),
    run('b', { start: 1.2, key: 4, new: 1 }),
    run('a', { start: 1.2, key: 2 }),
  ];
  expect(compareRuns(runs, 'a', 'b')).toEqual([
    '  +100 %  key: 2.00x → 4.00x  WORSE',
    '    +9 %  start: 1.10x → 1.20x',
    '          old: not measured at b',
    '          new: not measured at a',
  ]);
});

test('the exponent distinguishes constant, linear and quadratic cost', () => {
  const at = (cost: (size: number) => number) =>
    exponentOf([100, 1000, 10_000].map((size) => [size, cost(size)] as const));
  expect(at(() => 5)).toBeCloseTo(0);
  expect(at((size) => 3 * size)).toBeCloseTo(1);
  expect(at((size) => size * size)).toBeCloseTo(2);
});
