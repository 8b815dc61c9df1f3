import { expect, it } from 'vitest';
import type { TranscriptReader } from './port.ts';
import { FIND_TTL_MS, rememberFind } from './registry.ts';

it('searches again for another place, after a while, and if the clock went backwards', async () => {
  let time = 1_000;
  let looks = 0;
  const reader: TranscriptReader = {
    cli: 'pi',
    find: async () => {
      looks += 1;
      return [];
    },
    open: () => expect.unreachable('nothing is opened'),
  };
  const remembered = rememberFind(reader, () => time);
  const ask = async (cwd: string) => {
    await remembered.find({ cwd, pid: null, env: {} });
    return looks;
  };
  expect(await ask('/a')).toBe(1);
  expect(await ask('/a')).toBe(1);
  expect(await ask('/b')).toBe(2);
  time += FIND_TTL_MS - 1;
  expect(await ask('/a')).toBe(2);
  time += 1;
  expect(await ask('/a')).toBe(3);
  time -= 10_000;
  expect(await ask('/a')).toBe(4);
  for (let place = 0; place < 100; place += 1) await ask(`/many/${place}`);
  expect(await ask('/a')).toBe(105);
});
