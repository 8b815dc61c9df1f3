/**
 * The cost of a snapshot of a working tree of 80,000 files, beside `git status` in the same tree; and of a turn on its
 * way to the screen: recorded and counted when it ends, shown by a companion in tmux, then opened as a review.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Observer } from '../src/changes/snapshots/observer.ts';
import { ok } from '../src/lib/result.ts';
import { commands } from '../src/protocol/command.ts';
import { BlobStore } from '../src/store/blobs.ts';
import { TurnWorld } from '../test/helpers/turn-world.ts';
import { git, makeRepository, nameOf, textOf, timed } from './git-repository.ts';
import type { BenchRow, BenchSuite } from './harness.ts';
import { TurnOnScreen } from './turn-on-screen.ts';

const FILES = 80_000;
/** The session whose newest turn is opened. */
const TURNS = 100;
const TURN_FILES = 2_000;
/** From the end of a turn until its changes are on the screen. */
const SCREEN_MAX_MS = 150;

async function turnRows(world: TurnWorld, screen: TurnOnScreen): Promise<readonly BenchRow[]> {
  await world.look();
  const session = world.session('bench');
  let turn = 0;
  const work = async () => {
    turn += 1;
    await session.begin();
    session.edit(nameOf(turn % TURN_FILES), 1, `turn ${turn}`);
    session.edit(nameOf((turn * 7) % TURN_FILES), 1, `turn ${turn} again`);
  };
  for (let at = 0; at < TURNS; at += 1) {
    await work();
    await session.end();
  }
  const of = `a turn of 2 files of ${TURN_FILES.toLocaleString('en')}, one of ${TURNS}`;
  const bound = { peer: 'the bound', target: 1, theirs: async () => SCREEN_MAX_MS };
  let opened = 0;
  return [
    {
      name: `${of}: looked at when it ends, and counted`,
      ...bound,
      ours: async () => {
        await work();
        return timed(async () => {
          await session.end();
          await world.service.list({ session: session.ref, turns: 30 });
        });
      },
    },
    {
      name: 'the figures of a turn on the screen of a companion, after the session file says that it ended',
      ...bound,
      ours: () => screen.measure(),
    },
    {
      name: `${of}: opened as a review`,
      ...bound,
      ours: async () => {
        opened += 1;
        const from = session.turns.at(-opened) ?? '';
        const source = { kind: 'turn', session: session.ref, from, to: from } as const;
        const input = commands['review/publish'].params.parse({ target: world.project, source });
        return timed(async () => {
          const review = await world.reviews.publish(input);
          if (!review.ok) throw new Error(review.error.message);
        });
      },
    },
  ];
}

export const suite: BenchSuite = {
  name: 'snapshots',
  prepare: async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-'));
    const root = makeRepository(folder, FILES);
    const stateDir = path.join(folder, 'state');
    mkdirSync(stateDir, { mode: 0o700 });
    const observer = new Observer({
      root: path.join(stateDir, 'snapshots'),
      blobs: new BlobStore(stateDir),
    });
    const look = async () => {
      const looked = await observer.look(root, () => ok(undefined));
      if (!looked.ok) throw new Error(looked.error.message);
    };
    await look();
    let round = 0;
    const change = (count: number) => {
      round += 1;
      for (let i = 0; i < count; i += 1) {
        const at = i * Math.floor(FILES / count);
        writeFileSync(path.join(root, nameOf(at)), `${textOf(at)}round ${round}\n`);
      }
    };
    const row = (what: string, count: number, target: number): BenchRow => ({
      name: `snapshot of ${FILES.toLocaleString('en')} files, ${what}`,
      peer: 'git status',
      target,
      ours: async () => {
        change(count);
        return timed(look);
      },
      theirs: async () => {
        change(count);
        const took = await timed(() => git(root, ['status', '--porcelain']));
        await look();
        return took;
      },
    });
    const world = new TurnWorld(
      Object.fromEntries(Array.from({ length: TURN_FILES }, (_, at) => [nameOf(at), textOf(at)])),
    );
    const screen = new TurnOnScreen();
    await screen.start();
    return {
      rows: [
        row('nothing changed', 0, 1.1),
        row('one file', 1, 1.6),
        row('a hundred files', 100, 2.3),
        ...(await turnRows(world, screen)),
      ],
      cleanup: async () => {
        world.close();
        await screen.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};
