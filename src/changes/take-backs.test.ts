/** What a reviewer takes back is no work of the AI, whatever it did meanwhile, and none that it must answer for. */
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { TurnWorld } from '../../test/helpers/turn-world.ts';
import { commands } from '../protocol/command.ts';

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');

let world: TurnWorld;
beforeEach(async () => {
  world = new TurnWorld({ 'a.txt': TEN, 'b.txt': TEN });
  await world.look();
});
afterEach(() => world.close());

async function review(session: ReturnType<TurnWorld['session']>, turn: number) {
  const id = session.turns[turn] ?? '';
  const source = { kind: 'turn', session: session.ref, from: id, to: id } as const;
  const opened = await world.reviews.publish(
    commands['review/publish'].params.parse({ target: world.project, source }),
  );
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

async function takeBack(session: ReturnType<TurnWorld['session']>, turn: number) {
  const { id, hunks } = await review(session, turn);
  const hunk = { suggestion: id, hunk: hunks[0]?.id ?? '' };
  const done = await world.reviews.decisions.decide(
    commands['review/decide'].params.parse({ ...hunk, action: 'reject' }),
  );
  if (!done.ok) throw new Error(done.error.message);
  return { ...hunk, notes: done.value.notes };
}

it.each([
  ['that nobody has staged says nothing of the index', [], []],
  [
    'whose deletion is staged names it',
    ['add new.txt', 'commit -qm new', 'rm -q --cached new.txt'],
    ['Still staged: new.txt: what is staged differs where the hunk is.'],
  ],
] as const)('of a file %s', async (_, staged, notes) => {
  world.put('new.txt', TEN);
  for (const words of staged) git(world.project, ...words.split(' '));
  await world.look();
  const one = world.session('one');
  await one.begin();
  one.edit('new.txt', 2, 'by the tool');
  await one.end();
  expect((await takeBack(one, 0)).notes).toEqual(notes);
  expect(world.held('new.txt')).toBe(TEN);
});

it('takes no part in a turn that runs a command meanwhile', async () => {
  const one = world.session('one');
  await one.begin();
  one.edit('a.txt', 2, 'by the tool');
  await one.end();
  await one.begin();
  await one.runs(async () => {
    await takeBack(one, 0);
    world.put('b.txt', TEN.replace('line 5', 'by a command'));
  });
  await one.end();
  expect(await one.told()).toEqual(['b.txt: command -line 5 +by a command']);
  expect(world.held('a.txt')).toBe(TEN);
});

it('is the tool’s again when it is undone, and is not told while it stands', async () => {
  const one = world.session('one');
  await one.begin();
  one.edit('a.txt', 2, 'by the tool');
  await one.look();
  const hunk = await takeBack(one, 0);
  await one.look();
  expect(await one.told()).toEqual([]);
  expect((await world.reviews.decisions.step(hunk.suggestion, [hunk.hunk], 'undo')).ok).toBe(true);
  expect(await one.told()).toEqual(['a.txt: tool -line 2 +by the tool']);
  await one.runs(async () => world.put('a.txt', world.held('a.txt').replace('line 9', 'by a command')));
  await one.end();
  expect(await one.told()).toEqual([
    'a.txt: tool -line 2 +by the tool',
    'a.txt: command -line 9 +by a command',
  ]);
});

it('reaches into a repository inside', async () => {
  world.put('sub/c.txt', TEN);
  git(path.join(world.project, 'sub'), 'init', '-q');
  await world.look();
  const one = world.session('one');
  await one.begin();
  await one.runs(() => world.put('sub/c.txt', TEN.replace('line 5', 'by a command')));
  await one.end();
  expect(await one.told()).toEqual(['sub/c.txt: command -line 5 +by a command']);
  await takeBack(one, 0);
  expect(world.held('sub/c.txt')).toBe(TEN);
});

it('is nothing of a folder that nobody follows', async () => {
  expect(await world.service.wrote('/nowhere', [])).toEqual({ ok: true, value: null });
});
