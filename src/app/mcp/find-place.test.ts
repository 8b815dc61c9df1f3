import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { findPlace } from './find-place.ts';

let root = '';
let work = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-place-')));
  work = path.join(root, 'work');
  git(root, 'init', '-q', work);
  writeFileSync(path.join(work, 'f'), 'f\n');
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'base');
});
afterEach(() => removeTree(root));

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    env,
    stdio: 'pipe',
  });
}

async function placeOf(folder: string): Promise<unknown> {
  const found = await findPlace(folder, path.join(root, 'sandboxes'));
  return found.ok ? found.value : found.error.code;
}

describe('the working copy that a change targets', () => {
  it('is the same for its root, a folder in it, or a link to it', async () => {
    mkdirSync(path.join(work, 'inner'));
    symlinkSync(work, path.join(root, 'link'));
    for (const folder of [work, path.join(work, 'inner'), path.join(root, 'link')]) {
      expect(await placeOf(folder)).toEqual({ source: work, target: work });
    }
  });

  it('is the main worktree, for a linked one', async () => {
    const linked = path.join(root, 'linked');
    git(work, 'worktree', 'add', '-q', '-b', 'ai', linked);
    expect(await placeOf(linked)).toEqual({ source: linked, target: work });
  });

  it('is the one a sandbox was made for, even a linked worktree', async () => {
    const [linked, sandbox] = [path.join(root, 'linked'), path.join(root, 'sandbox')];
    git(work, 'worktree', 'add', '-q', '-b', 'mine', linked);
    git(linked, 'worktree', 'add', '-q', '-b', 'ai', sandbox);
    const record = { name: 's', kind: 'git', target: linked, repository: `${work}/.git`, folder: sandbox };
    mkdirSync(path.join(root, 'sandboxes/work'), { recursive: true });
    const more = { branch: 'ai', base: 'x', createdAt: 1 };
    writeFileSync(path.join(root, 'sandboxes/work/s.json'), JSON.stringify({ ...record, ...more }));
    expect(await placeOf(sandbox)).toEqual({ source: sandbox, target: linked });
  });

  it('is the origin of a clone, if that is a working copy on this machine', async () => {
    const [near, far, bare] = [path.join(root, 'near'), path.join(root, 'far'), path.join(root, 'bare')];
    git(root, 'clone', '-q', work, near);
    expect(await placeOf(near)).toEqual({ source: near, target: work });
    git(root, 'clone', '-q', `file://${work}`, far);
    expect(await placeOf(far)).toEqual({ source: far, target: work });
    git(far, 'remote', 'set-url', 'origin', 'https://example.com/x.git');
    expect(await placeOf(far)).toEqual({ source: far, target: far });
    git(root, 'clone', '-q', '--bare', work, bare);
    git(near, 'remote', 'set-url', 'origin', bare);
    expect(await placeOf(near)).toEqual({ source: near, target: near });
  });

  it('is itself for a worktree of a bare repository', async () => {
    const [bare, linked] = [path.join(root, 'bare.git'), path.join(root, 'linked')];
    git(root, 'clone', '-q', '--bare', work, bare);
    git(bare, 'remote', 'remove', 'origin');
    git(bare, 'worktree', 'add', '-q', '-b', 'ai', linked);
    expect(await placeOf(linked)).toEqual({ source: linked, target: linked });
  });

  it('is missing without a repository or folder', async () => {
    const plain = path.join(root, 'plain');
    mkdirSync(plain);
    expect(await placeOf(plain)).toBe('invalid');
    expect(await placeOf(path.join(root, 'nothing'))).toBe('not_found');
    expect(await placeOf(path.join(work, 'f'))).toBe('invalid');
  });

  it('ignores the configuration of a sandbox', async () => {
    const near = path.join(root, 'near');
    git(root, 'clone', '-q', work, near);
    git(near, 'config', 'core.worktree', '/etc');
    git(near, 'config', 'core.fsmonitor', `touch ${root}/ran`);
    expect(await placeOf(near)).toEqual({ source: near, target: work });
    expect(await placeOf(path.join(root, 'ran'))).toBe('not_found');
  });
});
