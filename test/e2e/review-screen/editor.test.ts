/** The user's editor gets the text under a name with the right file type, which is neither an option nor a path. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSystemPort, type SystemPortOptions } from '../../../src/app/tui/system-port.ts';
import { removeTree } from '../../helpers/remove-tree.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'copane-editor-'));
});
afterEach(() => removeTree(folder));

function port(script: string) {
  const editor = path.join(folder, 'ed');
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o755);
  const env = { PATH: process.env.PATH ?? '', EDITOR: editor };
  // Editing needs neither tmux nor the host.
  const options: Partial<SystemPortOptions> = { env, editor: null };
  return createSystemPort(options as SystemPortOptions);
}

test.each([
  [undefined, 'draft.md'],
  ['src/parse.ts', 'parse.ts'],
  ['a b.py', 'text.py'],
  ['-rf', 'text'],
  ['../../etc/passwd', 'passwd'],
  ['x/\\x1b[2J.c', 'text.c'],
  ['.env', 'text'],
])('%j is edited as %s', async (name, expected) => {
  const names = path.join(folder, 'names');
  const edited = await port(`basename "$1" > ${names}; printf more >> "$1"`).edit('text ', 1, name);
  expect(edited).toEqual({ ok: true, value: 'text more' });
  expect(readFileSync(names, 'utf8').trim()).toBe(expected);
});

test('an editor that fails changes nothing', async () => {
  const edited = await port('exit 3').edit('text', 1, 'a.ts');
  expect(edited).toMatchObject({ ok: false, error: { message: expect.stringContaining('exit code 3') } });
});
