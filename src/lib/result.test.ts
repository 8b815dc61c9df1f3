import { expect, it } from 'vitest';
import { allOk, errorMessage, fail, formatFailure, ok, withStop } from './result.ts';

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
])('omits the code and the system call of %s', (message, words) => {
  expect(errorMessage(new Error(message))).toBe(words);
});

it('gives all values, or the first failure', () => {
  expect(allOk([ok(1), ok(2)])).toEqual(ok([1, 2]));
  expect(allOk([ok(1), fail('refused', 'two'), fail('refused', 'three')])).toEqual(fail('refused', 'two'));
  expect(allOk([])).toEqual(ok([]));
});

it.each([
  ['the composer holds a draft', 'The composer holds a draft'],
  ['no AI pane is followed', 'No AI pane is followed'],
  ['line 3 has 5000 bytes', 'Line 3 has 5000 bytes'],
  ['The reviewer decides', 'The reviewer decides'],
  ['tmux is too old', 'tmux is too old'],
  ['notes.md is no patch', 'notes.md is no patch'],
  ['theta.ts is no patch', 'theta.ts is no patch'],
  ['a.txt is no patch', 'a.txt is no patch'],
  ['no-data/its.ts is no patch', 'no-data/its.ts is no patch'],
])('capitalizes a sentence, but not a name: %s', (message, sentence) => {
  expect(formatFailure({ code: 'refused', message, hint: 'next' })).toBe(`${sentence}\n  next`);
});
