import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ok } from '../lib/result.ts';
import { withHost } from './review-output.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'copane-with-host-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it.each([
  ['its own process', process.pid, 1],
  ['a host that runs it', process.pid + 1, 0],
])('handles signals while a command runs in %s', async (_, pid, more) => {
  const context = {
    env: { HOME: home },
    cwd: home,
    pid,
    stdin: process.stdin,
    out: () => undefined,
    show: () => undefined,
    say: () => undefined,
  };
  const count = () => process.listenerCount('SIGTERM');
  const before = count();
  const during = await withHost(context, {}, async () => ok(count()));
  expect([during - before, count() - before]).toEqual([more, 0]);
});
