/** Changes that a reviewer takes back do not count as the AI's work, whatever it did meanwhile. */
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { TurnWorld } from '../../test/helpers/turn-world.ts';
import { commands } from '../protocol/command.ts';
import type { Suggestion } from '../protocol/review.ts';

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');

let world: TurnWorld;
beforeEach(async () => {
  world = new TurnWorld({ 'a.txt': TEN, 'b.txt': TEN });
  await world.look();
});
afterEach(() => world.close());

async function takeBack(session: ReturnType<TurnWorld['session']>, turn: number) {
  const { id, hunks } = await world.review(session, turn);
  const hunk = { suggestion: id, hunk: hunks[0]?.id ?? '' };
  const done = await world.decide({ ...hunk, action: 'reject' });
  if (!done.ok) throw new Error(done.error.message);
  return { ...hunk, notes: done.value.notes };
}

/** File and note of each hunk, with its marks. */
const marked = ({ hunks }: Pick<Suggestion, 'hunks'>) =>
  hunks.map(({ file, note, warnings }) => [file, note, ...warnings.map(({ kind }) => kind)]);

it.each([
  ['that nobody has staged does not mention the index', [], []],
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

it('is ignored in a turn that runs a command meanwhile', async () => {
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

it('is reported as the tool’s all the time, as it is when the turn is over', async () => {
  const one = world.session('one');
  await one.begin();
  one.edit('a.txt', 2, 'by the tool');
  await one.look();
  const hunk = await takeBack(one, 0);
  await one.look();
  expect(await one.told()).toEqual(['a.txt: tool -line 2 +by the tool']);
  expect((await world.reviews.decisions.step(hunk.suggestion, [hunk.hunk], 'undo')).ok).toBe(true);
  expect(await one.told()).toEqual(['a.txt: tool -line 2 +by the tool']);
  await one.runs(async () => world.put('a.txt', world.held('a.txt').replace('line 9', 'by a command')));
  await one.end();
  expect(await one.told()).toEqual([
    'a.txt: tool -line 2 +by the tool',
    'a.txt: command -line 9 +by a command',
  ]);
});

it.each(['while it goes on', 'after its end'])(
  'taken back %s, it is in the figures of its answer and of all answers',
  async (when) => {
    const one = world.session('one');
    await one.begin();
    one.edit('a.txt', 1, 'by the tool');
    one.edit('a.txt', 10, 'by the tool, too');
    await one.look();
    if (when === 'while it goes on') await takeBack(one, 0);
    await one.end();
    if (when === 'after its end') await takeBack(one, 0);
    expect(world.held('a.txt')).toBe(TEN.replace('line 10', 'by the tool, too'));
    await one.begin();
    one.edit('b.txt', 5, 'by the tool');
    await one.end();
    const listed = await world.service.list({ session: one.ref, turns: 30 });
    expect(listed.ok && listed.value.turns).toMatchObject([
      { files: 1, added: 2, removed: 2 },
      { files: 1, added: 1, removed: 1 },
    ]);
    const all = await world.service.turns.range(one.ref, { from: null, to: null });
    expect(all.ok && all.value.changes).toMatchObject({ added: 3, removed: 3, files: [{}, {}] });
    const opened = await publish({ kind: 'turn', session: one.ref, from: null, to: null });
    expect(statuses(opened)).toEqual(['a.txt rejected', 'a.txt pending', 'b.txt pending']);
  },
);

const publish = async (source: object, left: Suggestion | null = null, author: string | null = null) => {
  const wanted = { target: world.project, source, scopeOf: left?.id ?? null, author };
  const opened = await world.reviews.publish(commands['review/publish'].params.parse(wanted));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
};

const SINCE = { kind: 'working_tree', against: 'head' };

const statuses = ({ hunks }: Suggestion) => hunks.map(({ file, status }) => `${file} ${status}`);

const decideOn = ({ id, hunks }: Suggestion, file: string, action: string) =>
  world.decide({ suggestion: id, hunk: hunks.find((hunk) => hunk.file === file)?.id ?? '', action });

const openReviews = async () => {
  const listed = await world.reviews.list(commands['review/list'].params.parse({}));
  return listed.ok ? listed.value.map(({ id }) => id) : listed;
};

it('is also decided in the review of all changes since the last commit, and vice versa', async () => {
  const one = world.session('one');
  await one.begin();
  for (const name of ['a.txt', 'b.txt']) one.edit(name, 2, 'by the tool');
  world.put('c.txt', TEN);
  await one.end();
  const id = one.turns[0] ?? '';
  const ofTurn = (left: Suggestion | null) =>
    publish({ kind: 'turn', session: one.ref, from: id, to: id }, left);
  const turn = await ofTurn(null);
  await decideOn(turn, 'a.txt', 'accept');
  const all = await publish(SINCE, turn);
  expect(statuses(all)).toEqual(['a.txt accepted', 'b.txt pending', 'c.txt pending']);
  await decideOn(all, 'a.txt', 'reject');
  await decideOn(all, 'b.txt', 'accept');
  const again = await ofTurn(all);
  expect(statuses(again).slice(0, 2)).toEqual(['a.txt rejected', 'b.txt accepted']);
  expect((await world.reviews.decisions.step(again.id, [again.hunks[0]?.id ?? ''], 'undo')).ok).toBe(true);
  expect(statuses(await publish(SINCE, again))).toEqual([
    'a.txt accepted',
    'b.txt accepted',
    'c.txt pending',
  ]);
  // A new one that does not continue from another exists beside it.
  await ofTurn(null);
  expect(await openReviews()).toHaveLength(2);
});

it.each(['turn', 'working_tree'])('keeps decisions if a review of the %s is also open', async (kind) => {
  const one = world.session('one');
  await one.begin();
  for (const name of ['a.txt', 'b.txt']) one.edit(name, 2, 'by the tool');
  await one.end();
  const answer = { kind: 'turn', session: one.ref, from: one.turns[0] ?? '', to: one.turns[0] ?? '' };
  const [to, from] = kind === 'turn' ? [answer, SINCE] : [SINCE, answer];
  const before = await publish(to);
  const left = kind === 'turn' ? await publish(from, await publish(answer)) : await publish(from);
  if (kind === 'turn') await publish(to);
  await decideOn(left, 'a.txt', 'accept');
  const shown = await publish(to, left);
  expect(statuses(shown)).toEqual(['a.txt accepted', 'b.txt pending']);
  expect(await openReviews()).toEqual([shown.id]);
  expect(before.id).not.toBe(left.id);
});

it('ends no suggestion of another author named as the previous review', async () => {
  const text = '--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n line 1\n-line 2\n+patched\n';
  const patch = Buffer.from(text).toString('base64');
  const theirs = await publish({ kind: 'patch', patch }, null, 'someone');
  world.put('a.txt', TEN.replace('line 3', 'mine'));
  const own = await publish(SINCE, theirs);
  expect(await openReviews()).toEqual([own.id, theirs.id]);
});

it('is not part of the next answer, which changed nothing', async () => {
  const one = world.session('one');
  await one.begin();
  one.edit('a.txt', 2, 'by the tool');
  await one.end();
  await takeBack(one, 0);
  await one.begin();
  await one.end();
  await expect(world.review(one)).rejects.toThrow('This answer changed no files');
});

it('includes a nested repository', async () => {
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

it('takes back nothing that may be yours, unless requested', async () => {
  const one = world.session('one');
  await one.begin();
  one.edit('a.txt', 2, 'by the tool');
  // So shortly after the edit, a hook may also have made it.
  world.put('a.txt', world.held('a.txt').replace('line 10', 'line 10\nby me'));
  world.put('b.txt', TEN.replace('line 5', 'by me'));
  await one.end();
  const { id, hunks } = await world.review(one, 0);
  expect(marked({ hunks })).toEqual([
    ['a.txt', null],
    ['a.txt', null, 'unsure'],
    ['b.txt', null, 'unsure'],
  ]);
  const decide = (more: object) => world.decide({ suggestion: id, hunk: 'all', action: 'reject', ...more });
  expect(await decide({})).toMatchObject({
    ok: false,
    error: { message: 'Changes of a.txt and b.txt may be yours. Nothing was rejected.' },
  });
  expect(world.held('a.txt')).toContain('by the tool');
  await decide({ hunk: hunks[0]?.id });
  await decide({ hunk: hunks[1]?.id, action: 'accept' });
  expect(await decide({ file: 'a.txt' })).toMatchObject({ ok: true });
  expect(world.held('a.txt')).toBe(TEN.replace('line 10', 'line 10\nby me'));
  expect(await decide({ hunk: 'every', rejectUnsure: true })).toMatchObject({ ok: true });
  expect([world.held('a.txt'), world.held('b.txt')]).toEqual([TEN, TEN]);
  // All of it is rejected: nothing is left to review.
  expect(await decide({ hunk: 'every' })).toMatchObject({ ok: true });
  await decide({ hunk: hunks[2]?.id, action: 'accept' });
  expect(await decide({ hunk: 'every' })).toMatchObject({
    ok: false,
    error: { message: 'Changes of b.txt may be yours. Nothing was rejected.' },
  });
});

it('keeps uncertain changes uncertain, however the taken-back lines have moved them', async () => {
  const one = world.session('one');
  await one.begin();
  await one.runs(() => world.put('a.txt', `${'by a command\n'.repeat(20)}${TEN}`));
  await one.look();
  world.put('a.txt', `${world.held('a.txt')}by me\n`);
  await one.runs(() => world.put('b.txt', TEN.replace('line 5', 'by a command')));
  const { id, hunks } = await world.review(one, 0);
  expect((await world.decide({ suggestion: id, hunk: hunks[0]?.id, action: 'reject' })).ok).toBe(true);
  world.put('b.txt', world.held('b.txt').replace('line 9', 'nine'));
  await one.end();
  const again = await world.review(one, 0);
  expect(marked(again)).toEqual([
    ['a.txt', 'by a command'],
    ['a.txt', null, 'unsure'],
    ['b.txt', null, 'unsure'],
  ]);
});

it('does not affect a folder that nobody follows', async () => {
  expect(await world.service.wrote('/nowhere', [])).toEqual({ ok: true, value: null });
});

it('names the review that replaced another, if it is of the same turns', async () => {
  const one = world.session('one');
  for (const line of [2, 5]) {
    await one.begin();
    one.edit('a.txt', line, 'by the tool');
    await one.end();
  }
  const [first, other] = [await world.review(one, 0), await world.review(one, 1)];
  const decide = () => world.decide({ suggestion: first.id, hunk: 'all', action: 'reject' });
  expect(other.id).not.toBe(first.id);
  const refused = await decide();
  expect(refused).toMatchObject({ ok: false, error: { code: 'refused' } });
  expect(refused).not.toHaveProperty('error.hint');
  const again = await world.review(one, 0);
  expect(await decide()).toMatchObject({
    ok: false,
    error: { hint: `A newer review took its place: ${again.id}` },
  });
});
