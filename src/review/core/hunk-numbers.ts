/** A hunk's header, `@@ -A,B +C,D @@`, and the variants that models write. */
import { startsWithAt } from './bytes.ts';
import { LINE_NUMBER_MAX } from './patch-model.ts';

/** The header of a hunk. */
export interface DeclaredNumbers {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

const MINUS = 0x2d;
const PLUS = 0x2b;
const COMMA = 0x2c;
const SPACE = 0x20;

/** Parses `@@ -A,B +C,D @@` at `at` from bytes, since strings would cost more than the rest. Null if it is not one. */
export function readHunkNumbers(bytes: Uint8Array, at: number): DeclaredNumbers | 'absurd' | null {
  const cursor = { bytes, at: at + 2 };
  const old = bytes[cursor.at] === SPACE && bytes[cursor.at + 1] === MINUS ? readRange(cursor) : null;
  const updated =
    old !== null && bytes[cursor.at] === SPACE && bytes[cursor.at + 1] === PLUS ? readRange(cursor) : null;
  if (old === null || updated === null || !startsWithAt(bytes, cursor.at, ' @@')) return null;
  const numbers = {
    oldStart: old.start,
    oldCount: old.count,
    newStart: updated.start,
    newCount: updated.count,
  };
  const largest = Math.max(old.start, old.count, updated.start, updated.count);
  return largest > LINE_NUMBER_MAX ? 'absurd' : numbers;
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** `START` or `START,COUNT` after a blank and a sign. */
function readRange(cursor: Cursor): { start: number; count: number } | null {
  cursor.at += 2;
  const start = readDigits(cursor);
  if (start === null || cursor.bytes[cursor.at] !== COMMA) return start === null ? null : { start, count: 1 };
  cursor.at += 1;
  const count = readDigits(cursor);
  return count === null ? null : { start, count };
}

function readDigits(cursor: Cursor): number | null {
  const from = cursor.at;
  let value = 0;
  for (;;) {
    const digit = (cursor.bytes[cursor.at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    cursor.at += 1;
  }
  return cursor.at === from ? null : value;
}

/** A header without numbers, as models write it: `@@`, or `@@ … @@` with text. */
export const isBareHunkHeader = (header: string) => /^@@(?: .*@@)?(?: .*)?$/.test(header);
