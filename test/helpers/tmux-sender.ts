/**
 * A sender on a private tmux server: an outbox in memory, the screen rules of the stand-in composer, a proof that a
 * test switches on. Good enough for manual use.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ok, type Result } from '../../src/lib/result.ts';
import { systemProcesses } from '../../src/platform/process-tree.ts';
import { canonicalLineMaxBytes } from '../../src/platform/tty.ts';
import type { CliId } from '../../src/protocol/cli-id.ts';
import type { DeliveryState } from '../../src/protocol/outbox.ts';
import type { ScreenReading } from '../../src/protocol/screen.ts';
import type { Screen } from '../../src/responses/screens/port.ts';
import { createTmuxCommand } from '../../src/tmux/command.ts';
import type { ProofSignal, SendLimits } from '../../src/tmux/core/send-model.ts';
import { Panes } from '../../src/tmux/panes.ts';
import type { TmuxPort } from '../../src/tmux/port.ts';
import {
  createSender,
  type OutboxChange,
  type OutboxPort,
  type OutboxRecord,
  type Sender,
  type SenderClock,
  type SenderPorts,
  type SendOptions,
  type SendPane,
} from '../../src/tmux/sender.ts';
import { PrivateTmux } from './private-tmux.ts';
import { PATIENCE } from './until.ts';

const PROGRAMS = fileURLToPath(new URL('../fixtures/programs/', import.meta.url));

const wallClock: SenderClock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** The states that a record went through, oldest first. */
export interface MemoryOutbox extends OutboxPort {
  readonly records: Map<string, OutboxRecord>;
  readonly states: DeliveryState[];
  readonly changes: OutboxChange[];
}

function memoryOutbox(): MemoryOutbox {
  const records = new Map<string, OutboxRecord>();
  const states: DeliveryState[] = [];
  const changes: OutboxChange[] = [];
  return {
    records,
    states,
    changes,
    record(entry) {
      records.set(entry.id, entry);
      states.push('recorded');
      return Promise.resolve(ok(true));
    },
    update(change) {
      states.push(change.state);
      changes.push(change);
      return Promise.resolve(ok(true));
    },
  };
}

/** The screen rules of `composer.mjs`; for another program everything is unknown. */
function readComposer(screen: Screen, cli: CliId): ScreenReading {
  const rows = screen.rows.map((row) => row.text);
  const base = { dialog: null, choice: null, vimNormal: false, queued: false } as const;
  if (cli === 'generic') return { ...base, composer: { kind: 'absent' }, state: 'unknown' };
  const question = rows.findLastIndex((row) => row.startsWith(' Do you want'));
  if (question !== -1) {
    const dialog = rows
      .slice(question, question + 4)
      .join('\n')
      .trim();
    return { ...base, composer: { kind: 'absent' }, state: 'waiting', dialog };
  }
  const isRule = (row: string) => /^─{5,}$/.test(row);
  const end = rows.findLastIndex(isRule);
  const start = rows.slice(0, Math.max(0, end)).findLastIndex(isRule);
  if (start === -1) return { ...base, composer: { kind: 'absent' }, state: 'unknown' };
  const box = screen.rows.slice(start + 1, end);
  const isGhost = box.every((row) => row.text.length <= 2 || row.dim.some(([from]) => from === 2));
  const text = box.map((row) => row.text.slice(2)).join('\n');
  const below = rows.slice(end + 1).join('\n');
  const busy = rows.some((row) => row.includes('esc to interrupt'));
  return {
    composer: composerOf(text, isGhost),
    state: busy ? 'working' : 'idle',
    dialog: null,
    choice: null,
    vimNormal: below.includes('-- NORMAL --'),
    queued: rows.some((row) => row.includes('Press up to edit queued messages')),
  };
}

function composerOf(text: string, isGhost: boolean): ScreenReading['composer'] {
  if (text.trim() === '' || isGhost) return { kind: 'empty' };
  return /^\[Pasted text #\d+/.test(text) ? { kind: 'pill', text } : { kind: 'draft', text };
}

export type Quirks = Readonly<Record<string, string | number | boolean>>;

export interface BenchOptions {
  readonly limits?: Partial<SendLimits>;
  readonly env?: Readonly<Record<string, string>>;
  /** Another bench's server, for a sender in a separate process. */
  readonly socketName?: string;
}

/** One private server with one stand-in program and a sender for it. */
export class SendBench {
  readonly server = new PrivateTmux();
  readonly outbox = memoryOutbox();
  readonly tmux: TmuxPort;
  readonly panes: Panes;
  readonly sender: Sender;
  /** What a transcript would say; null while it says nothing. */
  proof: ProofSignal | null = null;
  /** Whether there is a transcript at all. */
  hasTranscript = false;
  pane: SendPane | null = null;
  #dir = '';
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(options: BenchOptions = {}) {
    const { PATH, HOME, TMUX_TMPDIR } = process.env;
    this.#env = { PATH, HOME, TMUX_TMPDIR, ...options.env };
    this.tmux = createTmuxCommand({
      server: { kind: 'name', name: options.socketName ?? this.server.socketName },
      env: this.#env,
    });
    const processes = systemProcesses;
    this.panes = new Panes({ tmux: this.tmux, processes, env: this.#env });
    this.sender = this.senderOn(this.tmux, options.limits);
  }

  senderOn(tmux: TmuxPort, limits: Partial<SendLimits> = {}, ports: Partial<SenderPorts> = {}): Sender {
    return createSender({
      tmux,
      outbox: this.outbox,
      inspector: {
        foreground: (pane) => this.panes.foreground(pane),
        lineMaxBytes: (tty) => canonicalLineMaxBytes(tty, process.platform),
      },
      readScreen: readComposer,
      proof: {
        begin: () =>
          Promise.resolve(
            this.hasTranscript ? { poll: () => Promise.resolve(this.proof), close: () => undefined } : null,
          ),
      },
      clock: wallClock,
      newId: () => randomUUID(),
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
      limits,
      ...ports,
    });
  }

  async #start(argv: readonly string[], ready: string, size: { columns: number; rows: number }) {
    const env = { PATH: process.env.PATH ?? '', TERM: 'screen-256color', LANG: 'C.UTF-8', PS1: 'shell$ ' };
    await this.server.start({ argv, env, cwd: this.#dir, size });
    await this.server.until(ready, (screen) => screen.includes(ready));
    this.pane = await this.choose(this.server.pane);
  }

  async choose(paneId: string): Promise<SendPane> {
    const listed = await this.panes.list();
    if (!listed.ok) throw new Error(listed.error.message);
    const found = listed.value.find((each) => each.facts.identity.paneId === paneId);
    if (found === undefined) throw new Error(`no pane ${paneId}`);
    return { identity: found.facts.identity, cli: found.cli, cliPid: found.cliPid };
  }

  /** The stand-in composer with these quirks. */
  async startComposer(quirks: Quirks = {}, size = { columns: 80, rows: 24 }): Promise<void> {
    this.#dir = await mkdtemp(path.join(tmpdir(), 'copane-send-'));
    await this.#start(this.composerArgv(quirks), quirks.startMs === undefined ? 'ready' : '', size);
    // A late one draws nothing yet, but it runs and has requested framed pastes.
    const choose = () => this.choose(this.server.pane);
    if (quirks.title === undefined) {
      this.pane = await eventually('the program', choose, (pane) => pane.cli === 'claude');
    }
  }

  composerArgv(quirks: Quirks): readonly string[] {
    const config = { bytes: this.file('bytes'), acts: this.file('acts'), ...quirks };
    return [process.execPath, path.join(PROGRAMS, 'composer.mjs'), JSON.stringify(config)];
  }

  /** A program that reads lines. */
  async startLineReader(answerLines = 1, size = { columns: 80, rows: 24 }): Promise<void> {
    this.#dir = await mkdtemp(path.join(tmpdir(), 'copane-send-'));
    const argv = [
      process.execPath,
      path.join(PROGRAMS, 'line-reader.mjs'),
      this.file('bytes'),
      String(answerLines),
    ];
    await this.#start(argv, 'ready', size);
  }

  /** Any program. */
  async startProgram(argv: readonly string[], ready: string): Promise<void> {
    this.#dir = await mkdtemp(path.join(tmpdir(), 'copane-send-'));
    await this.#start(argv, ready, { columns: 80, rows: 24 });
  }

  file(name: string): string {
    return path.join(this.#dir, name);
  }

  /** Everything that the program has read. */
  async bytes(): Promise<Buffer> {
    try {
      return await readFile(this.file('bytes'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    }
  }

  /** What the composer did, oldest first. */
  async acts(): Promise<readonly Record<string, string>[]> {
    try {
      const text = await readFile(this.file('acts'), 'utf8');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, string>);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** The prompts that the composer accepted. */
  async submitted(): Promise<readonly string[]> {
    return (await this.acts()).flatMap((each) => (each.submitted === undefined ? [] : [each.submitted]));
  }

  async send(
    text: string,
    options: Partial<Omit<SendOptions, 'pane' | 'text'>> = {},
  ): ReturnType<Sender['send']> {
    if (this.pane === null) throw new Error('start a program first');
    return this.sender.send({
      pane: this.pane,
      text,
      mode: 'prompt',
      markers: false,
      submit: true,
      ...options,
    });
  }

  /** Runs tmux on the private server; throws on failure. */
  async must(...args: string[]): Promise<string> {
    const outcome = await this.server.run(args);
    if (outcome.code !== 0) throw new Error(`tmux ${args.join(' ')}: ${outcome.stderr}`);
    return outcome.stdout.toString('utf8').trimEnd();
  }

  /** A tmux server lives on for up to two seconds after it is told to end; with a hundred servers that is minutes. */
  async #endServer(): Promise<void> {
    if (this.pane === null) return this.server.kill();
    const { serverPid, socketPath } = this.pane.identity;
    try {
      process.kill(serverPid, 'SIGKILL');
    } catch (error) {
      // The test ended the server itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await rm(socketPath, { force: true });
  }

  async close(): Promise<void> {
    await this.#endServer();
    if (this.#dir !== '') await rm(this.#dir, { recursive: true, force: true });
  }
}

/** Polls `read` until `isMet` accepts the value; fails with the last value. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T>,
  isMet: (value: T) => boolean,
  timeoutMs = 15_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs * PATIENCE;
  for (;;) {
    const value = await read();
    if (isMet(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`waited ${timeoutMs * PATIENCE} ms for ${what}; last: ${JSON.stringify(value)}`);
    await wallClock.sleep(30);
  }
}

/** The value of a result that must be ok. */
export function must<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
