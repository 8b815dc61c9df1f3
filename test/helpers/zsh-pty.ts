/** A real interactive zsh in a real pty, with its screen in a terminal emulator. Keys in, screen and client state out. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import xterm from '@xterm/headless';
import { type IPty, spawn } from 'node-pty';
import { PRODUCT } from './product.ts';
import { removeTree } from './remove-tree.ts';
import { PATIENCE } from './until.ts';

const CLIENT = path.join(PRODUCT, 'shell/ashlet.zsh');
const POLL_MS = 15;
const PROBE_AGAIN_ROUNDS = 30;
const DEFAULT_TIMEOUT_MS = 8_000;

export interface ClientState {
  readonly state: string;
  readonly count: number;
  readonly index: number;
  readonly dismissed: boolean;
  readonly tip: boolean;
  readonly nextId: number;
  readonly buffer: string;
  readonly cursor: number;
  readonly postdisplay: string;
  readonly highlights: number;
}

export interface ZshOptions {
  readonly socket: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of a .zshrc before and after the client is loaded. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** Leaves out the client, as the control of a comparison. */
  readonly withoutClient?: boolean;
}

/** Writes the client's state to a file, through a widget: typing a command would change it. */
const PROBE = [
  'test-probe() {',
  '  emulate -L zsh',
  "  local sep=$'\\x1f'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of zsh.
  '  print -rn -- "$_ashlet_state$sep$_ashlet_candidate_count$sep$_ashlet_browse_index$sep$_ashlet_dismissed$sep$_ashlet_at_history_tip$sep$_ashlet_next_req_id$sep$BUFFER$sep$CURSOR$sep${POSTDISPLAY-}$sep${#region_highlight}" >| $PROBE_FILE.new',
  '  zmodload zsh/files && zf_mv -f $PROBE_FILE.new $PROBE_FILE',
  '}',
  'zle -N test-probe',
  "bindkey -M emacs '^X^T' test-probe; bindkey -M viins '^X^T' test-probe; bindkey -M vicmd '^X^T' test-probe",
];

export class ZshPty {
  readonly dir: string;
  readonly pid: number;
  readonly #pty: IPty;
  readonly #terminal: xterm.Terminal;
  readonly #probeFile: string;
  #exited = false;

  constructor(options: ZshOptions) {
    this.dir = mkdtempSync(path.join(os.tmpdir(), 'copane-zsh-'));
    this.#probeFile = path.join(this.dir, 'probe');
    writeFileSync(
      path.join(this.dir, '.zshrc'),
      [
        "PS1='%# '; PROMPT_EOL_MARK=; unsetopt promptcr promptsp; KEYTIMEOUT=5",
        ...(options.before ?? []),
        ...(options.withoutClient ? [] : [`source ${CLIENT}`]),
        ...(options.after ?? []),
        ...PROBE,
        'print -r -- READY',
      ].join('\n'),
    );
    const [cols, rows] = [options.columns ?? 80, options.rows ?? 16];
    this.#terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true });
    // npm sets EDITOR=vi, and zsh then starts in vi mode.
    const { CI: _ci, EDITOR: _editor, VISUAL: _visual, ...inherited } = process.env;
    this.#pty = spawn('zsh', ['-d', '-i'], {
      cols,
      rows,
      cwd: this.dir,
      env: {
        ...inherited,
        ZDOTDIR: this.dir,
        HOME: this.dir,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        LC_ALL: 'C.UTF-8',
        ASHLET_SOCKET: options.socket,
        PROBE_FILE: this.#probeFile,
        CLAUDECODE: '',
        ...options.env,
      },
    });
    this.pid = this.#pty.pid;
    this.#pty.onData((data) => this.#terminal.write(data));
    // Answers requests for the cursor position, as a terminal does.
    this.#terminal.onData((data) => this.#pty.write(data));
    this.#pty.onExit(() => {
      this.#exited = true;
    });
  }

  /** Resolves when the prompt is drawn. */
  async ready(): Promise<this> {
    await this.until((screen) => /READY\n(?:.*\n)*[%#] ?$/m.test(screen));
    await this.clear();
    return this;
  }

  async clear(): Promise<void> {
    this.type('\u000c');
    await this.until((screen) => !screen.includes('READY'));
  }

  type(keys: string): void {
    this.#pty.write(keys);
  }

  /** Keys one by one, each seen by the line editor before the next. */
  async typeSlowly(keys: string): Promise<void> {
    for (const key of keys) {
      this.type(key);
      await new Promise((resolve) => setTimeout(resolve, 8));
    }
  }

  /** The visible rows, without trailing blanks. */
  get rows(): readonly string[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  get screen(): string {
    return this.rows.join('\n').trimEnd();
  }

  /** The whole scrollback too. */
  get everything(): string {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
    ).join('\n');
  }

  /** Foreground colour of the cell at a column of a visible row; -1 for the default. */
  colourAt(row: number, column: number): number {
    const { active } = this.#terminal.buffer;
    const cell = active.getLine(active.viewportY + row)?.getCell(column);
    return cell?.isFgDefault() ? -1 : (cell?.getFgColor() ?? -1);
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  /** Waits until the screen meets the condition; fails with the last screen. */
  async until(
    wanted: (screen: string) => boolean,
    what = String(wanted),
    timeoutMs = DEFAULT_TIMEOUT_MS,
  ): Promise<string> {
    const deadline = Date.now() + timeoutMs * PATIENCE;
    for (;;) {
      if (wanted(this.screen)) return this.screen;
      if (this.#exited) throw new Error(`zsh ended while waiting for: ${what}\n${this.screen}`);
      if (Date.now() > deadline) throw new Error(`not seen: ${what}\n---\n${this.screen}\n---`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  untilText(text: string, timeoutMs?: number): Promise<string> {
    return this.until((screen) => screen.includes(text), JSON.stringify(text), timeoutMs);
  }

  untilNoText(text: string): Promise<string> {
    return this.until((screen) => !screen.includes(text), `no ${JSON.stringify(text)}`);
  }

  /** The client's own state, read by a widget. The line on the screen may be drawn later: wait for that with `until`. */
  async probe(): Promise<ClientState> {
    rmSync(this.#probeFile, { force: true });
    const deadline = Date.now() + DEFAULT_TIMEOUT_MS * PATIENCE;
    for (let round = 0; ; round += 1) {
      // Repeated now and then: the terminal drops keys typed before a Ctrl-C.
      if (round % PROBE_AGAIN_ROUNDS === 0) this.type('\u0018\u0014');
      const text = readIfThere(this.#probeFile);
      if (text !== null) return parseProbe(text);
      if (Date.now() > deadline) throw new Error(`the shell did not answer the probe\n${this.screen}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Probes until the state meets the condition. */
  async untilState(wanted: (state: ClientState) => boolean, what = String(wanted)): Promise<ClientState> {
    const deadline = Date.now() + DEFAULT_TIMEOUT_MS * PATIENCE;
    for (;;) {
      const state = await this.probe();
      if (wanted(state)) return state;
      if (Date.now() > deadline)
        throw new Error(`not reached: ${what}\n${JSON.stringify(state)}\n---\n${this.screen}`);
    }
  }

  /** Runs a command and returns its output. */
  async run(command: string): Promise<string> {
    const mark = `M${Math.random().toString(36).slice(2, 8)}`;
    const file = path.join(this.dir, mark);
    this.type(`\u0015 { ${command} ; } >| ${file} 2>&1; print -r -- $? >| ${file}.done\r`);
    const deadline = Date.now() + DEFAULT_TIMEOUT_MS * PATIENCE;
    while (readIfThere(`${file}.done`) === null) {
      if (Date.now() > deadline) throw new Error(`the command did not end: ${command}\n${this.screen}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return (readIfThere(file) ?? '').trimEnd();
  }

  /** Open file descriptors of the shell. */
  get openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  close(): void {
    if (!this.#exited) this.#pty.kill('SIGKILL');
    this.#terminal.dispose();
    removeTree(this.dir);
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parseProbe(text: string): ClientState {
  const fields = text.split('\u001f');
  return {
    state: fields[0] ?? '',
    count: Number(fields[1]),
    index: Number(fields[2]),
    dismissed: fields[3] === '1',
    tip: fields[4] === '1',
    nextId: Number(fields[5]),
    buffer: fields[6] ?? '',
    cursor: Number(fields[7]),
    postdisplay: fields[8] ?? '',
    highlights: Number(fields[9]),
  };
}
