import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TurnWorld } from '../../test/helpers/turn-world.ts';

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');

let world: TurnWorld;
beforeEach(async () => {
  world = new TurnWorld({ 'a.txt': TEN });
  await world.look();
});
afterEach(() => world.close());

it('counts a finished turn once, and a running one each time', async () => {
  const one = world.session('one');
  const figures = async () => {
    const listed = await world.service.list({ session: one.ref, turns: 30 });
    return listed.ok ? listed.value.turns.map(({ added, gap }) => [added, gap]) : listed.error;
  };
  await one.begin();
  one.edit('a.txt', 2, 'first');
  await one.end();
  expect(await figures()).toEqual([[1, null]]);
  // Without the texts nothing can be counted again.
  const blobs = path.join(world.stateDir, 'blobs');
  for (const name of readdirSync(blobs)) rmSync(path.join(blobs, name), { recursive: true });
  await one.begin();
  one.edit('a.txt', 4, 'second');
  await one.look();
  expect(await figures()).toEqual([
    [1, null],
    [1, null],
  ]);
  one.edit('a.txt', 6, 'third');
  await one.look();
  expect(await figures()).toEqual([
    [1, null],
    [2, null],
  ]);
});
