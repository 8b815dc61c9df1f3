import { expect, it } from 'vitest';
import { fresh } from './fresh.ts';

it('recomputes a result that is too old, or from the future after the clock was set back', () => {
  let now = 1_000;
  let made = 0;
  const get = fresh<number>({ freshMs: 100, maxKeys: 8, now: () => now });
  const at = (time: number) => {
    now = time;
    return get('key', () => ++made);
  };
  expect([at(1_000), at(1_099), at(1_100), at(1_050), at(1_149)]).toEqual([1, 1, 2, 3, 3]);
});

it('drops all results when there is one key too many', () => {
  const get = fresh<object>({ freshMs: 100, maxKeys: 2, now: () => 0 });
  const first = get('a', () => ({}));
  get('b', () => ({}));
  expect(get('a', () => ({}))).toBe(first);
  get('c', () => ({}));
  expect(get('a', () => ({}))).not.toBe(first);
});
