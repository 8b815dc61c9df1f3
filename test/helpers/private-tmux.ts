/**
 * A private tmux server for a test: its own socket, no configuration, one pane that runs one program. Never the user's
 * server; `kill` ends exactly this one.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/platform/process-state.ts';
import { type RunOutcome, run } from '../../src/platform/run.ts';
import { PATIENCE, until } from './until.ts';

export interface PaneSize {
  readonly columns: number;
  readonly rows: number;
}

/** What tmux reports about the pane besides its text. */
export interface PaneFacts {
  readonly title: string;
  readonly alternate: boolean;
  readonly cursorRow: number;
  readonly cursorColumn: number;
  readonly historySize: number;
  readonly dead: boolean;
}

export interface PaneLaunch {
  readonly argv: readonly string[];
  /** The whole environment of the program; nothing is inherited from us. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly size: PaneSize;
}

const POLL_MS = 50;
const DEFAULT_PATIENCE_MS = 30_000;
const FACTS = [
  'alternate_on',
  'cursor_y',
  'cursor_x',
  'history_size',
  'pane_dead',
  'pane_title', // last: it may hold the separator
];

export class PrivateTmux {
  readonly socketName = `copane-test-${process.pid}-${randomBytes(4).toString('hex')}`;
  #target = '';
  readonly #patienceMs: number;

  /** `patienceMs` is how long `until` and `settled` wait by default. */
  constructor(patienceMs = DEFAULT_PATIENCE_MS) {
    this.#patienceMs = patienceMs;
  }

  /** Runs one tmux command on this server. `-u`: a C locale would turn every non-ASCII byte of a format into `_`. */
  async run(args: readonly string[], input?: string): Promise<RunOutcome> {
    const argv = ['-u', '-L', this.socketName, '-f', '/dev/null', ...args];
    return await run('tmux', argv, input === undefined ? {} : { input });
  }

  async #must(args: readonly string[], input?: string): Promise<string> {
    const outcome = await this.run(args, input);
    if (outcome.code !== 0) throw new Error(`tmux ${args.join(' ')}: ${outcome.failure ?? outcome.stderr}`);
    return outcome.stdout.toString('utf8');
  }

  /** The pane's id, `%0` and so on. */
  get pane(): string {
    return this.#target;
  }

  /** Starts the program in a new session; the first call also starts the server. */
  async start(launch: PaneLaunch): Promise<string> {
    const { columns, rows } = launch.size;
    const vars = Object.entries(launch.env).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', String(columns), '-y', String(rows)];
    const where = ['-P', '-F', '#{pane_id}', '-c', launch.cwd];
    const command = ['env', '-i', ...vars, ...launch.argv];
    // Options first: before tmux 3.7 the history limit only applies to panes made afterwards.
    const options = [
      'set-option',
      '-g',
      'history-limit',
      '50000',
      ';',
      'set-option',
      '-g',
      'remain-on-exit',
      'on',
    ];
    const session = ['new-session', '-d', ...size, ...where, ...command];
    const id = await this.#must(['start-server', ';', ...options, ';', ...session]);
    this.#target = id.trim();
    return this.#target;
  }

  /** Replaces the program in the pane. */
  async restart({ argv, env, cwd }: Omit<PaneLaunch, 'size'>): Promise<void> {
    const vars = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    await this.#must(['respawn-pane', '-k', '-t', this.#target, '-c', cwd, 'env', '-i', ...vars, ...argv]);
  }

  /** The visible screen; `styled` keeps SGR. */
  async screen(styled = false): Promise<string> {
    return await this.#must(['capture-pane', '-p', ...(styled ? ['-e'] : []), '-t', this.#target]);
  }

  /** Screen and history, with lines that tmux wrapped joined. */
  async history(): Promise<string> {
    return await this.#must(['capture-pane', '-p', '-J', '-S', '-', '-t', this.#target]);
  }

  async facts(): Promise<PaneFacts> {
    const format = FACTS.map((name) => `#{${name}}`).join('|');
    const line = (await this.#must(['display-message', '-p', '-t', this.#target, format])).replace(/\n$/, '');
    const [alternate, y, x, history, dead, ...title] = line.split('|');
    return {
      alternate: alternate === '1',
      cursorRow: Number(y),
      cursorColumn: Number(x),
      historySize: Number(history),
      dead: dead === '1',
      title: title.join('|'),
    };
  }

  /** Pastes `text` as one framed paste, as the product does. */
  async paste(text: string): Promise<void> {
    await this.#must(['load-buffer', '-b', 'test', '-'], text);
    await this.#must(['paste-buffer', '-p', '-r', '-d', '-b', 'test', '-t', this.#target]);
  }

  /** Presses keys by tmux name: `Enter`, `Escape`, `C-c`, `Up`. */
  async keys(...names: string[]): Promise<void> {
    await this.#must(['send-keys', '-t', this.#target, ...names]);
  }

  /** Types text key by key. */
  async type(text: string): Promise<void> {
    await this.#must(['send-keys', '-l', '-t', this.#target, '--', text.replace(/;$/, '\\;')]);
  }

  /** Polls the plain screen until `isMet`; on a timeout the error shows the last screen. */
  async until(
    what: string,
    isMet: (screen: string) => boolean,
    timeoutMs = this.#patienceMs,
  ): Promise<string> {
    let last = '';
    const look = async () => {
      last = await this.screen();
      return isMet(last) ? last : null;
    };
    return until(what, look, { timeoutMs, intervalMs: POLL_MS, show: () => last });
  }

  /** Waits until two looks `quietMs` apart are equal. */
  async settled(quietMs = 400, timeoutMs = this.#patienceMs): Promise<string> {
    const deadline = Date.now() + timeoutMs * PATIENCE;
    let before = await this.screen(true);
    for (;;) {
      await sleep(quietMs);
      const now = await this.screen(true);
      if (now === before) return now;
      if (Date.now() > deadline) throw new Error(`the screen did not settle; last screen:\n${now}`);
      before = now;
    }
  }

  /** Ends this server and its program, and waits for the program: it may still write to its HOME. */
  async kill(): Promise<void> {
    const listed = await this.run(['list-panes', '-a', '-F', '#{pane_dead}|#{pane_pid}|#{socket_path}']);
    await this.run(['kill-server']);
    for (const line of listed.stdout.toString('utf8').trim().split('\n')) {
      const [dead, pid, ...socket] = line.split('|');
      // The pid of a dead pane may now belong to another process.
      if (dead === '0') await ended(Number(pid));
      if (socket.length > 0) rmSync(socket.join('|'), { force: true });
    }
  }
}

const EXIT_DEADLINE_MS = 5_000;

async function ended(pid: number): Promise<void> {
  const deadline = Date.now() + EXIT_DEADLINE_MS;
  while (isAlive(pid) && Date.now() < deadline) await sleep(POLL_MS);
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}
