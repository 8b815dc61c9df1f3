import { expect, test } from 'vitest';
import { fail, ok } from './result.ts';
import { sideBySide } from './side-by-side.ts';

test('results in order, never more than the limit at once', async () => {
  let running = 0;
  let most = 0;
  const done = await sideBySide([5, 1, 4, 2, 3], 2, async (item, position) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await null;
    running -= 1;
    return ok(`${position}:${item}`);
  });
  expect(done).toEqual({ ok: true, value: ['0:5', '1:1', '2:4', '3:2', '4:3'] });
  expect(most).toBe(2);
});

test('the first failure, and nothing is begun after it', async () => {
  const begun: number[] = [];
  const done = await sideBySide([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await null;
    return item === 2 ? fail('refused', 'two') : ok(item);
  });
  expect(done).toMatchObject({ ok: false, error: { message: 'two' } });
  expect(begun).not.toContain(6);
});

test('nothing to do', async () => {
  expect(await sideBySide([], 4, async () => fail('refused', 'never'))).toEqual({ ok: true, value: [] });
});

test('a defect comes through', async () => {
  await expect(
    sideBySide([1], 1, async () => {
      throw new Error('defect');
    }),
  ).rejects.toThrow('defect');
});
