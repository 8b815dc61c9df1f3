import { expect, test } from 'vitest';
import { PATCH_MAX_BYTES, PATCH_MAX_FILES, PATCH_MAX_HUNKS, PATCH_MAX_LINES } from './patch-model.ts';
import { withinBounds } from './patch-sections.ts';

const section = (name: string, body: string) => `diff --git a/${name} b/${name}\n${body}`;
const hunks = (count: number, lines = 1) => `@@ -1 +1,2 @@\n${'+x\n'.repeat(lines)}`.repeat(count);
const small = section('small', `--- a/small\n+++ b/small\n${hunks(1)}`);

test.each<[string, string, string]>([
  ['lines', 'big', hunks(1, PATCH_MAX_LINES)],
  ['bytes', 'min.js', `@@ -1 +1 @@\n+${'a'.repeat(PATCH_MAX_BYTES)}\n`],
  ['hunks', 'formatted', hunks(PATCH_MAX_HUNKS)],
  ['a binary', 'zero.bin', 'index 0..1\nGIT binary patch\nliteral 300000000\nzc\n'],
  ['an odd name', 'a b "é', hunks(PATCH_MAX_HUNKS)],
])('drops only a file beyond the bound of %s', (_, name, body) => {
  const line = name.includes('"') ? 'diff --git "a/a b \\"\\303\\251" "b/a b \\"\\303\\251"\n' : '';
  const large = line === '' ? section(name, body) : line + body;
  const bytes = Buffer.from(large + small);
  const { patch, left } = withinBounds(bytes);
  expect(Buffer.from(patch).toString()).toBe(small);
  expect([...left]).toEqual([
    [Buffer.from(name).toString('latin1'), 'too large to be reviewed with the rest'],
  ]);
});

test('returns a patch within the bounds unchanged, and drops the last new ones of too many files', () => {
  const bytes = Buffer.from(`${small}${section('content', '@@ -1 +1 @@\n+diff --git a/x b/x\n')}`);
  expect(withinBounds(bytes)).toEqual({ patch: bytes, left: new Map() });
  const files = Array.from({ length: PATCH_MAX_FILES }, (_, at) =>
    section(`f${at}`, 'new file mode 100644\n'),
  );
  const edited = ['a', 'z'].map((name) =>
    section(name, `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-x\n+y\n`),
  );
  const { patch, left } = withinBounds(Buffer.from([edited[0], ...files, edited[1]].join('')));
  const why = `one of more than ${PATCH_MAX_FILES} changed files`;
  expect([...left]).toEqual([1, 2].map((at) => [`f${PATCH_MAX_FILES - at}`, why]));
  expect(Buffer.from(patch).toString()).toBe([edited[0], ...files.slice(0, -2), edited[1]].join(''));
});

test('keeps an edit among so many new files that they pass the bounds of hunks and files', () => {
  const edit = section('edit', `--- a/edit\n+++ b/edit\n${hunks(2)}`);
  const fresh = Array.from({ length: PATCH_MAX_HUNKS + 1 }, (_, at) =>
    section(`f${at}`, `new file mode 100644\n--- /dev/null\n+++ b/f${at}\n${hunks(1)}`),
  );
  const { patch, left } = withinBounds(Buffer.from([edit, ...fresh].join('')));
  expect(Buffer.from(patch).toString()).toContain(edit);
  expect(left.size).toBe(fresh.length + 2 - PATCH_MAX_HUNKS);
});
