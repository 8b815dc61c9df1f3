import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeTree } from '../../test/helpers/remove-tree.ts';
import { makeScratch, sweepScratch } from './scratch.ts';

it('sweeps only what a dead process left behind', async () => {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'copane-scratch-test-'));
  const { pid: gone } = spawnSync('true');
  const ours = path.basename(makeScratch('git', parent));
  const left = path.join(parent, `copane-hidden-${gone}-abc`);
  mkdirSync(left);
  writeFileSync(path.join(left, 'request'), 'x');
  mkdirSync(path.join(parent, `copane-eval-${gone}-abc`));
  mkdirSync(path.join(parent, `other-${gone}-abc`));
  symlinkSync('/etc', path.join(parent, `copane-git-${gone}-link`));
  await sweepScratch(parent);
  expect(readdirSync(parent).sort()).toEqual([ours, `copane-git-${gone}-link`, `other-${gone}-abc`].sort());
  removeTree(parent);
});

it('sweeps a folder whose process is gone and whose pid is in use again', async () => {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'copane-scratch-test-'));
  makeScratch('git', parent);
  await sweepScratch(parent, async () => Date.now());
  expect(readdirSync(parent)).toHaveLength(1);
  await sweepScratch(parent, async () => null);
  expect(readdirSync(parent)).toHaveLength(1);
  await sweepScratch(parent, async () => Date.now() + 2 * 3_600_000);
  expect(readdirSync(parent)).toEqual([]);
  removeTree(parent);
});
