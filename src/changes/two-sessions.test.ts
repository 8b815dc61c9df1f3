/** Two AIs working in one working tree at once: each turn has the changes of its own AI, and none of the other. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TurnWorld } from '../../test/helpers/turn-world.ts';

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');

let world: TurnWorld;
beforeEach(async () => {
  world = new TurnWorld({ 'one.txt': TEN, 'two.txt': TEN, 'both.txt': TEN, 'made.txt': TEN });
  await world.look();
});
afterEach(() => world.close());

it('separates what two AIs change in turn, in separate files and in one file', async () => {
  const [one, two] = [world.session('one'), world.session('two')];
  await one.begin();
  one.edit('one.txt', 2, 'by one');
  await two.begin();
  two.edit('two.txt', 2, 'by two');
  one.edit('both.txt', 2, 'by one');
  await one.look();
  two.edit('both.txt', 9, 'by two');
  await two.end();
  one.edit('one.txt', 9, 'by one, later');
  await one.end();
  expect(await one.told()).toEqual([
    'both.txt: tool -line 2 +by one',
    'one.txt: tool -line 2 +by one -line 9 +by one, later',
  ]);
  expect(await two.told()).toEqual(['both.txt: tool -line 9 +by two', 'two.txt: tool -line 2 +by two']);
});

it('does not attribute the edits of one to a command of the other', async () => {
  const [one, two] = [world.session('one'), world.session('two')];
  await one.begin();
  await two.begin();
  one.run(() => {
    two.edit('two.txt', 2, 'by two');
    world.put('made.txt', TEN.replace('line 5', 'by a command'));
  });
  await two.end();
  await one.end();
  expect(await one.told()).toEqual(['made.txt: command -line 5 +by a command']);
  expect(await two.told()).toContain('two.txt: tool -line 2 +by two');
});
