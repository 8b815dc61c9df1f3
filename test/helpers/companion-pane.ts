/** The real companion in a window beside an AI pane of a private tmux, driven by keys. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { PrivateTmux } from './private-tmux.ts';
import { COPANE, NODE, testProgram } from './product.ts';
import { until } from './until.ts';

export { COPANE } from './product.ts';

/** The command for a program without a session file, read by markers alone. */
export const PLAIN_AI = [NODE, testProgram('plain-ai')];

export interface CompanionPlace {
  /** State, config, socket and HOME of the companion go below this folder. */
  readonly root: string;
  readonly project: string;
  /** The AI CLI's environment, which tells the companion where session files are. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Everything that separates a copane under test from the user's own. */
export function copaneEnv(place: CompanionPlace): Record<string, string> {
  const dir = (name: string) => {
    const folder = path.join(place.root, name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  return {
    PATH: `${path.dirname(NODE)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: dir('copane-home'),
    XDG_STATE_HOME: dir('state'),
    XDG_CONFIG_HOME: dir('config'),
    XDG_RUNTIME_DIR: dir('run'),
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    ...place.env,
  };
}

/** A companion on the pane that `tmux` runs. */
export class CompanionPane {
  readonly #tmux: PrivateTmux;
  readonly #pane: string;

  private constructor(tmux: PrivateTmux, pane: string) {
    this.#tmux = tmux;
    this.#pane = pane;
  }

  /** Opens `copane tui` on the AI pane and waits for its frame. */
  static async open(tmux: PrivateTmux, place: CompanionPlace): Promise<CompanionPane> {
    const vars = Object.entries(copaneEnv(place)).map(([name, value]) => `${name}=${value}`);
    // tmux sets TMUX, TMUX_PANE and TERM for the pane; `env` adds to them.
    const command = ['env', ...vars, COPANE, 'tui', '--pane', tmux.pane];
    const made = await tmux.run([
      'new-window',
      '-d',
      '-P',
      '-F',
      '#{pane_id}',
      '-c',
      place.project,
      ...command,
    ]);
    if (made.code !== 0) throw new Error(made.stderr);
    const companion = new CompanionPane(tmux, made.stdout.toString('utf8').trim());
    await companion.until('the frame', (screen) => screen.includes('Responses'));
    return companion;
  }

  get pane(): string {
    return this.#pane;
  }

  async screen(): Promise<string> {
    const { stdout } = await this.#tmux.run(['capture-pane', '-p', '-t', this.#pane]);
    return stdout.toString('utf8');
  }

  /** Presses keys by tmux name. */
  async keys(...names: string[]): Promise<void> {
    await this.#tmux.run(['send-keys', '-t', this.#pane, ...names]);
  }

  async type(text: string): Promise<void> {
    await this.#tmux.run(['send-keys', '-l', '-t', this.#pane, '--', text.replace(/;$/, '\\;')]);
  }

  /** Polls the screen; a failure shows the last one. */
  async until(
    what: string,
    isMet: (screen: string) => boolean | Promise<boolean>,
    timeoutMs = 20_000,
  ): Promise<string> {
    let last = '';
    return until(
      what,
      async () => {
        last = await this.screen();
        return (await isMet(last)) ? last : null;
      },
      { timeoutMs, intervalMs: 50, show: () => last },
    );
  }

  /** Writes one note below the line at the cursor and leaves the insert mode. */
  async note(text: string): Promise<void> {
    await this.keys('o');
    await this.until('insert mode', (screen) => /\bINSERT\b/.test(screen));
    await this.type(text);
    await this.until(`"${text}" on the screen`, (screen) =>
      screen.replace(/\s+/g, '').includes(text.replace(/\s+/g, '').slice(0, 20)),
    );
    await this.keys('Escape');
    await this.until('normal mode', (screen) => !/\bINSERT\b/.test(screen));
  }

  /** Opens the preview and confirms it. */
  async send(): Promise<void> {
    await this.keys('s');
    await this.until('the preview', (screen) => screen.includes('This will be sent'));
    await this.keys('Enter');
    // A refusal keeps the preview open and says why; a failure then shows it.
    await this.until('the preview to close', (screen) => !screen.includes('This will be sent'), 10_000);
  }
}
