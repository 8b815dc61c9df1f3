/** A folder, a project, a scripted AI in a private tmux and the real companion beside it; all removed afterwards. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COPANE, copaneEnv } from '../../test/helpers/companion-pane.ts';
import { git, putTree } from '../../test/helpers/git-fixture.ts';
import { PrivateTmux } from '../../test/helpers/private-tmux.ts';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { type ScriptedModel, startScriptedModel } from '../../test/helpers/scripted-model/server.ts';
import { until } from '../../test/helpers/until.ts';
import { type CellRow, parseCells, textOf } from './cells.ts';
import { CONVERSATION, HISTORY, MODEL_REPLIES, PROJECT } from './story.ts';

export interface StageOptions {
  readonly background: 'dark' | 'light';
  readonly size: { readonly columns: number; readonly rows: number };
  /** Width of the companion beside the AI; null: the companion alone. */
  readonly companionColumns: number | null;
}

const LOAD_PATIENCE_MS = 60_000;

export class Stage {
  readonly project: string;
  readonly socket: string;
  readonly #root: string;
  readonly #tmux = new PrivateTmux(LOAD_PATIENCE_MS);
  readonly #env: Record<string, string>;
  readonly #model: ScriptedModel;
  #companion = '';

  private constructor(root: string, model: ScriptedModel, background: string) {
    this.#root = root;
    this.#model = model;
    this.project = path.join(root, 'copane-home', 'parser');
    this.socket = path.join(root, 'shell.sock');
    this.#env = {
      ...copaneEnv({ root, project: this.project }),
      TERM: 'tmux-256color',
      COLORTERM: 'truecolor',
      ASHLET_SOCKET: this.socket,
      COPANE_HIDDEN_SHELL: '0',
    };
    this.#prepare(background);
  }

  /** Starts everything; the companion shows its first screen. */
  static async open({ background, size, companionColumns }: StageOptions): Promise<Stage> {
    const root = mkdtempSync(path.join(os.tmpdir(), 'copane-pictures-'));
    const model = await startScriptedModel({ turns: [{ when: 'Rename', replies: MODEL_REPLIES }] });
    const stage = new Stage(root, model, background);
    await stage.#start(size, companionColumns ?? size.columns);
    return stage;
  }

  #prepare(background: string): void {
    mkdirSync(this.project, { recursive: true });
    putTree(this.project, PROJECT);
    git(this.project, 'init', '-q', '-b', 'main');
    git(this.project, 'add', '-A');
    git(this.project, 'commit', '-q', '-m', 'A reader of lines');
    const config = path.join(this.#env.XDG_CONFIG_HOME ?? '', 'copane');
    mkdirSync(config, { recursive: true });
    const settings = {
      theme: background,
      agent_mode: 'local',
      agent_local_url: `http://127.0.0.1:${this.#model.port}/v1`,
      agent_local_model: 'qwen3-coder',
    };
    writeFileSync(path.join(config, 'config.jsonc'), JSON.stringify(settings));
    const lines = Object.entries(HISTORY).flatMap(([line, times]) =>
      Array.from({ length: times }, () => line),
    );
    const history = lines.map((line, index) => `: ${1_700_000_000 + index}:0;${line}\n`).join('');
    writeFileSync(path.join(this.#env.HOME ?? '', '.zsh_history'), history);
    // The first hint appears only once.
    const state = path.join(this.#env.XDG_STATE_HOME ?? '', 'copane');
    mkdirSync(state, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(state, 'welcomed'), '');
    writeFileSync(path.join(this.#root, 'conversation.json'), JSON.stringify(CONVERSATION));
  }

  async #start(size: StageOptions['size'], companionColumns: number): Promise<void> {
    const ai = path.join(import.meta.dirname, 'stage-ai.mjs');
    const argv = [process.execPath, ai, path.join(this.#root, 'conversation.json')];
    const aiColumns = Math.max(80, size.columns - companionColumns - 1);
    const total = { columns: aiColumns + 1 + companionColumns, rows: size.rows };
    await this.#tmux.start({ argv, env: this.#env, cwd: this.project, size: total });
    await this.#tmux.run(['set-option', '-g', 'status', 'off']);
    await this.#tmux.until('the AI', (screen) => screen.includes('for shortcuts'));
    const vars = Object.entries(this.#env).map(([name, value]) => `${name}=${value}`);
    const command = ['env', ...vars, COPANE, 'tui', '--pane', this.#tmux.pane];
    const where = ['-h', '-l', String(companionColumns), '-P', '-F', '#{pane_id}', '-c', this.project];
    const made = await this.#tmux.run(['split-window', ...where, '-t', this.#tmux.pane, ...command]);
    if (made.code !== 0) throw new Error(made.stderr);
    this.#companion = made.stdout.toString('utf8').trim();
    await this.see('idle');
  }

  /** Runs \`copane\` in the project, as another program would. */
  copane(...args: string[]): string {
    const run = spawnSync(COPANE, args, { cwd: this.project, env: this.#env, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`copane ${args.join(' ')}: ${run.stderr}`);
    return run.stdout.trim();
  }

  /** Presses keys in the companion. */
  async keys(...names: string[]): Promise<void> {
    await this.#tmux.run(['send-keys', '-t', this.#companion, ...names]);
  }

  async type(text: string): Promise<void> {
    await this.#tmux.run(['send-keys', '-l', '-t', this.#companion, '--', text]);
  }

  /** Waits until the companion shows these words, or no longer shows them. */
  async see(words: string | RegExp, isThere = true): Promise<void> {
    let last = '';
    const has = (screen: string) =>
      (typeof words === 'string' ? screen.includes(words) : words.test(screen)) === isThere;
    await until(
      `${words}`,
      async () => {
        last = (await this.companion()).map(textOf).join('\n');
        return has(last);
      },
      { timeoutMs: LOAD_PATIENCE_MS, intervalMs: 100, show: () => last },
    );
  }

  /** The companion's screen. */
  companion(): Promise<readonly CellRow[]> {
    return this.#capture(this.#companion);
  }

  /** The AI pane's screen. */
  ai(): Promise<readonly CellRow[]> {
    return this.#capture(this.#tmux.pane);
  }

  async #capture(pane: string): Promise<readonly CellRow[]> {
    const { stdout } = await this.#tmux.run(['capture-pane', '-p', '-e', '-N', '-t', pane]);
    return parseCells(stdout.toString('utf8'));
  }

  async close(): Promise<void> {
    await this.#tmux.kill();
    await this.#model.close();
    removeTree(this.#root);
  }
}
