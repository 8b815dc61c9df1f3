/** The result of a look for a moved or deleted file or folder, and for an edit that did not last. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { type PlayedSession, TurnWorld } from '../../test/helpers/turn-world.ts';

let world: TurnWorld;
let session: PlayedSession;
const at = (name: string) => path.join(world.project, name);

beforeEach(async () => {
  world = new TurnWorld({
    'a.txt': 'one\ntwo\n',
    'src/in/b.txt': 'three\nfour\n',
    '.gitignore': 'out\n',
    'out/c.txt': 'five\nsix\n',
  });
  session = world.session('one');
  await world.look();
  await session.begin();
});
afterEach(() => world.close());

/** Each file of the turn with its outcome and author. */
async function files(): Promise<readonly string[]> {
  const [turn = ''] = session.turns.slice(-1);
  const read = await world.service.turns.range(session.ref, { from: turn, to: turn });
  if (!read.ok) throw new Error(read.error.message);
  const name = (file: string) => path.relative(world.project, file);
  return read.value.changes.files.map(({ path: file, kind, movedFrom, hunks, wholeBy = [] }) => {
    const hands = new Set([...hunks.map(({ origin }) => origin), ...wholeBy]);
    return `${kind} ${movedFrom === undefined ? '' : `${name(movedFrom)} → `}${name(file)}: ${[...hands]}`;
  });
}

it('is a rename of each file by the command that moved the folder, though no file in it was written', async () => {
  session.run(() => renameSync(at('src'), at('lib')));
  await session.end();
  expect(await files()).toEqual(['rename src/in/b.txt → lib/in/b.txt: command']);
});

it('is the command that deleted the folder with all its subfolders', async () => {
  session.run(() => rmSync(at('src'), { recursive: true }));
  await session.end();
  expect(await files()).toEqual(['delete src/in/b.txt: command']);
});

it('is a rename with its few lines if the AI moved a file and edited it', async () => {
  const lines = Array.from({ length: 9 }, (_, i) => `line ${i}`).join('\n');
  session.run(() => world.put('long.txt', lines));
  await session.end();
  await session.begin();
  session.run(() => {
    renameSync(at('long.txt'), at('moved.txt'));
    world.put('moved.txt', lines.replace('4', 'four'));
  });
  await session.end();
  expect(await files()).toEqual(['rename long.txt → moved.txt: command']);
  expect(await session.told()).toEqual(['moved.txt: command -line 4 +line four']);
  const review = await world.review(session);
  await world.decide({ suggestion: review.id, hunk: 'all', action: 'reject' });
  expect(world.held('long.txt')).toBe(lines);
});

describe('a file that was moved and then edited by a tool', () => {
  const LINES = Array.from({ length: 9 }, (_, i) => `line ${i}\n`).join('');
  const move = (to = 'moved.txt') => renameSync(at('long.txt'), at(to));
  const edit = (name = 'moved.txt') => session.edit(name, 5, 'FOUR');

  beforeEach(async () => {
    session.run(() => world.put('long.txt', LINES));
    await session.end();
    await session.begin();
  });

  const cases: readonly (readonly [string, () => unknown, readonly string[]])[] = [
    [
      'by a command',
      () => {
        session.run(() => move());
        edit();
      },
      ['tool -line 4 +FOUR'],
    ],
    [
      'by a command, with a look before the edit',
      async () => {
        session.run(() => move());
        await session.look();
        edit();
      },
      ['tool -line 4 +FOUR'],
    ],
    [
      'by a command that edits another line, with a look before the edit',
      async () => {
        session.run(() => {
          move();
          world.put('moved.txt', LINES.replace('line 0', 'zero'));
        });
        await session.look();
        edit();
      },
      ['command -line 0 +zero', 'tool -line 4 +FOUR'],
    ],
    [
      'twice',
      () => {
        session.run(() => move('between.txt'));
        session.run(() => renameSync(at('between.txt'), at('moved.txt')));
        edit();
      },
      ['tool -line 4 +FOUR'],
    ],
    [
      'between two edits',
      () => {
        session.edit('long.txt', 1, 'ZERO');
        session.run(() => move());
        edit();
      },
      ['tool -line 0 +ZERO -line 4 +FOUR'],
    ],
  ];
  it.each(cases)('is a rename by the command with the lines of each: %s', async (_, act, hunks) => {
    await act();
    await session.end();
    expect((await session.told()).map((hunk) => hunk.replace('moved.txt: ', ''))).toEqual(hunks);
    expect(await files()).toEqual([expect.stringMatching(/^rename long\.txt → moved\.txt: .*command/)]);
    const review = await world.review(session);
    await world.decide({ suggestion: review.id, hunk: 'all', action: 'reject' });
    expect(world.held('long.txt')).toBe(LINES);
  });

  it('is not said to be moved by the AI if you may have moved it', async () => {
    session.edit('a.txt', 2, 'TWO');
    await session.look();
    move();
    await session.look();
    edit();
    await session.end();
    expect((await session.told()).filter((hunk) => !hunk.startsWith('a.txt'))).toEqual([
      'moved.txt: unknown -line 4 +FOUR',
    ]);
  });
});

it('is yours if you moved the folder while nothing of the AI ran', async () => {
  session.edit('a.txt', 2, 'TWO');
  await session.look();
  mkdirSync(at('deep'));
  renameSync(at('src'), at('deep/lib'));
  await session.look();
  session.edit('a.txt', 1, 'ONE');
  await session.end();
  expect(await files()).not.toContainEqual(expect.stringContaining(': command'));
});

it('reports no edit that a command reverted before any look', async () => {
  session.edit('a.txt', 2, 'TWO');
  session.run(() => git(world.project, 'checkout', '-q', '--', 'a.txt'));
  await session.end();
  expect(await files()).toEqual([]);
});

it('still reports the edit of an ignored file, which no look covers', async () => {
  session.edit('out/c.txt', 2, 'SIX');
  session.run(() => git(world.project, 'checkout', '-q', '--', 'a.txt'));
  await session.end();
  expect(await files()).toEqual(['edit out/c.txt: tool']);
});
