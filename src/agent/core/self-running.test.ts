import { expect, it } from 'vitest';
import { selfRunningNote } from './self-running.ts';

it.each([
  ['.envrc', true],
  ['sub/.ENVRC', true],
  ['.vscode/tasks.json', true],
  ['packages/a/.husky/pre-commit', true],
  ['.github/workflows/ci.yml', true],
  ['notes/envrc.md', false],
  ['vscode/notes.md', false],
  ['.github', false],
])('%s: %s', (path, isNamed) => {
  expect(selfRunningNote(path) !== null).toBe(isNamed);
});
