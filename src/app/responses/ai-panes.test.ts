import { expect, it } from 'vitest';
import { ok } from '../../lib/result.ts';
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

it.each([
  ['a program has ended in a pane that stays, and keeps the name of its command', true],
  ['a pane was closed, where nothing is printed in it any more', false],
])('says at once that %s', async (_what, stays) => {
  let listed = [running];
  let follower: { onView(view: PaneView): void } | undefined;
  const gone: string[] = [];
  const feed: Pick<PaneFeed, 'follow'> = {
    follow: (_pane, given) => {
      follower = given;
      return () => undefined;
    },
  };
  const panes = new AiPanes({
    feed: feed as PaneFeed,
    panes: { list: async () => ok(listed) } as unknown as Panes,
    hooks: { stateOf: async () => null } as unknown as PaneHooks,
    timers: { now: () => 0, set: () => null, clear: () => undefined },
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
  await panes.list();
  const key = paneKey(facts.identity);
  const pane = panes.find(key);
  const dead = { ...facts, dead: true };
  listed = stays ? [{ ...running, facts: dead, cliPid: null, foreground: null }] : [];
  const screen = { rows: [], title: '', width: 80, alternate: false, cursorRow: null };
  if (stays) follower?.onView({ facts: dead, screen } as unknown as PaneView);
  else await panes.list();
  await expect.poll(() => pane?.pane.state).toBe('gone');
  expect(gone).toEqual(stays ? [] : [key]);
});
