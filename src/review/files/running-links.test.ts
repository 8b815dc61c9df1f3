import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { runningLinks } from './running-links.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'copane-links-'));
});
afterEach(() => removeTree(root));

function link(name: string, target: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  symlinkSync(target, path.join(root, name));
}

it('finds links whose names run, in the root and in folders whose names begin with a dot', async () => {
  link('.envrc', 'env/main.sh');
  link('CLAUDE.md', './docs/../docs/ai.md');
  link('.husky', 'tools/hooks');
  link('.claude/settings.json', '../cfg.json');
  link('.github/workflows', path.join(root, 'ci'));
  link('notes.md', 'README.md');
  expect(Object.fromEntries(await runningLinks(root))).toEqual({
    'env/main.sh': '.envrc',
    'docs/ai.md': 'CLAUDE.md',
    'tools/hooks': '.husky',
    'cfg.json': '.claude/settings.json',
    ci: '.github/workflows',
  });
});

it('follows chains of links, and links among their parent folders', async () => {
  link('.envrc', 'scripts/e');
  link('scripts/e', '../env/main.sh');
  mkdirSync(path.join(root, 'tools/hooks'), { recursive: true });
  link('.husky', 't2/hooks');
  link('t2', 'tools');
  mkdirSync(path.join(root, 'env'));
  writeFileSync(path.join(root, 'env/main.sh'), '');
  expect(Object.fromEntries(await runningLinks(root))).toEqual({
    'scripts/e': '.envrc',
    'env/main.sh': '.envrc',
    't2/hooks': '.husky',
    'tools/hooks': '.husky',
  });
});

it('ignores links that lead outside, to themselves or to the root, and a missing folder', async () => {
  link('.envrc', '../outside');
  link('.bashrc', '/etc/profile');
  link('.profile', '.');
  link('.zshrc', '.zshrc');
  expect([...(await runningLinks(root))]).toEqual([['.zshrc', '.zshrc']]);
  expect([...(await runningLinks(path.join(root, 'gone')))]).toEqual([]);
});
