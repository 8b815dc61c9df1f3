/** A program in a real pseudo terminal, its screen read through an emulator; waits with a deadline, never by sleeping. */
import xterm from '@xterm/headless';
import * as pty from 'node-pty';
import { PATIENCE } from './until.ts';

/** How long to wait for a screen before the test fails and shows the last one. */
const DEADLINE_MS = 15_000;

export interface PtyProgram {
  readonly pid: number;
  readonly type: (bytes: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly screen: () => string[];
  readonly isAlternate: () => boolean;
  readonly isCursorVisible: () => boolean;
  /** Everything that the program wrote. */
  readonly raw: () => string;
  /** Waits until the screen meets the condition; returns it. */
  readonly until: (what: string, satisfied: (screen: string) => boolean) => Promise<string>;
  readonly exit: Promise<{ readonly exitCode: number; readonly signal: number | undefined }>;
  readonly kill: (signal?: string) => void;
}

export interface PtyOptions {
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Starts `command` in a pseudo terminal. */
export function startInPty(command: readonly string[], options: PtyOptions): PtyProgram {
  const { columns, rows } = options;
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR', 'TMUX', 'TMUX_PANE']) delete env[name];
  const [file = '', ...args] = command;
  const child = pty.spawn(file, args, {
    cols: columns,
    rows,
    cwd: options.cwd ?? process.cwd(),
    name: 'xterm-256color',
    env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
  });
  let raw = '';
  child.onData((data) => {
    raw += data;
    terminal.write(data);
  });
  terminal.onData((data) => child.write(data));
  const screen = (): string[] =>
    Array.from({ length: terminal.rows }, (_, row) => {
      const { active } = terminal.buffer;
      return active.getLine(active.baseY + row)?.translateToString(true) ?? '';
    });
  return {
    pid: child.pid,
    type: (bytes) => child.write(bytes),
    resize: (nextColumns, nextRows) => {
      terminal.resize(nextColumns, nextRows);
      child.resize(nextColumns, nextRows);
    },
    screen,
    isAlternate: () => terminal.buffer.active.type === 'alternate',
    isCursorVisible: () =>
      !(terminal as unknown as { _core: { coreService: { isCursorHidden: boolean } } })._core.coreService
        .isCursorHidden,
    raw: () => raw,
    until: async (what, satisfied) => {
      const deadline = Date.now() + DEADLINE_MS * PATIENCE;
      for (;;) {
        const text = screen().join('\n');
        if (satisfied(text)) return text;
        if (Date.now() > deadline) throw new Error(`never saw ${what}; the last screen:\n${text}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    exit: new Promise((resolve) => {
      child.onExit(({ exitCode, signal }) => resolve({ exitCode, signal }));
    }),
    kill: (signal) => child.kill(signal),
  };
}
