import { expect, test } from 'vitest';
import { sideBySide } from './side-by-side.ts';

test('returns results in order, and never runs more than the limit at once', async () => {
  let running = 0;
  let most = 0;
  const done = await sideBySide([5, 1, 4, 2, 3], 2, async (item, position) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await null;
    running -= 1;
    return `${position}:${item}`;
  });
  expect(done).toEqual(['0:5', '1:1', '2:4', '3:2', '4:3']);
  expect(most).toBe(2);
});

test('accepts an empty list', async () => {
  expect(await sideBySide([], 4, async () => 'never')).toEqual([]);
});

test('passes on a thrown error', async () => {
  await expect(
    sideBySide([1], 1, async () => {
      throw new Error('defect');
    }),
  ).rejects.toThrow('defect');
});
