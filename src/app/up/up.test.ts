import { expect, test } from 'vitest';
import { sessionSize } from './up.ts';

test.each([
  [
    { columns: 100, rows: 30 },
    { columns: 100, rows: 30 },
  ],
  [
    { columns: 0, rows: 0 },
    { columns: 160, rows: 48 },
  ],
  [
    { columns: 100, rows: 0 },
    { columns: 160, rows: 48 },
  ],
  [null, { columns: 160, rows: 48 }],
])('a session for a terminal of %j starts at %j', (terminal, size) => {
  expect(sessionSize({ terminal })).toEqual(size);
});
