/** The real completion daemon in its own process, so that a test can stop, kill and restart it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { NODE, testProgram } from './product.ts';
import { removeTree } from './remove-tree.ts';

const START_TIMEOUT_MS = 15_000;

/** The line of a request, with other fields than the usual ones. */
export const request = (more: object) =>
  JSON.stringify({ request_id: 1, input: 'git st', cursor_pos: 6, cwd: '/', session_id: '1', ...more });

/** The answer to a request. */
export interface Reply {
  request_id: number;
  candidates: {
    completion: string;
    confidence: number;
    cursor_pos?: number;
    description?: string;
    kind?: string;
    why?: string[];
  }[];
  error?: { code: string };
}

export class DaemonProcess {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'copane-ashletd-'));
  readonly socket = path.join(this.dir, 'a.sock');
  readonly histfile = path.join(this.dir, 'history');
  #child: ChildProcess | null = null;

  /** Starts it with a history of these lines; resolves when it listens. */
  async start(history: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<this> {
    writeFileSync(this.histfile, history.map((line, at) => `: ${1_700_000_000 + at}:0;${line}\n`).join(''));
    mkdirSync(path.join(this.dir, 'state'), { recursive: true });
    return this.restart(env);
  }

  /** Starts it again, with the previous one's files. */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<this> {
    const child = spawn(NODE, [testProgram('completion-daemon-main')], {
      env: {
        ...process.env,
        HOME: this.dir,
        HISTFILE: this.histfile,
        ASHLET_SOCKET: this.socket,
        XDG_STATE_HOME: path.join(this.dir, 'state'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the daemon did not start')), START_TIMEOUT_MS);
      let said = '';
      child.stdout?.on('data', (chunk) => {
        said += String(chunk);
        if (!said.includes('\n')) return;
        clearTimeout(timer);
        if (said.startsWith('listening')) resolve();
        else reject(new Error(said));
      });
    });
    return this;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  /** Ends it by a signal and waits; returns its exit code, null when a signal ended it. */
  async end(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(name);
    const code = await ended;
    this.#child = null;
    return code;
  }

  /** Sends one request line, closes that side, returns everything that comes back: as `socat` does. */
  ask(line: string | Uint8Array): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(this.socket);
      let answer = '';
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
      socket.end(typeof line === 'string' ? `${line}\n` : line);
    });
  }

  get listening(): boolean {
    return existsSync(this.socket);
  }

  async dispose(): Promise<void> {
    this.signal('SIGCONT');
    await this.end('SIGKILL');
    removeTree(this.dir);
  }
}
