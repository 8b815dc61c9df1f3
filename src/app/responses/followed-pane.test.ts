import { describe, expect, it } from 'vitest';
import { clientSpec } from '../../../test/helpers/client-catalog.ts';
import { recordingDir } from '../../../test/helpers/screen-recorder.ts';
import { readRecordings, SCREENS_DIR } from '../../../test/helpers/screen-recordings.ts';
import { fail } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { PaneView } from '../../tmux/capture.ts';
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

describe('a question', () => {
  const recorded = readRecordings(recordingDir(SCREENS_DIR, clientSpec('claude'), 90));
  const viewOf = (name: string) => {
    const screen = recorded.find(({ facts: { case: scene } }) => scene === name)?.screen;
    if (screen === undefined) throw new Error(`no recording of ${name}`);
    return { facts, screen } as unknown as PaneView;
  };
  const asked = viewOf('dialog-command');
  const away = viewOf('working');

  function open() {
    let now = 0;
    let timer: { run: () => void; at: number } | null = null;
    const clock: Timers = {
      now: () => now,
      set: (run, ms) => {
        timer = { run, at: now + ms };
        return timer;
      },
      clear: () => {
        timer = null;
      },
    };
    const pane = new FollowedPane({ listing: running, timers: clock, onChange: () => undefined });
    const pass = (ms: number) => {
      now += ms;
      if (timer !== null && timer.at <= now) timer.run();
    };
    pane.see(asked);
    pass(10_000);
    return { pane, pass, isOpen: () => pane.reading?.dialog != null && pane.pane.state === 'waiting' };
  }

  it('stays open while it is drawn anew, however often', () => {
    const { pane, pass, isOpen } = open();
    for (let round = 0; round < 5; round++) {
      pane.see(away);
      pass(200);
      expect(isOpen()).toBe(true);
      pane.see(asked);
      pass(200);
      expect(isOpen()).toBe(true);
    }
  });

  it.each([
    ['in silence', 0],
    ['while the AI prints', 100],
  ])('closes once it was away for a while, %s', (_, everyMs) => {
    const { pane, pass, isOpen } = open();
    pane.see(away);
    for (let ms = everyMs; everyMs > 0 && ms < 300; ms += everyMs) {
      pass(everyMs);
      pane.see(away);
    }
    expect(isOpen()).toBe(true);
    pass(300);
    expect([pane.reading?.dialog, pane.pane.state]).toEqual([null, 'working']);
  });
});
