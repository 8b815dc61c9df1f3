/** Runs one job of the built program, over real HTTP; the caller answers as the model. Accepts every hunk. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { run } from '../../../src/platform/run.ts';

export interface JobSetup {
  /** The bin/copane of a checkout or of an installed package. */
  readonly program: string;
  readonly prompt: string;
  readonly files: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Answers the job's request number `at`, from 0. */
  readonly answer: (response: ServerResponse, asked: { at: number; body: string; root: string }) => void;
  /** What the user does between the proposal and the save. */
  readonly beforeSave?: (root: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** How a job ended. */
export interface PlayedJob {
  readonly status: string;
  /** Its error, and the model's last words. */
  readonly said: string;
  /** What the save printed; '' if there was none. */
  readonly saved: string;
  /** What copane logged. */
  readonly log: string;
  /** What was sent to the model. */
  readonly asked: readonly string[];
  /** A file of the project now; null when it does not exist. */
  readonly read: (name: string) => Buffer | null;
}

const TIMEOUT_MS = 90_000;

/** Runs it in a temporary project, which exists while `look` runs. */
export async function playJob<T>(setup: JobSetup, look: (played: PlayedJob) => T): Promise<T> {
  const home = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'copane-job-'));
  const root = path.join(home, 'project');
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      asked.push(body);
      setup.answer(response, { at: asked.length - 1, body, root });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const timeoutMs = setup.timeoutMs ?? TIMEOUT_MS;
  try {
    for (const [name, text] of Object.entries(setup.files)) put(root, name, text);
    await run('git', ['init', '--quiet', root], { timeoutMs });
    const url = `http://127.0.0.1:${port}/v1`;
    const config = { agent_remote_url: url, agent_remote_model: 'scripted', ...setup.config };
    put(home, '.config/copane/config.jsonc', JSON.stringify(config));
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: home, ...setup.env };
    const copane = (...args: readonly string[]) => run(setup.program, args, { cwd: root, env, timeoutMs });
    const ran = await copane('agent', 'run', '--json', setup.prompt);
    const job = jobIn(ran.stdout.toString());
    let saved = '';
    if (job?.status === 'awaiting_review') {
      setup.beforeSave?.(root);
      const apply = async (...more: readonly string[]) => {
        const { code, stdout, stderr } = await copane('agent', 'apply', '--all', job.id, ...more);
        saved += `${stdout}${stderr}`;
        return code === 0;
      };
      // Files such as a Makefile need a confirmation.
      if (!(await apply())) await apply('--accept-self-running');
    }
    const said =
      job === null ? `no job: ${ran.stderr}` : [job.error?.message, job.message].filter(Boolean).join('\n');
    return look({
      status: job?.status ?? 'no job',
      said,
      saved,
      log: bytesOf(path.join(home, '.local/state/copane/copane.log'))?.toString() ?? '',
      asked,
      read: (name) => bytesOf(path.join(root, name)),
    });
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Writes a file of the project, or removes it. */
export function put(root: string, name: string, text: string | null): void {
  const file = path.join(root, name);
  if (text === null) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

interface Job {
  readonly id: string;
  readonly status: string;
  readonly message: string | null;
  readonly error: { readonly message: string; readonly hint: string | null } | null;
}

function jobIn(text: string): Job | null {
  const line = text.split('\n').find((one) => one.startsWith('{"id"'));
  return line === undefined ? null : (JSON.parse(line) as Job);
}

function bytesOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    return null;
  }
}
