import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { fail, ok } from '../lib/result.ts';
import type { CliContext } from './cli-context.ts';
import { withHost } from './review-output.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'copane-with-host-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const contextOf = (pid: number): CliContext => ({
  env: { HOME: home },
  cwd: home,
  pid,
  stdin: process.stdin,
  out: () => undefined,
  show: () => undefined,
  say: () => undefined,
});

it.each([
  ['its own process', process.pid, 1],
  ['a host that runs it', process.pid + 1, 0],
])('listens for signals while a %s command runs', async (_, pid, more) => {
  const count = () => process.listenerCount('SIGTERM');
  const before = count();
  const during = await withHost(contextOf(pid), async () => ok(count()));
  expect([during - before, count() - before]).toEqual([more, 0]);
});

it('closes the host and exits with the code of a signal, even if the command fails meanwhile', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never);
  try {
    const command = withHost(contextOf(process.pid), async () => {
      process.emit('SIGTERM', 'SIGTERM');
      return fail('refused', 'cancelled');
    });
    await expect(command).rejects.toThrow();
    expect(exit.mock.calls).toEqual([[128 + os.constants.signals.SIGTERM]]);
  } finally {
    exit.mockRestore();
  }
});
