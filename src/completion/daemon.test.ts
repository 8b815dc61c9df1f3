/** The daemon behind its socket, without a worker and without a shell. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { startDaemon } from './daemon.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it('no longer offers a line that a command deleted from the history, without waiting for its next check', async () => {
  // Without a heartbeat nothing is checked until a shell reports something.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  cleanups.push(() => vi.useRealTimers());
  const dir = mkdtempSync(path.join(os.tmpdir(), 'copane-daemon-'));
  cleanups.push(() => removeTree(dir));
  const file = path.join(dir, 'history');
  writeFileSync(file, 'frobnicate\nls\n');
  const started = await startDaemon(
    {
      socketFile: path.join(dir, 'a.sock'),
      uid: process.getuid?.() ?? 0,
      stateDir: dir,
      dataDir: dir,
      model: null,
      home: dir,
      env: { HISTFILE: file, PATH: '', COPANE_HIDDEN_SHELL: '0' },
    },
    {
      onDefect: (_where, error) => expect.fail(String(error)),
      askModel: () => expect.fail('no model is asked'),
    },
  );
  if (!started.ok) expect.fail(started.error.message);
  const daemon = started.value;
  cleanups.push(() => daemon.stop());
  const offered = async () => {
    const query = { line: 'frob', cursor: 4, cwd: dir, session: '1', limit: 4 };
    return (await daemon.complete(query)).map(({ line }) => line);
  };
  await expect.poll(offered, { timeout: 8_000 }).toContain('frobnicate');
  writeFileSync(file, 'ls\nedit-history\n');
  expect(await offered()).toContain('frobnicate');
  const shell = net.connect(path.join(dir, 'a.sock'));
  cleanups.push(() => shell.destroy());
  shell.write(
    `${JSON.stringify({ type: 'event', event: 'executed', line: 'edit-history', cwd: dir, session_id: '1', exit: 0, reply: false })}\n`,
  );
  await expect.poll(offered, { timeout: 8_000 }).not.toContain('frobnicate');
});
