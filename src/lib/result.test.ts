import { expect, it } from 'vitest';
import { errorMessage, withStop } from './result.ts';

it.each([
  ['the AI CLI waits for you: Do you want to proceed?', ''],
  ['the composer holds a draft: half a sent…', ''],
  ['no AI pane is followed', '.'],
  ['It is over.', ''],
])('ends a message once: %s', (message, stop) => {
  expect(withStop(message)).toBe(`${message}${stop}`);
});

it.each([
  ["ENOENT: no such file or directory, open '/a, b'", 'no such file or directory: /a, b'],
  ["EACCES: permission denied, rename '/a' -> '/b'", 'permission denied: /a → /b'],
  ['ENOSPC: no space left on device, write', 'no space left on device'],
  ['EXTRA: of our own', 'EXTRA: of our own'],
])('leaves out the code and the system call of %s', (message, words) => {
  expect(errorMessage(new Error(message))).toBe(words);
});
