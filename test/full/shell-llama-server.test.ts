/**
 * A real llama-server with the real daemon, in place of the scripted one of the other tests. Needs `llama-server` on
 * the PATH (or in `COPANE_TEST_LLAMA_SERVER`) and a model file in `COPANE_TEST_GGUF`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DaemonProcess } from '../helpers/completion-daemon.ts';
import { freePort } from '../helpers/serve-process.ts';
import { until } from '../helpers/until.ts';

const PROGRAM = process.env.COPANE_TEST_LLAMA_SERVER ?? 'llama-server';
const GGUF = process.env.COPANE_TEST_GGUF ?? '';
const isHere = existsSync(GGUF) && isProgram(PROGRAM);

function isProgram(name: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$1"', 'sh', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const HISTORY = ['npm test', 'docker compose up -d', 'docker compose logs -f api'];
/** A small machine takes seconds per answer: asking again sooner would cancel it each time. */
const PATIENT = { timeoutMs: 240_000, intervalMs: 12_000 };

let server: ChildProcess | null = null;
let url = '';
const daemon = new DaemonProcess();

beforeAll(async () => {
  if (!isHere) return;
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  server = spawn(PROGRAM, ['-m', GGUF, '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  // It listens at once and answers 503 while it loads: the daemon starts during that time.
  await daemon.start(HISTORY, {
    COPANE_HIDDEN_SHELL: '0',
    COPANE_COMPLETION_MODEL: 'llama-server',
    COPANE_COMPLETION_MODEL_URL: url,
  });
}, 60_000);

afterAll(async () => {
  await daemon.dispose();
  server?.kill('SIGKILL');
});

interface Reply {
  readonly candidates: readonly { readonly completion: string; readonly source: string }[];
  readonly error?: { readonly code: string };
}

async function ask(input: string): Promise<Reply> {
  const question = { request_id: 1, input, cwd: '/tmp', session_id: 's', max_candidates: 4 };
  return JSON.parse(await daemon.ask(JSON.stringify(question))) as Reply;
}

it.skipIf(!isHere)('answers while the model loads, without any message about it', async () => {
  const started = performance.now();
  const reply = await ask('docker com');
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(reply.candidates[0]?.completion).toMatch(/^docker compose/);
  expect(reply.error).toBeUndefined();
});

it.skipIf(!isHere)(
  'continues the line, also inside a word',
  async () => {
    await until('the model is loaded', async () => (await fetch(`${url}/health`).catch(() => null))?.ok, {
      timeoutMs: 120_000,
      intervalMs: 500,
    });
    for (const typed of ['kubectl get po', 'tar -x']) {
      const said = await until(
        `the model's line for "${typed}"`,
        async () => (await ask(typed)).candidates.find(({ source }) => source === 'model'),
        PATIENT,
      );
      expect(said.completion.startsWith(typed)).toBe(true);
      expect(said.completion).not.toMatch(/[\n\r]/);
    }
  },
  600_000,
);

it.skipIf(!isHere)('keeps completing after the server is gone', async () => {
  server?.kill('SIGKILL');
  const reply = await ask('docker com');
  expect(reply.candidates[0]?.completion).toMatch(/^docker compose/);
});
