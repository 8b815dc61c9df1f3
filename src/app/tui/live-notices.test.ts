import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ok } from '../../lib/result.ts';
import type { Client, ClientState } from '../../protocol/client.ts';
import type { HostStatus } from '../../protocol/commands/host.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import type { Report } from '../../protocol/report.ts';
import { LiveNotices } from './live-notices.ts';

let status: Pick<HostStatus, 'server' | 'notices'>;
let tell: (event: CopaneEvent) => void;
let changeState: (state: ClientState) => void;
let live: LiveNotices | null = null;
let changes: number;

beforeEach(() => {
  vi.useFakeTimers();
  status = { server: null, notices: [] };
  changes = 0;
});
afterEach(() => {
  live?.close();
  vi.useRealTimers();
});

async function start(showProgress = true): Promise<LiveNotices> {
  const client = {
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
    onStateChange: (listener: typeof changeState) => {
      changeState = listener;
      return () => undefined;
    },
    request: async () => ok(structuredClone(status)),
  } as unknown as Client;
  const timers = {
    now: Date.now,
    set: setTimeout,
    clear: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
  };
  live = new LiveNotices({ client, timers, showProgress });
  live.subscribe(() => {
    changes += 1;
  });
  live.start();
  await vi.advanceTimersByTimeAsync(0);
  return live;
}

function report(change: Partial<Report>): void {
  const report = {
    message: 'm',
    status: 'working',
    error: null,
    suggestion: null,
    hunk: null,
    author: 'ann',
  };
  tell({ seq: 1, ts: 0, body: { type: 'review/reported', report: { ...report, ...change } } } as CopaneEvent);
}

it('shows the state of the port, and problems as long as they last', async () => {
  status = { server: null, notices: ['port 4097 cannot be opened'] };
  const notices = await start();
  expect(notices.getSnapshot()).toMatchObject({ openToAll: false, notices: ['port 4097 cannot be opened'] });
  status = { server: { address: 'http://127.0.0.1:4097', openToAll: true }, notices: [] };
  await vi.advanceTimersByTimeAsync(3_000);
  expect(notices.getSnapshot()).toMatchObject({ openToAll: true, notices: [] });
});

it('asks again when the leader changes, and publishes nothing when nothing changed', async () => {
  const notices = await start();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(changes).toBe(0);
  status = { server: null, notices: ['x'] };
  changeState({ kind: 'connected', leader: false });
  await vi.advanceTimersByTimeAsync(0);
  expect(notices.getSnapshot().notices).toEqual(['x']);
});

it('shows the progress of an AI for two minutes, if enabled', async () => {
  const notices = await start();
  report({ message: 'one' });
  await vi.advanceTimersByTimeAsync(60_000);
  report({ message: 'two' });
  await vi.advanceTimersByTimeAsync(119_000);
  expect(notices.getSnapshot().progress).toEqual({ author: 'ann', message: 'two' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(notices.getSnapshot().progress).toBeNull();
});

it('shows errors even if progress is disabled, and repeated ones again', async () => {
  const notices = await start(false);
  report({ message: 'one' });
  expect(notices.getSnapshot().progress).toBeNull();
  report({ message: 'bad', error: 'apply_failed' });
  const first = notices.getSnapshot().error;
  expect(first).toEqual({ author: 'ann', message: 'bad' });
  report({ message: 'bad', error: 'apply_failed' });
  expect(notices.getSnapshot().error).not.toBe(first);
});
