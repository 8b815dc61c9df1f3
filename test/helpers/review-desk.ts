/** A real repository with a suggestion in it, and the real companion beside it in a private tmux, driven by keys. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COPANE, CompanionPane, copaneEnv } from './companion-pane.ts';
import { makeFolder, makeRepository, patchTo, type Tree } from './git-fixture.ts';
import { PrivateTmux } from './private-tmux.ts';
import { removeTree } from './remove-tree.ts';

export interface DeskOptions {
  readonly base: Tree;
  readonly columns: number;
  readonly rows: number;
  /** A shell script that serves as $EDITOR; `$1` and `$2` are an editor's arguments. */
  readonly editor?: string;
}

export class ReviewDesk {
  readonly root = makeFolder();
  readonly project: string;
  readonly #options: DeskOptions;
  readonly #tmux = new PrivateTmux();
  readonly #env: Record<string, string>;

  private constructor(options: DeskOptions) {
    this.#options = options;
    this.project = makeRepository(options.base);
    const bin = path.join(this.root, 'tools');
    mkdirSync(bin);
    const editor = path.join(bin, 'vi');
    writeFileSync(editor, `#!/bin/sh\n${options.editor ?? 'exit 0'}\n`, { mode: 0o755 });
    this.#env = { EDITOR: editor };
  }

  /** Makes the repository. */
  static async open(options: DeskOptions): Promise<ReviewDesk> {
    return new ReviewDesk(options);
  }

  /** A tmux with a pane that serves as an AI, started on first use. */
  async tmux(): Promise<PrivateTmux> {
    if (this.#tmux.pane !== '') return this.#tmux;
    const { columns, rows } = this.#options;
    await this.#tmux.start({
      argv: ['sleep', '600'],
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'tmux-256color' },
      cwd: this.project,
      size: { columns, rows },
    });
    return this.#tmux;
  }

  /** The companion on its Review screen. */
  async companion(): Promise<CompanionPane> {
    const companion = await CompanionPane.open(await this.tmux(), {
      root: this.root,
      project: this.project,
      env: this.#env,
    });
    await companion.keys('2');
    return companion;
  }

  /** Runs `copane` as another program would; returns its output. */
  copane(args: readonly string[], input: string | Buffer = ''): string {
    const run = spawnSync(COPANE, [...args], {
      cwd: this.project,
      env: copaneEnv({ root: this.root, project: this.project }),
      input,
      encoding: 'utf8',
    });
    if (run.status !== 0) throw new Error(`copane ${args.join(' ')}: ${run.stderr}`);
    return run.stdout;
  }

  /** Publishes the change from the repository's HEAD to `want`. */
  publish(want: Tree, description: string): string {
    const patch = patchTo(this.project, want, '-M');
    const args = ['publish', '--target', this.project, '--description', description];
    return this.copane(args, Buffer.from(patch, 'latin1')).trim();
  }

  async close(): Promise<void> {
    if (this.#tmux.pane !== '') await this.#tmux.kill();
    for (const folder of [this.root, this.project]) removeTree(folder);
  }
}
