import { expect, it } from 'vitest';
import { fail } from '../../lib/result.ts';
import { parsePane } from '../../tmux/core/formats.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import { FollowedPane } from './followed-pane.ts';

const facts = parsePane(
  ['7', '%3', '900', '$0', '@0', '0', '0', ...Array.from({ length: 24 }, () => '')].join('|~|'),
);
if (facts === null) throw new Error('bad facts');
const running: PaneListing = {
  facts,
  cli: 'claude',
  cliPid: 2,
  foreground: { kind: 'cli', cli: 'claude', pid: 2 },
};
const behindShell: PaneListing = { ...running, foreground: { kind: 'shell', name: 'zsh', pid: 1 } };
const timers = { now: () => 0, set: () => null, clear: () => undefined };

it('reports its program as suspended until that continues or ends', () => {
  const pane = new FollowedPane({ listing: running, timers, onChange: () => undefined });
  pane.hear('idle', 0);
  expect([pane.pane.state, pane.trouble]).toEqual(['idle', null]);
  pane.relist(behindShell);
  expect([pane.pane.state, pane.trouble?.message]).toEqual(['suspended', expect.stringContaining('fg')]);
  pane.relist(running);
  expect([pane.pane.state, pane.trouble]).toEqual(['idle', null]);
  pane.relist(behindShell);
  pane.end(fail('not_found', 'ended').error);
  expect([pane.pane.state, pane.trouble?.message]).toEqual(['gone', 'ended']);
});

it('is the same object when listed again unchanged, so nothing is redrawn', () => {
  const pane = new FollowedPane({ listing: running, timers, onChange: () => undefined });
  const before = pane.pane;
  pane.relist(structuredClone(running));
  expect(pane.pane).toBe(before);
});
