import { expect, it } from 'vitest';
import { cpuMsOf } from '../../test/helpers/cpu-time.ts';
import { RecentMap } from './recent-map.ts';

it('keeps entries in use, forgets others, and stays within its bound', () => {
  const map = new RecentMap<number, string>(10);
  map.set(0, 'kept');
  map.set(1, 'lost');
  for (let key = 2; key < 100; key += 1) {
    map.set(key, 'x');
    expect(map.get(0)).toBe('kept');
    expect(map.size).toBeLessThanOrEqual(11);
  }
  expect(map.peek(1)).toBeUndefined();
});

it('costs the same however often it forgets', () => {
  const map = new RecentMap<number, number>(100_000);
  const ms = cpuMsOf(() => {
    for (let key = 0; key < 600_000; key += 1) map.set(key, key);
  });
  // A quadratic version takes minutes.
  expect(ms).toBeLessThan(5_000);
});
