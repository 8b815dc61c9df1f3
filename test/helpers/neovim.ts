/**
 * A real Neovim without a terminal, with the plugin and nothing of the user's, driven over a socket. What the
 * The plugin's messages are kept; copane is the stand-in `scripted-copane.mjs`, whose notes are the real ones.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type CompanionPlace, copaneEnv } from './companion-pane.ts';
import { listenOn, luaString, type NeovimAnswer, NeovimChannel } from './neovim-channel.ts';
import type { PrivateTmux } from './private-tmux.ts';
import { COPANE, NODE, PRODUCT, ROOT } from './product.ts';
import { removeTree } from './remove-tree.ts';
import { until } from './until.ts';

const PLUGIN = path.join(PRODUCT, 'nvim');
const STAND_IN = path.join(ROOT, 'test/fixtures/programs/scripted-copane.mjs');

/** What the stand-in does for each command. */
export interface Scripted {
  readonly code?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly delayMs?: number;
}

export interface ScriptedTurn {
  readonly id: string;
  readonly response: string;
  readonly progress?: string;
  readonly warning?: string | null;
}

/** The Neovims under test: the one on the PATH, and others named in $COPANE_TEST_NVIM, separated by colons. */
export const NEOVIMS: readonly string[] = ['nvim', ...(process.env.COPANE_TEST_NVIM ?? '').split(':')].filter(
  (binary) => binary !== '',
);

export interface StartOptions {
  /** Lua that runs before the plugin is loaded, as an `init.lua` does. */
  readonly before?: string;
  readonly env?: Env;
}

type Env = Readonly<Record<string, string>>;

export class Neovim {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'copane-nvim-'));
  readonly #binary: string;
  #child: ChildProcess | null = null;
  #output = '';
  #channel: NeovimChannel | null = null;

  private constructor(binary: string) {
    this.#binary = binary;
  }

  /** Starts it; `before` is Lua that runs before the plugin is loaded, as an `init.lua` does. */
  static async start(binary: string, before = ''): Promise<Neovim> {
    const neovim = new Neovim(binary);
    const init = neovim.#init(before, `cmd = { ${luaString(NODE)}, ${luaString(STAND_IN)} }`);
    await neovim.#spawn(['--headless', ...neovim.#args(init)], { env: neovim.#env() });
    return neovim;
  }

  /** Starts it without a terminal in the project of `place`, with the real copane and the host of that place. */
  static async startAt(binary: string, place: CompanionPlace, options: StartOptions = {}): Promise<Neovim> {
    const neovim = new Neovim(binary);
    const init = neovim.#init(options.before ?? '', `cmd = ${luaString(COPANE)}`);
    const env = { ...neovim.#env(), ...copaneEnv(place), COPANE_NODE: NODE, ...options.env };
    await neovim.#spawn(['--headless', ...neovim.#args(init)], { env, cwd: place.project });
    return neovim;
  }

  /** The same in a new window of `tmux`; returns the pane as well. */
  static async startIn(
    binary: string,
    tmux: PrivateTmux,
    place: CompanionPlace,
  ): Promise<{ readonly nvim: Neovim; readonly pane: string }> {
    const neovim = new Neovim(binary);
    const init = neovim.#init('', `cmd = ${luaString(COPANE)}`, true);
    const env = { ...neovim.#env(), ...copaneEnv(place), COPANE_NODE: NODE };
    const vars = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const argv = ['env', ...vars, binary, ...neovim.#args(init)];
    const made = await tmux.run(['new-window', '-d', '-P', '-F', '#{pane_id}', '-c', place.project, ...argv]);
    if (made.code !== 0) throw new Error(made.stderr);
    await neovim.#ready();
    return { nvim: neovim, pane: made.stdout.toString('utf8').trim() };
  }

  /** Starts it in a new window beside the AI pane that `tmux` runs, with the real copane. */
  static async startBeside(binary: string, tmux: PrivateTmux, place: CompanionPlace): Promise<Neovim> {
    const neovim = new Neovim(binary);
    const init = neovim.#init('', `cmd = ${luaString(COPANE)}, pane = ${luaString(tmux.pane)}`);
    const env = { ...neovim.#env(), ...copaneEnv(place), COPANE_NODE: NODE };
    const vars = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const made = await tmux.run([
      'new-window',
      '-d',
      '-c',
      place.project,
      'env',
      ...vars,
      binary,
      ...neovim.#args(init),
    ]);
    if (made.code !== 0) throw new Error(made.stderr);
    await neovim.#ready();
    return neovim;
  }

  async #spawn(
    argv: readonly string[],
    options: { readonly env: Env; readonly cwd?: string },
  ): Promise<void> {
    const child = spawn(this.#binary, [...argv], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        this.#output += String(chunk);
      });
    await this.#ready();
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  #args(init: string): string[] {
    return ['-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${init}`];
  }

  /** `speaks`: messages also appear on the screen. */
  #init(before: string, options: string, speaks = false): string {
    const init = path.join(this.root, 'init.lua');
    writeFileSync(
      init,
      `vim.g.mapleader = ' '
       said = {}
       local notify = vim.notify
       vim.notify = function(text, level)
         table.insert(said, text)
         ${speaks ? 'notify(text, level)' : ''}
       end
       vim.opt.runtimepath:prepend(${luaString(PLUGIN)})
       ${before}
       vim.cmd('runtime plugin/copane.lua')
       require('copane.config').set({ ${options} })
       ${listenOn(this.#socket)}`,
    );
    return init;
  }

  /** Waits until it answers; kills it if it does not. */
  async #ready(): Promise<void> {
    try {
      this.#channel = await until('Neovim', () => NeovimChannel.open(this.#socket), {
        show: () => this.#output,
        intervalMs: 20,
      });
    } catch (thrown) {
      await this.close();
      throw thrown;
    }
  }

  get #socket(): string {
    return path.join(this.root, 'test.sock');
  }

  #env(): Record<string, string> {
    const dir = (name: string) => {
      const folder = path.join(this.root, name);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    };
    return {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      HOME: dir('home'),
      XDG_CONFIG_HOME: dir('config'),
      XDG_DATA_HOME: dir('data'),
      XDG_STATE_HOME: dir('state'),
      XDG_CACHE_HOME: dir('cache'),
      XDG_RUNTIME_DIR: dir('run'),
      COPANE_SCRIPT: dir('script'),
      COPANE_REAL: COPANE,
      COPANE_NODE: NODE,
      LANG: 'C.UTF-8',
    };
  }

  /** Runs Lua in it and returns the result. */
  async lua<T>(code: string): Promise<T> {
    const { isGood, value } = await this.#ask('lua', code);
    if (!isGood) throw new Error(`Lua failed: ${value}\n${code}\n${this.#output}`);
    return value as T;
  }

  /** Presses keys, in Neovim's notation. */
  async keys(keys: string): Promise<void> {
    await this.#ask('keys', keys);
  }

  async #ask(kind: 'lua' | 'keys', text: string): Promise<NeovimAnswer> {
    if (this.#channel === null) throw new Error('Neovim was not started');
    return this.#channel.ask(kind, text);
  }

  /** Runs ex commands and normal-mode keys, one by one: `:5m0`, `2Gdd`. */
  async act(...acts: readonly string[]): Promise<void> {
    const code = acts.map((act) =>
      act.startsWith(':')
        ? `vim.cmd(${luaString(act.slice(1))})`
        : `vim.cmd('normal ' .. vim.api.nvim_replace_termcodes(${luaString(act)}, true, false, true))`,
    );
    await this.lua(`${code.join('\n')}\nreturn true`);
  }

  /** An empty buffer, with no messages and nothing sent; `name` makes it a file's. */
  async fresh(lines: readonly string[], name = ''): Promise<void> {
    removeTree(path.join(this.root, 'script'));
    mkdirSync(path.join(this.root, 'script'));
    const open = name === '' ? 'enew!' : `edit! ${name}`;
    await this.lua(`for _, win in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(win).relative ~= '' then vim.api.nvim_win_close(win, true) end
      end
      vim.cmd('silent! only!') vim.cmd(${luaString(open)}) said = {}
      vim.api.nvim_buf_set_lines(0, 0, -1, false, {${lines.map(luaString).join(', ')}})
      return true`);
  }

  async lines(): Promise<string[]> {
    return this.lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)');
  }

  async said(): Promise<string[]> {
    return this.lua('return said');
  }

  /** Waits for a plugin message that contains `words`, and clears the messages. */
  async untilSaid(words: string): Promise<string> {
    let last: string[] = [];
    const found = await until(
      `the message "${words}"`,
      async () => {
        last = await this.said();
        return last.find((text) => text.includes(words));
      },
      { show: () => JSON.stringify(last), intervalMs: 30 },
    );
    await this.lua('said = {} return true');
    return found;
  }

  /** Sets what `copane <command>` will do. */
  script(command: 'pull' | 'send' | 'changes' | 'review', scripted: Scripted): void {
    writeFileSync(path.join(this.root, 'script', `${command}.json`), JSON.stringify(scripted));
  }

  /** Sets the answer to the next pull. */
  answer(...turns: readonly ScriptedTurn[]): void {
    const full = turns.map((turn) => ({ progress: 'complete', warning: null, ...turn }));
    this.script('pull', { stdout: JSON.stringify({ turns: full }) });
  }

  /** What was sent so far. */
  sent(): string[] {
    return this.#records('sent.jsonl') as string[];
  }

  /** Every command line of copane so far. */
  argv(): string[][] {
    return this.#records('argv.jsonl') as string[][];
  }

  #records(name: string): unknown[] {
    const file = path.join(this.root, 'script', name);
    if (!existsSync(file)) return [];
    // Text after the last line feed is still being written.
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }

  /** Texts of the lines that are coloured as a response. */
  async coloured(): Promise<string[]> {
    return this.lua(`
      local found = {}
      local space = vim.api.nvim_create_namespace('copane_response')
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
        if mark[4].end_row > mark[2] and mark[4].hl_group == 'CopaneResponse' and mark[4].hl_eol then
          table.insert(found, vim.api.nvim_buf_get_lines(0, mark[2], mark[2] + 1, false)[1])
        end
      end
      return found`);
  }

  async close(): Promise<void> {
    this.#channel?.close();
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    removeTree(this.root);
  }
}
