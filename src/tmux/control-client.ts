/**
 * One tmux client in control mode: runs commands without a process for each, and reports every pane that prints. Never
 * read-only (tmux 3.7 would reject everyone's keys), and never switches a pane's output off (that crashed servers):
 * unwatched panes are paused instead. tmux ends it when our end of its input closes.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import { makeScratch } from '../platform/scratch.ts';
import { serverFlags, type TmuxServer, tmuxEnv } from './command.ts';
import { formatCommandLine, type TmuxCommand } from './core/command-line.ts';
import { type ControlEvent, ControlParser } from './core/control-protocol.ts';
import { explainTmuxError } from './core/errors.ts';
import { PANE_PROGRAM_FORMAT, PANE_STATUS_FORMAT } from './core/formats.ts';
import type { TmuxFailure, TmuxPort, TmuxRunOptions } from './port.ts';

/** Events of a watched pane. */
interface PaneListener {
  /** It printed something, or was resized. */
  onOutput(): void;
  /** Title, screen kind, mode, program or death changed. */
  onStatus(): void;
}

export interface ControlClient extends TmuxPort {
  /** False once it has ended: calls then fail without being sent. */
  readonly isOpen: boolean;
  /** Reports events of a pane until the returned function is called. Panes that nobody watches are paused. */
  watch(paneId: string, listener: PaneListener): () => void;
  /** Called when windows, panes or programs in them appear or disappear. */
  onTopology(listener: () => void): void;
  /** Called when another window or pane comes to the front in any session, or a pane is zoomed. */
  onSwitch(listener: () => void): void;
  /** Resolves when the client has ended, with tmux's reason. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface ControlClientOptions {
  readonly server: TmuxServer;
  readonly env: Env;
  /** `$N`; output comes from the panes of this session. A window or pane here would make it the user's current one. */
  readonly sessionId: string;
}

const ATTACH_TIMEOUT_MS = 5000;
const DEFAULT_TIMEOUT_MS = 5000;
/** How long tmux may take to say goodbye before it is killed. */
const CLOSE_TIMEOUT_MS = 1000;
/** The most pending commands; more mean that a caller loops. */
const MAX_PENDING = 1000;

/** The start of the subscription name for the program in a pane; the pane's number follows. */
const PROGRAM = 'program';
const TOPOLOGY_NOTICE = /^%(?:unlinked-)?(?:window-(?:add|close)|sessions-changed|layout-change)$/;
/** Notifications that another window or pane is in front, in any session. */
const SWITCH_NOTICE = /^%(?:session-window-changed|window-pane-changed|layout-change)$/;

interface Pending {
  /** The output of the sentinel after the commands: everything before it is their answer. */
  readonly sentinel: string;
  readonly body: string[];
  error: string | null;
  readonly settle: (result: Result<string, TmuxFailure>) => void;
}

function broken(message: string): { readonly ok: false; readonly error: TmuxFailure } {
  return { ok: false, error: { ...fail('internal', message).error, certain: false } };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

class Connection implements ControlClient {
  readonly ended: Promise<string>;
  readonly #child: Child;
  readonly #parser = new ControlParser();
  readonly #pending: Pending[] = [];
  readonly #watched = new Map<string, Set<PaneListener>>();
  readonly #paused = new Set<string>();
  #programs: readonly string[] = [];
  readonly #nonce = crypto.randomUUID();
  #topology: () => void = () => undefined;
  #switched: () => void = () => undefined;
  #count = 0;
  #reason = '';
  #open = true;
  #stderr = '';
  #tempDir: string | null = null;
  #attached: (result: Result<true, TmuxFailure>) => void = () => undefined;
  readonly attached: Promise<Result<true, TmuxFailure>>;

  constructor(child: Child) {
    this.#child = child;
    this.attached = new Promise((resolve) => {
      this.#attached = resolve;
    });
    child.stdout.on('data', (bytes: Buffer) => this.#receive(bytes));
    child.stderr.on('data', (bytes: Buffer) => {
      this.#stderr = (this.#stderr + bytes.toString('utf8')).slice(-1000);
    });
    // The end of the process is reported; a broken pipe before that is not.
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const end = (reason: string) => {
        this.#end(reason);
        resolve(reason);
      };
      child.on('error', (error) => end(errorMessage(error)));
      child.on('close', () => end(this.#reason || this.#stderr.trim() || 'the tmux client exited'));
    });
  }

  run(commands: readonly TmuxCommand[], options: TmuxRunOptions = {}): Promise<Result<string, TmuxFailure>> {
    return options.input === undefined
      ? this.#exchange(commands)
      : this.#runWithInput(commands, options.input);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  onTopology(listener: () => void): void {
    this.#topology = listener;
    void this.#followPrograms();
  }

  onSwitch(listener: () => void): void {
    this.#switched = listener;
  }

  watch(paneId: string, listener: PaneListener): () => void {
    const listeners = this.#watched.get(paneId) ?? new Set();
    const isFirst = listeners.size === 0;
    listeners.add(listener);
    this.#watched.set(paneId, listeners);
    if (isFirst) this.#subscribe(paneId);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#watched.get(paneId) !== listeners) return;
      this.#watched.delete(paneId);
      this.#tell([['refresh-client', '-B', `pane${paneId.slice(1)}`]]);
    };
  }

  async close(): Promise<void> {
    if (this.#open) await this.#hangUp();
    await this.#removeTempDir();
  }

  async #hangUp(): Promise<void> {
    // A control client ends at the end of its input.
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  async #removeTempDir(): Promise<void> {
    const dir = this.#tempDir;
    this.#tempDir = null;
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }

  #subscribe(paneId: string): void {
    const name = `pane${paneId.slice(1)}`;
    this.#tell([['refresh-client', '-B', `${name}:${paneId}:${PANE_STATUS_FORMAT}`]]);
    if (this.#paused.delete(paneId)) this.#tell([['refresh-client', '-A', `${paneId}:continue`]]);
  }

  /**
   * Subscribes to each pane of the session separately. A single subscription to all of them (`%*`) crashes a server up
   * to tmux 3.6, with all its sessions, if its client outlives it by one check (tmux issue 4916).
   */
  async #followPrograms(): Promise<void> {
    const listed = await this.#exchange([['list-panes', '-s', '-F', '#{pane_id}']]);
    if (!listed.ok) return;
    const panes = listed.value.trim().split('\n');
    const known = new Set(this.#programs);
    this.#programs = panes;
    const name = (paneId: string) => `${PROGRAM}${paneId.slice(1)}`;
    const news = panes.filter((paneId) => !known.delete(paneId));
    const subscriptions = [
      ...news.map((paneId) => `${name(paneId)}:${paneId}:${PANE_PROGRAM_FORMAT}`),
      ...[...known].map(name),
    ];
    for (const subscription of subscriptions) this.#tell([['refresh-client', '-B', subscription]]);
  }

  #tell(commands: readonly TmuxCommand[]): void {
    void this.#exchange(commands);
  }

  /** `load-buffer -` would read our commands as its text, so the text goes through a private file. */
  async #runWithInput(commands: readonly TmuxCommand[], input: string): Promise<Result<string, TmuxFailure>> {
    let file: string;
    try {
      this.#tempDir ??= makeScratch('paste');
      this.#count += 1;
      file = path.join(this.#tempDir, `paste-${this.#count}`);
      await writeFile(file, input, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      const { error: failure } = fail(
        'internal',
        `the text could not be passed to tmux: ${errorMessage(error)}`,
      );
      return { ok: false, error: { ...failure, certain: true } };
    }
    const withFile = commands.map((command) =>
      command[0] === 'load-buffer' ? command.map((word) => (word === '-' ? file : word)) : command,
    );
    const answer = await this.#exchange(withFile);
    // The answer is ignored: the folder is removed when the client ends.
    rm(file, { force: true }).catch(() => undefined);
    return answer;
  }

  #exchange(commands: readonly TmuxCommand[]): Promise<Result<string, TmuxFailure>> {
    if (!this.#open) return Promise.resolve(broken('the connection to tmux is closed'));
    if (this.#pending.length >= MAX_PENDING) return Promise.resolve(broken('tmux does not answer'));
    this.#count += 1;
    const sentinel = `${this.#nonce}:${this.#count}`;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => resolve(broken(`tmux did not answer within ${DEFAULT_TIMEOUT_MS} ms`)),
        DEFAULT_TIMEOUT_MS,
      );
      const settle = (result: Result<string, TmuxFailure>) => {
        clearTimeout(timer);
        resolve(result);
      };
      this.#pending.push({ sentinel, body: [], error: null, settle });
      this.#child.stdin.write(`${formatCommandLine(commands)}\ndisplay-message -p ${sentinel}\n`);
    });
  }

  #receive(bytes: Uint8Array): void {
    for (const event of this.#parser.push(bytes)) this.#handle(event);
  }

  #handle(event: ControlEvent): void {
    switch (event.kind) {
      case 'reply':
        this.#reply(event);
        break;
      case 'output':
        this.#output(event.paneId);
        break;
      case 'pause':
        this.#onPause(event.paneId);
        break;
      case 'subscription':
        if (event.name.startsWith(PROGRAM)) this.#topology();
        else this.#each(`%${event.name.replace(/^pane/, '')}`, (listener) => listener.onStatus());
        break;
      case 'exit':
        this.#reason = event.reason;
        break;
      case 'other':
        if (event.name === '%layout-change') this.#layoutChanged();
        if (TOPOLOGY_NOTICE.test(event.name)) {
          this.#topology();
          void this.#followPrograms();
        }
        if (SWITCH_NOTICE.test(event.name)) this.#switched();
        break;
      case 'continue':
        break;
    }
  }

  #reply(event: Extract<ControlEvent, { kind: 'reply' }>): void {
    if (!event.ours) {
      this.#attached(event.ok ? ok(true) : { ok: false, error: certainly(event.body) });
      return;
    }
    const [first] = this.#pending;
    if (first === undefined) return;
    if (event.body === `${first.sentinel}\n`) {
      this.#pending.shift();
      first.settle(
        first.error === null ? ok(first.body.join('')) : { ok: false, error: certainly(first.error) },
      );
    } else if (event.ok) first.body.push(event.body);
    else first.error ??= event.body;
  }

  #output(paneId: string): void {
    if (this.#watched.has(paneId)) {
      this.#each(paneId, (listener) => listener.onOutput());
    } else if (!this.#paused.has(paneId)) {
      this.#paused.add(paneId);
      this.#tell([['refresh-client', '-A', `${paneId}:pause`]]);
    }
  }

  /** tmux paused a watched pane because we were slow: read the screen to see what we missed. */
  #onPause(paneId: string): void {
    if (!this.#watched.has(paneId)) return;
    this.#tell([['refresh-client', '-A', `${paneId}:continue`]]);
    this.#each(paneId, (listener) => listener.onOutput());
  }

  #layoutChanged(): void {
    for (const paneId of this.#watched.keys()) this.#each(paneId, (listener) => listener.onOutput());
  }

  #each(paneId: string, call: (listener: PaneListener) => void): void {
    for (const listener of this.#watched.get(paneId) ?? []) call(listener);
  }

  #end(reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#attached({ ok: false, error: certainly(reason) });
    for (const pending of this.#pending.splice(0)) pending.settle(broken(`tmux went away: ${reason}`));
    this.#removeTempDir().catch(() => undefined);
  }
}

const certainly = (text: string): TmuxFailure => ({ ...explainTmuxError(text), certain: true });

/** Attaches a control client; fails if there is no such server, session or pane. */
export async function connectControlClient(
  options: ControlClientOptions,
): Promise<Result<ControlClient, TmuxFailure>> {
  // A bare `tmux -C` would create a session; `ignore-size` keeps the size of the user's windows; without `-E` our
  // environment would replace the session's SSH_AUTH_SOCK and DISPLAY.
  const attach = ['-C', 'attach-session', '-E', '-f', 'ignore-size,pause-after=1', '-t', options.sessionId];
  const child = spawn('tmux', [...serverFlags(options.server), ...attach], {
    env: tmuxEnv(options.env) as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const connection = new Connection(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), ATTACH_TIMEOUT_MS);
  const attached = await connection.attached;
  clearTimeout(timer);
  if (attached.ok) return ok(connection);
  await connection.close();
  return attached;
}
