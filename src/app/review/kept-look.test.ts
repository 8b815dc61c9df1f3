import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createKeptLook } from './kept-look.ts';

it('keeps wrapping and sides; reports a folder that is not writable, and uses the default look', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'copane-look-'));
  const problems: string[] = [];
  const look = () => createKeptLook(folder, (message) => problems.push(message));
  expect(look().read()).toEqual({ sides: null, isWrapped: true });
  for (const kept of [
    { sides: 'one', isWrapped: true },
    { sides: 'two', isWrapped: false },
    { sides: null, isWrapped: false },
  ] as const) {
    look().keep(kept);
    expect(look().read()).toEqual(kept);
  }
  expect(problems).toEqual([]);
  rmSync(path.join(folder, 'review-look'));
  mkdirSync(path.join(folder, 'review-look'));
  look().keep({ sides: 'one', isWrapped: true });
  expect(problems).toHaveLength(1);
  expect(look().read()).toEqual({ sides: null, isWrapped: true });
  rmSync(folder, { recursive: true });
});
