/** Commands of an AI with far-reaching effects on a working tree, each compared with the real effects on its files. */
import { chmodSync, mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { type PlayedSession, TurnWorld } from '../../test/helpers/turn-world.ts';

let world: TurnWorld;
afterEach(() => world.close());

const at = (name: string) => path.join(world.project, name);
const asUser = (...args: string[]) =>
  git(world.project, '-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args);
const run = (act: () => unknown) => (session: PlayedSession) => session.run(act);

/** `mine.txt` has an uncommitted line; the branch `other` has another `b.txt`, from before `a.txt`. */
function begin(): TurnWorld {
  world = new TurnWorld({
    'a.txt': 'one\ntwo\n',
    'b.txt': 'three\n',
    'mine.txt': 'm\n',
    '.gitignore': 'out\n',
  });
  git(world.project, 'branch', '-M', 'main');
  asUser('checkout', '-q', '-b', 'other');
  world.put('b.txt', 'other\n');
  asUser('commit', '-qam', 'other');
  asUser('checkout', '-q', 'main');
  world.put('a.txt', 'one\nTWO\n');
  asUser('commit', '-qam', 'main');
  return world;
}

it.each<readonly [name: string, act: (session: PlayedSession) => void, told: readonly string[]]>([
  ['a branch', run(() => asUser('checkout', '-q', 'other')), ['edit a.txt +1 -1', 'edit b.txt +1 -1']],
  [
    'a rebase',
    run(() => {
      asUser('checkout', '-q', 'other');
      asUser('rebase', '-q', '--autostash', 'main');
    }),
    ['edit b.txt +1 -1'],
  ],
  ['a commit', run(() => asUser('commit', '-q', '--allow-empty', '-m', 'none')), []],
  ['a stash of your line', run(() => asUser('stash', '-q')), ['edit mine.txt +0 -1']],
  [
    'a file deleted and made again',
    run(() => {
      unlinkSync(at('a.txt'));
      world.put('a.txt', 'one\nTWO\n');
    }),
    [],
  ],
  [
    'a link in place of a file',
    run(() => {
      unlinkSync(at('b.txt'));
      symlinkSync('a.txt', at('b.txt'));
    }),
    ['edit b.txt, whole, 120000'],
  ],
  [
    'a folder in place of a file',
    run(() => {
      unlinkSync(at('b.txt'));
      mkdirSync(at('b.txt'));
      world.put('b.txt/in.txt', 'x\n');
    }),
    ['delete b.txt +0 -1', 'add b.txt/in.txt +1 -0'],
  ],
  [
    'two names swapped',
    run(() => {
      renameSync(at('a.txt'), at('t'));
      renameSync(at('b.txt'), at('a.txt'));
      renameSync(at('t'), at('b.txt'));
    }),
    ['edit a.txt +1 -2', 'edit b.txt +2 -1'],
  ],
  ['bytes', run(() => writeFileSync(at('bytes'), Buffer.from([0, 1, 2]))), ['add bytes, whole, 100644']],
  ['line ends', run(() => world.put('b.txt', 'three\r\n')), ['edit b.txt +1 -1']],
  ['a permission', run(() => chmodSync(at('b.txt'), 0o755)), ['edit b.txt +0 -0']],
  ['an ignored file', run(() => world.put('out/x.txt', 'x\n')), []],
  ['a file removed from the index', run(() => asUser('rm', '-q', '--cached', 'a.txt')), []],
])('reports the effect on the files of %s', async (_name, act, told) => {
  begin();
  world.put('mine.txt', 'm\nmine\n');
  const session = world.session('one');
  await world.look();
  await session.begin();
  act(session);
  await session.end();
  const [turn = ''] = session.turns;
  const read = await world.service.turns.range(session.ref, { from: turn, to: turn });
  if (!read.ok) throw new Error(read.error.message);
  const files = read.value.changes.files.map(({ path: file, kind, hunks, binary, modes }) => {
    const count = (mark: string) =>
      hunks.flatMap(({ lines }) => lines).filter((line) => line[0] === mark).length;
    const size = binary ? `, whole, ${modes?.[1].toString(8)}` : ` +${count('+')} -${count('-')}`;
    return `${kind} ${path.relative(world.project, file)}${size}`;
  });
  expect(files).toEqual(told);
  const hands = read.value.changes.files.flatMap(({ hunks }) => hunks.map(({ origin }) => origin));
  expect(new Set([...hands, 'command'])).toEqual(new Set(['command']));
});

it('forgets the temporary file that an AI CLI renames over the one it edits, though a look saw it', async () => {
  begin();
  const session = world.session('one');
  await world.look();
  await session.begin();
  session.edit('a.txt', 1, 'ONE');
  world.put('b.txt.tmp.42.0f', 'THREE\n');
  await session.look();
  expect(await session.told()).toContainEqual('b.txt.tmp.42.0f: unknown +THREE');
  session.edit('b.txt', 1, 'THREE');
  renameSync(at('b.txt.tmp.42.0f'), at('b.txt'));
  await session.end();
  expect(await session.told()).toEqual(['a.txt: tool -one +ONE', 'b.txt: tool -three +THREE']);
});
