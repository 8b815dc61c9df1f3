import { expect, it } from 'vitest';
import { withStop } from './result.ts';

it.each([
  ['the AI CLI waits for you: Do you want to proceed?', ''],
  ['the composer holds a draft: half a sent…', ''],
  ['no AI pane is followed', '.'],
  ['It is over.', ''],
])('ends a message once: %s', (message, stop) => {
  expect(withStop(message)).toBe(`${message}${stop}`);
});
