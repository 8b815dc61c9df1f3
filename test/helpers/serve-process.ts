/** `copane serve` as a separate process, with its own home folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { COPANE } from './product.ts';
import { until } from './until.ts';

export interface ServeOptions {
  readonly home: string;
  readonly port: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class ServeProcess {
  readonly child: ChildProcess;
  #stderr = '';
  #ended = false;

  constructor({ home, port, args = [], env = {} }: ServeOptions) {
    const { PATH = '' } = process.env;
    this.child = spawn(COPANE, ['serve', ...args], {
      env: { PATH, HOME: home, SUGGESTION_MANAGER_PORT: String(port), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.on('data', (chunk) => {
      this.#stderr += String(chunk);
    });
    this.child.on('close', () => {
      this.#ended = true;
    });
  }

  /** Waits until it has printed this. */
  says(words: string): Promise<true> {
    return until(words, () => this.#stderr.includes(words), { timeoutMs: 20_000, show: () => this.#stderr });
  }

  get said(): string {
    return this.#stderr;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.#ended) this.child.kill(signal);
    await until('its end', () => this.#ended);
  }
}

/** A TCP port that is free right now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** The token that a server created below `home`. */
export function tokenBelow(home: string, role: 'reviewer' | 'author' = 'reviewer'): string {
  return readFileSync(path.join(home, '.local/state/copane', `${role}.token`), 'utf8').trim();
}
