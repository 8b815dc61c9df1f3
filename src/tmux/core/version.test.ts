import { expect, test } from 'vitest';
import { isSupported, parseTmuxVersion } from './version.ts';

test.each([
  ['tmux 3.1c', false],
  ['tmux 3.2a', true],
  ['tmux 3.7c', true],
  ['tmux next-3.8', true],
  ['tmux openbsd-7.4', true],
  ['zellij', null],
])('%s is supported: %s', (text, expected) => {
  const version = parseTmuxVersion(text);
  expect(version === null ? null : isSupported(version)).toBe(expected);
});
