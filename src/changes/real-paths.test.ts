import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RecordedTurn } from './core/turn-edits.ts';
import { withRealPaths } from './real-paths.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'copane-links-')));
  mkdirSync(path.join(home, 'folder'));
  writeFileSync(path.join(home, 'folder/a.txt'), '');
  symlinkSync('folder', path.join(home, 'by-link'));
  symlinkSync('folder/a.txt', path.join(home, 'a-link'));
  symlinkSync('nowhere', path.join(home, 'dangling'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it.each([
  ['folder/a.txt', 'folder/a.txt'],
  ['a-link', 'folder/a.txt'],
  ['by-link/a.txt', 'folder/a.txt'],
  ['by-link/gone/deep.txt', 'folder/gone/deep.txt'],
  ['dangling', 'dangling'],
])('the edit of %s counts as one of %s', async (name, real) => {
  const edit = { path: path.join(home, name), kind: 'rename', movedFrom: path.join(home, 'by-link/old') };
  const turn = { turnId: 't', edits: [edit], commands: [], interrupted: false, rewound: false };
  const [read] = await withRealPaths([turn as unknown as RecordedTurn]);
  expect(read?.edits[0]).toMatchObject({
    path: path.join(home, real),
    movedFrom: path.join(home, 'folder/old'),
  });
});
