/** A repository with two committed files, and an observer of it with its own state folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { Observer } from '../../src/changes/snapshots/observer.ts';
import { ok } from '../../src/lib/result.ts';
import type { Observation, ObservedSide } from '../../src/protocol/changes.ts';
import { BlobStore } from '../../src/store/blobs.ts';
import { removeTree } from './remove-tree.ts';

export class ObservedRepository {
  readonly home = mkdtempSync(path.join(os.tmpdir(), 'copane-observer-'));
  readonly repo = path.join(this.home, 'repo');
  readonly blobs: BlobStore;
  observer: Observer;

  constructor() {
    mkdirSync(this.repo);
    mkdirSync(path.join(this.home, 'state'), { mode: 0o700 });
    this.blobs = new BlobStore(path.join(this.home, 'state'));
    this.observer = new Observer({ root: path.join(this.home, 'state/snapshots'), blobs: this.blobs });
    this.git('init', '-q');
    this.write('a.txt', 'one\n');
    this.write('b.txt', 'two\n');
    this.git('add', '.');
    this.git('commit', '-qm', 'first');
  }

  remove(): void {
    removeTree(this.home);
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: this.repo,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString();
  }

  write(name: string, text: string | Buffer): void {
    mkdirSync(path.dirname(path.join(this.repo, name)), { recursive: true });
    writeFileSync(path.join(this.repo, name), text);
  }

  /** `meanwhile` runs after the files are read and before the next look's interval begins. */
  async look(meanwhile: () => void = () => undefined): Promise<Observation | null> {
    let kept: Observation | null = null;
    const looked = await this.observer.look(this.repo, (_, seen) => {
      kept = seen;
      meanwhile();
      return ok(undefined);
    });
    expect(looked).toMatchObject({ ok: true });
    return kept;
  }

  async textOf(side: ObservedSide | null | undefined): Promise<string | null> {
    if (side === null || side === undefined) return null;
    if (side.blob === null) return `(${side.notKept})`;
    const bytes = await this.blobs.get(side.blob);
    return bytes.ok ? bytes.value.toString('latin1') : 'lost';
  }

  /** Each file that changed, as `before → after`. */
  async seen(meanwhile?: () => void): Promise<Record<string, string>> {
    const observation = await this.look(meanwhile);
    const told: Record<string, string> = {};
    for (const { path: name, before, after } of observation?.files ?? [])
      told[name] = `${await this.textOf(before)} → ${await this.textOf(after)}`;
    return told;
  }
}
