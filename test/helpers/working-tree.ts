/** A user's working tree under review, with git configured in a separate home. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import type { SuggestionSource } from '../../src/protocol/commands/review.ts';
import { makeFolder } from './git-fixture.ts';
import { removeTree } from './remove-tree.ts';
import { openTestReviews, type TestReviews } from './review-service.ts';
import { must } from './review-subject.ts';

export const IN_PLACE: SuggestionSource = { kind: 'working_tree', against: 'head' };
export const STAGED: SuggestionSource = { kind: 'index' };

/** Twenty lines, some of them replaced. */
export const numbered = (changed: Readonly<Record<number, string>> = {}, end = '\n') =>
  Array.from({ length: 20 }, (_, i) => changed[i] ?? `line ${i}${end}`).join('');

interface ReviewOptions {
  readonly stage?: boolean;
  readonly filter?: { readonly paths?: string[]; readonly exclude?: string[] };
}

export class WorkingTree {
  /** The repository; each test makes its own. */
  root = '';
  /** The user's home, with `gitconfig` and copane's state. */
  home = '';
  #reviews: TestReviews | null = null;

  get reviews(): TestReviews {
    if (this.#reviews === null) throw new Error('reviews are open within a test alone');
    return this.#reviews;
  }

  open(): void {
    this.home = makeFolder();
    this.reopen();
    const config = path.join(this.home, 'gitconfig');
    writeFileSync(config, '[user]\n\tname = t\n\temail = t@example.com\n');
    vi.stubEnv('GIT_CONFIG_GLOBAL', config);
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  }

  /** As after a restart of copane. */
  reopen(): void {
    this.#reviews?.close();
    this.#reviews = openTestReviews(path.join(this.home, 'state'));
  }

  close(): void {
    vi.unstubAllEnvs();
    this.#reviews?.close();
    this.#reviews = null;
    for (const folder of [this.root, this.home]) removeTree(folder);
  }

  async review(source = IN_PLACE, more: ReviewOptions = {}) {
    return must(await this.reviews.publishFrom({ target: this.root, source, ...more }));
  }

  async decide(suggestion: string, hunk: string, action: 'accept' | 'reject') {
    return must(await this.reviews.decide({ suggestion, hunk, action }));
  }

  async undo(suggestion: string, hunk: string) {
    return must(await this.reviews.step({ suggestion, hunk }, 'undo'));
  }

  /** Finalizes with a commit. */
  async commit(suggestion: string, more: { readonly hooks?: boolean } = {}) {
    return must(await this.reviews.finish({ suggestion, how: 'finalize', commit: true, ...more }));
  }

  /** Git with the user's configuration, including its filters. */
  git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: this.root, encoding: 'latin1' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** A shell in it. */
  run(lines: string): void {
    const { status, stderr } = spawnSync('sh', ['-ec', lines], { cwd: this.root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${lines}: ${stderr}`);
  }
}

/** One for each test of the file. */
export function workingTree(): WorkingTree {
  const tree = new WorkingTree();
  beforeEach(() => tree.open());
  afterEach(() => tree.close());
  return tree;
}
