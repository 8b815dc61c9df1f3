import { describe, expect, it } from 'vitest';
import { ok } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { PaneView } from '../../tmux/capture.ts';
import { parsePane } from '../../tmux/core/formats.ts';
import type { PaneFeed } from '../../tmux/feed.ts';
import type { PaneListing, Panes } from '../../tmux/panes.ts';
import { paneKey } from '../../ui/responses/port.ts';
import { AiPanes } from './ai-panes.ts';
import type { PaneHooks } from './pane-hooks.ts';

const facts = parsePane(
  ['7', '%3', '900', '$0', '@0', '0', '0', ...Array.from({ length: 25 }, () => '')].join('|~|'),
);
if (facts === null) throw new Error('bad facts');
const running: PaneListing = {
  facts,
  cli: 'gemini',
  cliPid: 2,
  foreground: { kind: 'cli', cli: 'gemini', pid: 2 },
};

const screen = { rows: [], title: '', width: 80, alternate: false, cursorRow: null };

/** AI panes listed by `list`; `see` prints in the most recently followed pane. */
function aiPanes(list: () => Promise<readonly PaneListing[]>, set: Timers['set'] = () => null) {
  let follower: { onView(view: PaneView): void; onGone(): void } | undefined;
  const gone: string[] = [];
  const feed: Pick<PaneFeed, 'follow'> = {
    follow: (_pane, given) => {
      follower = given;
      return () => undefined;
    },
  };
  const panes = new AiPanes({
    feed: feed as PaneFeed,
    panes: { list: async () => ok(await list()) } as unknown as Panes,
    hooks: { stateOf: async () => null } as unknown as PaneHooks,
    timers: { now: () => 0, set, clear: () => undefined },
    keeps: () => true,
    sessionOf: () => null,
    listener: {
      onChange: () => undefined,
      onPrint: () => undefined,
      onRestart: () => undefined,
      onGone: (key) => gone.push(key),
      onListed: async () => undefined,
    },
  });
  const see = (shown: PaneListing['facts']) =>
    follower?.onView({ facts: shown, screen } as unknown as PaneView);
  return { panes, gone, see, close: () => follower?.onGone() };
}

const key = paneKey(facts.identity);

it.each([
  ['a program has ended in a remaining pane, and keeps the name of its command', true],
  ['a pane was closed, which no longer prints', false],
])('reports at once that %s', async (_what, stays) => {
  let listed = [running];
  const { panes, gone, see } = aiPanes(async () => listed);
  await panes.list();
  const pane = panes.find(key);
  const dead = { ...facts, dead: true };
  listed = stays ? [{ ...running, facts: dead, cliPid: null, foreground: null }] : [];
  if (stays) see(dead);
  else await panes.list();
  await expect.poll(() => pane?.pane.state).toBe('gone');
  expect(gone).toEqual(stays ? [] : [key]);
  const said = stays ? /^gemini has ended in its pane/ : /^the AI pane was closed: gemini in .*\(.*:0\.0\)$/;
  expect(pane?.ended?.message).toMatch(said);
});

it('lists the panes ever more rarely while nothing is printed, up to once a minute', async () => {
  const pauses: number[] = [];
  let next = () => undefined as unknown;
  const { panes, see } = aiPanes(
    async () => [running],
    (run, ms) => {
      pauses.push(ms / 1000);
      next = run;
      return null;
    },
  );
  const nextList = async () => {
    const before = pauses.length;
    next();
    await expect.poll(() => pauses.length).toBe(before + 1);
  };
  await panes.list();
  for (let count = 0; count < 3; count++) await nextList();
  expect(pauses).toEqual([15, 30, 60, 60]);
  see(facts);
  await nextList();
  expect(pauses.slice(4)).toEqual([15, 30]);
});

describe('a list that is older than the known state', () => {
  const shell: PaneListing = { ...running, cliPid: null, foreground: null };

  it.each([
    ['does not close a pane followed since', []],
    ['does not end a program found since', [shell]],
  ])('%s', async (_what, older) => {
    const answer = Promise.withResolvers<readonly PaneListing[]>();
    const { panes, gone } = aiPanes(() => answer.promise);
    const listed = panes.list();
    panes.follow(running);
    answer.resolve(older);
    await listed;
    expect(panes.find(key)?.ended).toBeNull();
    expect(gone).toEqual([]);
  });

  it.each([
    ['does not restore a pane that the newer list has closed', [], null],
    ['does not restore a program that the newer list has ended', [{ ...shell, cli: 'generic' }], 'gone'],
  ] as const)('%s', async (_what, newest, state) => {
    const old = Promise.withResolvers<readonly PaneListing[]>();
    const waiting: Promise<readonly PaneListing[]>[] = [
      Promise.resolve([running]),
      old.promise,
      Promise.resolve(newest),
    ];
    const { panes } = aiPanes(() => waiting.shift() ?? Promise.resolve([]));
    await panes.list();
    const [older, newer] = [panes.list(), panes.list()];
    await newer;
    old.resolve([running]);
    await older;
    expect(panes.find(key)?.pane.state ?? null).toBe(state);
  });

  it('does not bring back a pane closed meanwhile; a later list does', async () => {
    const old = Promise.withResolvers<readonly PaneListing[]>();
    const waiting = [Promise.resolve([running]), old.promise, Promise.resolve([running])];
    const { panes, gone, close } = aiPanes(() => waiting.shift() ?? Promise.resolve([]));
    await panes.list();
    const listed = panes.list();
    close();
    old.resolve([running]);
    await listed;
    expect([panes.find(key), gone]).toEqual([null, [key]]);
    await panes.list();
    expect(panes.find(key)?.ended).toBeNull();
  });

  it('does not override a newer list that was answered first', async () => {
    const answers = [
      Promise.withResolvers<readonly PaneListing[]>(),
      Promise.withResolvers<readonly PaneListing[]>(),
    ];
    const [first, second] = answers;
    const waiting = [...answers];
    const { panes, gone } = aiPanes(async () => waiting.shift()?.promise ?? []);
    const [older, newer] = [panes.list(), panes.list()];
    second?.resolve([running]);
    await newer;
    first?.resolve([shell]);
    await older;
    expect(panes.find(key)?.ended).toBeNull();
    await panes.list();
    expect(gone).toEqual([key]);
  });
});
