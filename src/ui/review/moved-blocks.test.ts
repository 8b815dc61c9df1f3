import { expect, test } from 'vitest';
import { testHunk, testSuggestion } from '../../../test/helpers/review-fakes.ts';
import { createHunkDocs, readHunk } from './hunk-doc.ts';
import { createFindMoved, movedWords, SEARCHED_MAX_CHARACTERS } from './moved-blocks.ts';

const BLOCK = ['function total(items) {', '  return items.reduce(plus, 0);', '}'];

function find(diffs: Readonly<Record<string, string>>) {
  const hunks = Object.entries(diffs).map(([file, diff]) => testHunk(file, { file, diff }));
  const found = createFindMoved(createHunkDocs())(testSuggestion({ hunks }));
  return Object.fromEntries(
    hunks.map((hunk) => [hunk.id, movedWords(found.get(hunk.id) ?? [], readHunk(hunk), hunk.file)]),
  );
}

const removed = (lines: readonly string[]) => lines.map((line) => `-${line}\n`).join('');
const added = (lines: readonly string[]) => lines.map((line) => `+${line}\n`).join('');

test('reports a block that moves to another file on both sides, even if reindented', () => {
  const inner = BLOCK.map((line) => `    ${line}`);
  expect(
    find({
      'a.ts': `@@ -10,5 +10,2 @@\n x\n${removed(BLOCK)} y\n`,
      'b.ts': `@@ -1,1 +1,5 @@\n+// new\n${added(inner)} z\n`,
    }),
  ).toEqual({ 'a.ts': ['lines 11-13 move to b.ts:2'], 'b.ts': ['lines 2-4 come from a.ts:11'] });
});

test('gives only the line of a block that moves within its file', () => {
  const diff = `@@ -1,5 +1,5 @@\n${removed(BLOCK)} one\n two\n${added(BLOCK)}`;
  expect(find({ 'a.ts': diff })).toEqual({
    'a.ts': ['lines 1-3 move to line 3', 'lines 3-5 come from line 1'],
  });
});

test.each([
  ['brackets and single words', ['}', '});', 'end']],
  ['one line', [BLOCK[1] ?? '']],
])('%s are not blocks', (_, lines) => {
  expect(
    find({ 'a.ts': `@@ -1 +0,0 @@\n${removed(lines)}`, 'b.ts': `@@ -0,0 +1 @@\n${added(lines)}` }),
  ).toEqual({
    'a.ts': [],
    'b.ts': [],
  });
});

test('an indented block has not moved, and no removed line moves to two places', () => {
  const inner = BLOCK.map((line) => `  ${line}`);
  expect(find({ 'a.ts': `@@ -1,3 +1,3 @@\n${removed(BLOCK)}${added(inner)}` })).toEqual({ 'a.ts': [] });
  const copied = find({
    'a.ts': `@@ -1,3 +0,0 @@\n${removed(BLOCK)}`,
    'b.ts': `@@ -0,0 +1,3 @@\n${added(BLOCK)}`,
    'c.ts': `@@ -0,0 +1,3 @@\n${added(BLOCK)}`,
  });
  expect(copied).toMatchObject({ 'b.ts': ['lines 1-3 come from a.ts:1'], 'c.ts': [] });
});

test.each([
  ['a packed line beside them costs no block', SEARCHED_MAX_CHARACTERS, 1, ['lines 1-3 move to b.ts:1']],
  ['beyond the bound, the larger hunks are left out', 50, SEARCHED_MAX_CHARACTERS / 50, []],
])('%s', (_, length, hunks, expected) => {
  const filler = Array.from({ length: hunks }, (_, at) => [
    `c${at}.ts`,
    `@@ -0,0 +1 @@\n+${'x'.repeat(length)}\n`,
  ]);
  const diffs = { 'a.ts': `@@ -1,3 +0,0 @@\n${removed(BLOCK)}`, 'b.ts': `@@ -0,0 +1,3 @@\n${added(BLOCK)}` };
  expect(find({ ...diffs, ...Object.fromEntries(filler) })).toMatchObject({ 'a.ts': expected });
});
