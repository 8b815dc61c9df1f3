/** Lists that copane reads with more items than a call can take as arguments. */
import { expect, test } from 'vitest';
import { KnownLines } from '../changes/core/known-lines.ts';
import { unifiedOfContext } from '../review/core/context-diff.ts';
import { editsInText } from '../review/core/text-edits.ts';
import { append } from './append.ts';

const MANY = 130_000;
const times = (text: string) => text.repeat(MANY);

test('adds every item', () => {
  const list = [1];
  append(list, new Array<number>(MANY).fill(2));
  expect([list.length, list[0], list.at(-1)]).toEqual([MANY + 1, 1, 2]);
});

test.each([
  ['an update', `*** Begin Patch\n*** Update File: f\n${times('@@\n-a\n+b\n')}*** End Patch\n`],
  ['a unified diff', `--- a/f\n+++ b/f\n${times('@@ -1 +1 @@\n-a\n+b\n')}`],
])('reads a patch of a model: %s', (_, text) => {
  expect(editsInText(text)).toHaveLength(MANY);
});

test.each([
  ['updates', `*** Begin Patch\n${times('*** Update File: f\n-a\n+b\n')}*** End Patch\n`],
  ['unified diffs', times('--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n')],
  ['blocks', times('f.ts\n<<<<<<< SEARCH\n:start_line:1\n-------\na\n=======\nb\n>>>>>>> REPLACE\n')],
])('reads a patch of a model with many files: %s', (_, text) => {
  expect(editsInText(text)).toHaveLength(MANY);
});

test('reads a context diff', () => {
  const head = `*** a\n--- b\n${'*'.repeat(15)}\n`;
  const read = unifiedOfContext(`${head}*** 0 ****\n--- 1,${MANY} ----\n${times('+ a\n')}`);
  expect(read.ok && read.value.split('\n').filter((line) => line === '+a')).toHaveLength(MANY);
});

test('follows an edit that inserts them', () => {
  const lines = new KnownLines([]);
  expect(
    lines.apply([{ oldStart: 0, newStart: 1, lines: new Array<string>(MANY).fill('+a\n') }], 'tool'),
  ).toBe(true);
  expect(lines.now()).toHaveLength(MANY);
});
