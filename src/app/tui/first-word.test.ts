import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { wrapWords } from '../../ui/kit/row.ts';
import { firstWord } from './first-word.ts';

test('is shown once, and never if that cannot be recorded', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-welcome-'));
  try {
    expect(firstWord(folder)).toContain('copane init tmux');
    expect(firstWord(folder)).toBeNull();
    expect(firstWord(path.join(folder, 'new'))).not.toBeNull();
    expect(firstWord(path.join(folder, 'welcomed', 'below a file'))).toBeNull();
  } finally {
    removeTree(folder);
  }
});

test('fits into the four rows that a pane of 40 columns has for it', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-welcome-'));
  try {
    expect(wrapWords(firstWord(folder) ?? '', 38).length).toBeLessThanOrEqual(4);
  } finally {
    removeTree(folder);
  }
});
