import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ok } from '../../lib/result.ts';
import { copanePaths } from '../../platform/paths.ts';
import { firstOutcome } from './connect.ts';
import type { StartLeading } from './find-host.ts';
import { HostConnection } from './host-connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each<[string, StartLeading, boolean]>([
  ['gives up on a leader that does not answer', async () => ok(null), true],
  ['waits for its own leadership, however long that takes', () => new Promise(() => undefined), false],
])('%s', async (_what, lead, givesUp) => {
  const paths = copanePaths({ HOME: path.join(os.tmpdir(), 'copane-that-does-not-exist') });
  const called = vi.fn(lead);
  const connection = new HostConnection({ paths, clientId: 'c-test', lead: called });
  let outcome: string | null = null;
  void firstOutcome(connection).then((failure) => {
    outcome = failure?.message ?? 'connected';
  });
  await vi.waitFor(() => expect(called).toHaveBeenCalled(), { interval: 1, timeout: 4_000 });
  const isOver = () => vi.advanceTimersByTimeAsync(20_000).then(() => outcome !== null);
  if (givesUp) await vi.waitFor(async () => expect(await isOver()).toBe(true));
  else expect(await isOver()).toBe(false);
  await connection.close();
});
