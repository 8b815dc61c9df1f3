/** One hidden zsh with the user's set-up, asked one question at a time through files. Pauses after a failure. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IPty } from 'node-pty';
import { readRegularSync } from '../../platform/regular-file.ts';
import { makeScratch, sweepScratch } from '../../platform/scratch.ts';
import { shippedFile } from '../../platform/shipped-files.ts';
import type { Named } from '../sources/source.ts';

const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

const START_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 3_000;
const POLL_MS = 8;
/** Pause after a failure. */
const REST_MS = 10 * 60_000;
/** How long to wait for a killed shell to exit. */
const EXIT_WAIT_MS = 300;
const ASK_KEY = '\u0018\u0007';

/** node-pty passes an undefined variable as the text `undefined`, where zsh would look for a .zshrc. */
function definedIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export interface HiddenShellOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

export class HiddenShell {
  readonly #options: HiddenShellOptions;
  #pty: IPty | null = null;
  #dir = '';
  #isClosed = false;
  #exited: Promise<void> = Promise.resolve();
  #restUntil = Number.NEGATIVE_INFINITY;
  #starting: Promise<boolean> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: HiddenShellOptions) {
    this.#options = options;
  }

  /** Completions of the user's functions at the end of `line` in `cwd`; none if the shell fails. */
  ask(cwd: string, line: string): Promise<readonly Named[]> {
    const answer = this.#tail.then(() => this.#ask(cwd, line));
    this.#tail = answer.catch(() => undefined);
    return answer;
  }

  /**
   * Ends the shell permanently and waits for its exit: a thread that ends earlier destroys objects that node-pty's own
   * thread is about to use, which crashes the whole process.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, EXIT_WAIT_MS);
    await Promise.race([this.#exited, patience.promise]);
    clearTimeout(timer);
  }

  #stop(): void {
    this.#pty?.kill('SIGKILL');
    this.#pty = null;
    if (this.#dir !== '') rmSync(this.#dir, { recursive: true, force: true });
    this.#dir = '';
  }

  async #ask(cwd: string, line: string): Promise<readonly Named[]> {
    if (this.#isClosed || this.#options.now() < this.#restUntil || /[\u0000-\u001f]/.test(cwd + line))
      return [];
    if (this.#pty === null) this.#starting ??= this.#start();
    if (this.#starting !== null && !(await this.#starting)) return this.#giveUp();
    rmSync(path.join(this.#dir, 'answer'), { force: true });
    // zsh drops trailing newlines of a file that it reads; the dot keeps them, and blanks.
    writeFileSync(path.join(this.#dir, 'request'), `${cwd}\n${line}.`, { mode: 0o600 });
    this.#pty?.write(ASK_KEY);
    const answer = await this.#answer(ANSWER_TIMEOUT_MS);
    return answer === null ? this.#giveUp() : namesIn(answer);
  }

  #giveUp(): readonly Named[] {
    this.#stop();
    this.#starting = null;
    this.#restUntil = this.#options.now() + REST_MS;
    return [];
  }

  async #start(): Promise<boolean> {
    // Nobody else deletes the leftovers of a killed daemon.
    await sweepScratch();
    if (this.#isClosed) return false;
    this.#dir = makeScratch('hidden');
    try {
      const { spawn } = await import('node-pty');
      if (this.#isClosed) return false;
      // Without a .zshrc an interactive zsh starts a dialogue that would read our keys as answers. The line below
      // begins with a blank: without the option, a .zshrc that appends at once would record it in the history file.
      this.#pty = spawn('zsh', ['-i', '-o', 'hist_ignore_space', ...(this.#hasZshrc() ? [] : ['-f'])], {
        cols: 200,
        rows: 50,
        env: {
          ...definedIn(this.#options.env),
          TERM: 'xterm',
          COPANE_HIDDEN_SHELL: '1',
          COPANE_HIDDEN_DIR: this.#dir,
        },
      });
    } catch {
      // No zsh, or no node-pty for this platform: the other sources do without.
      return false;
    }
    const pty = this.#pty;
    this.#exited = new Promise((resolve) => {
      pty.onExit(() => {
        this.#pty = null;
        this.#starting = null;
        resolve();
      });
    });
    const script = fileURLToPath(shippedFile('completion-hidden.zsh'));
    pty.write(` source '${script.replaceAll("'", "'\\''")}'\r`);
    return (await this.#answer(START_TIMEOUT_MS)) !== null;
  }

  #hasZshrc(): boolean {
    const { ZDOTDIR, HOME } = this.#options.env;
    const folder = ZDOTDIR || HOME;
    return folder !== undefined && existsSync(path.join(folder, '.zshrc'));
  }

  async #answer(timeoutMs: number): Promise<string | null> {
    const deadline = this.#options.now() + timeoutMs;
    while (this.#options.now() < deadline) {
      try {
        return String(readRegularSync(path.join(this.#dir, 'answer'), { maxBytes: ANSWER_MAX_BYTES }));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return null;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return null;
  }
}

/** The distinct words of an answer: one a line, each with TAB and a description. */
function namesIn(answer: string): readonly Named[] {
  const names = new Map<string, Named>();
  for (const line of answer.split('\n')) {
    const [name = '', description = ''] = line.split('\t');
    if (name !== '' && !names.has(name))
      names.set(name, description === '' ? { name } : { name, description });
  }
  return [...names.values()];
}
