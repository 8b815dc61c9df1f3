/**
 * The real language model: npm installs node-llama-cpp, and a GGUF file answers in the daemon. Needs npm's registry
 * and, for the second half, a file in `COPANE_TEST_GGUF`.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { DaemonProcess } from '../helpers/completion-daemon.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { until } from '../helpers/until.ts';

const run = promisify(execFile);
const GGUF = process.env.COPANE_TEST_GGUF ?? '';
const home = mkdtempSync(path.join(os.tmpdir(), 'copane-model-'));
const env = { ...process.env, XDG_DATA_HOME: home };
const copane = (...args: string[]) => run(process.execPath, ['src/main.ts', ...args], { env });
const runtime = path.join(home, 'copane/llama/node_modules/node-llama-cpp');

afterAll(() => removeTree(home));

it('copane model install installs what runs a GGUF file, and proves that it loads', async ({ skip }) => {
  const installed = await copane('model', 'install', '--yes').catch((error: Error) => error);
  if (installed instanceof Error && /npm did not install/.test(installed.message))
    skip('npm reaches no registry here');
  expect(installed).not.toBeInstanceOf(Error);
  expect(existsSync(runtime)).toBe(true);
}, 600_000);

it('a real model answers in the daemon, within seconds, from the next key on', async ({ skip }) => {
  if (!existsSync(GGUF)) skip('COPANE_TEST_GGUF names no file');
  if (!existsSync(runtime)) skip('node-llama-cpp is not installed');
  mkdirSync(path.join(home, 'copane/models'), { recursive: true });
  symlinkSync(GGUF, path.join(home, 'copane/models/real.gguf'));
  const daemon = new DaemonProcess();
  try {
    await daemon.start(['npm test', 'docker compose up -d', 'docker compose logs -f api'], {
      XDG_DATA_HOME: home,
      COPANE_HIDDEN_SHELL: '0',
      COPANE_COMPLETION_MODEL: 'gguf',
      COPANE_COMPLETION_MODEL_NAME: 'real.gguf',
    });
    const line = { request_id: 1, input: 'kubectl get po', cwd: '/tmp', session_id: 's', max_candidates: 4 };
    const answer = await until(
      'a candidate of the model',
      async () => {
        const text = await daemon.ask(JSON.stringify(line));
        return text.includes('"source":"model"') ? text : null;
      },
      { timeoutMs: 60_000, intervalMs: 2_000 },
    );
    expect(answer).toContain('"completion":"kubectl get po');
  } finally {
    await daemon.dispose();
  }
}, 120_000);

it('copane model remove removes it', async () => {
  await copane('model', 'remove');
  expect(existsSync(runtime)).toBe(false);
});
