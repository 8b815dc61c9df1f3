import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { HiddenShell } from './hidden-shell.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'copane-hidden-'));
let shell: HiddenShell | null = null;
afterEach(async () => {
  await shell?.close();
  removeTree(home);
});

it('writes nothing to a history that zsh appends to at once', async () => {
  const history = path.join(home, 'history');
  writeFileSync(history, 'ls\n');
  writeFileSync(path.join(home, '.zshrc'), `HISTFILE=${history} SAVEHIST=9; setopt inc_append_history\n`);
  shell = new HiddenShell({
    env: { ...process.env, HOME: home, ZDOTDIR: home },
    now: () => performance.now(),
  });
  expect(await shell.ask(home, 'kill -')).not.toEqual([]);
  expect(readFileSync(history, 'utf8')).toBe('ls\n');
});
