/** Times a zsh in a pseudo terminal: from a key's byte to the expected output. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node-pty';

export interface ZshSessionOptions {
  /** Lines for its .zshrc. */
  readonly zshrc: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The shell's history file; none by default. */
  readonly histfile?: string;
  /** What to run in place of `zsh -d -i`. */
  readonly argv?: readonly [string, ...string[]];
}

const PATIENCE_MS = 20_000;

export class ZshSession {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-zsh-'));
  readonly startedMs: Promise<number>;
  readonly #pty;
  #output = '';
  #listener: (() => void) | null = null;
  #lastAt = 0;

  constructor(options: ZshSessionOptions) {
    writeFileSync(
      path.join(this.dir, '.zshrc'),
      [
        `PS1='READY%# '; HISTFILE=${options.histfile ?? '/dev/null'} HISTSIZE=200000 SAVEHIST=0; fc -R`,
        ...options.zshrc,
        '',
      ].join('\n'),
    );
    const { CI: _ci, EDITOR: _editor, VISUAL: _visual, ...inherited } = process.env;
    const [file, ...args] = options.argv ?? ['zsh', '-d', '-i'];
    const started = performance.now();
    this.#pty = spawn(file, args, {
      cols: 100,
      rows: 24,
      cwd: this.dir,
      env: {
        ...inherited,
        ZDOTDIR: this.dir,
        HOME: this.dir,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        LC_ALL: 'C.UTF-8',
        ...options.env,
      },
    });
    this.#pty.onData((data) => {
      this.#output += data;
      this.#lastAt = performance.now();
      this.#listener?.();
    });
    this.startedMs = this.#until('READY').then(() => performance.now() - started);
  }

  /** Milliseconds from these keys to output that holds `text`. */
  async keyTo(keys: string, text: string): Promise<number> {
    this.#output = '';
    const started = performance.now();
    this.#pty.write(keys);
    await this.#until(text);
    return performance.now() - started;
  }

  /** The output of these keys until `quietMs` of silence: when its last byte came, and how many bytes. */
  async keySettled(
    keys: string,
    quietMs = 150,
  ): Promise<{ readonly ms: number; readonly bytes: number; readonly text: string }> {
    this.#output = '';
    const started = performance.now();
    this.#lastAt = started;
    this.#pty.write(keys);
    while (this.#output === '' || performance.now() - this.#lastAt < quietMs) {
      if (performance.now() - started > PATIENCE_MS)
        throw new Error(`nothing came for ${JSON.stringify(keys)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return { ms: this.#lastAt - started, bytes: Buffer.byteLength(this.#output), text: this.#output };
  }

  /** Empties the line and waits for silence. */
  async settle(quietMs = 60): Promise<void> {
    this.#pty.write('\u0015');
    for (let before = -1; before !== this.#output.length; ) {
      before = this.#output.length;
      await new Promise((resolve) => setTimeout(resolve, quietMs));
    }
  }

  close(): void {
    this.#pty.kill('SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }

  #until(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#listener = null;
        reject(new Error(`not seen: ${text}\n${this.#output.slice(-400)}`));
      }, PATIENCE_MS);
      this.#listener = () => {
        if (!this.#output.includes(text)) return;
        clearTimeout(timer);
        this.#listener = null;
        resolve();
      };
      this.#listener();
    });
  }
}
