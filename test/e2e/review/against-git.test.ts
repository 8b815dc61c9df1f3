/** On an unmoved base, accepting everything equals `git apply`, and undoing everything restores the base. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { inFull } from '../../helpers/full-run.ts';
import {
  git,
  makeFolder,
  makeRepository,
  patchTo,
  readTree,
  type Tree,
  type TreeEntry,
} from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) removeTree(folder);
});

async function withReviews<T>(work: (reviews: TestReviews) => Promise<T>): Promise<T> {
  const state = makeFolder();
  const reviews = openTestReviews(state);
  try {
    return await work(reviews);
  } finally {
    reviews.close();
    removeTree(state);
  }
}

/** The result of git with the patch in a fresh clone. */
function appliedByGit(root: string, patch: string): Record<string, string> {
  const clone = makeFolder();
  folders.push(clone);
  git(clone, 'clone', '-q', '-c', 'core.autocrlf=false', root, '.');
  const file = path.join(makeFolder(), 'p');
  folders.push(path.dirname(file));
  writeFileSync(file, Buffer.from(patch, 'latin1'));
  git(clone, 'apply', '--unidiff-zero', '--whitespace=nowarn', file);
  return readTree(clone);
}

/** Publishes, accepts all, compares with git; then undoes all and compares with the base. */
async function check(
  base: Tree,
  want: Tree,
  flags: readonly string[],
  order: readonly number[] = [],
): Promise<void> {
  const root = makeRepository(base);
  folders.push(root);
  const patch = patchTo(root, want, ...flags);
  if (patch === '') return;
  const before = readTree(root);
  const expected = appliedByGit(root, patch);
  await withReviews(async (reviews) => {
    const { id, hunks } = must(await reviews.publish(root, patch));
    // A file that needs the place of another one waits for it.
    const waits = (reason: string | null) => reason !== null && /in its way/.test(reason);
    expect(hunks.filter((hunk) => hunk.status !== 'pending' && !waits(hunk.reason))).toEqual([]);
    for (const at of order) {
      const hunk = hunks[at % hunks.length];
      // A hunk of a copy is refused before the copy; everything else is accepted.
      if (hunk !== undefined) await reviews.decide({ suggestion: id, hunk: hunk.id, action: 'accept' });
    }
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    expect(readTree(root)).toEqual(expected);
    must(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect(readTree(root)).toEqual(before);
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(readTree(root)).toEqual(before);
    expect(git(root, 'status', '--porcelain', '-z')).toBe('');
  });
}

const ten = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n';
const binary = '\x00\x01\x02PNG\x00'.repeat(40);

describe('every kind of change', () => {
  test.each<[string, Tree, Tree, string[]]>([
    [
      'empty files and a mode',
      { keep: 'k\n', gone: '', 's.sh': 'x\n' },
      { gone: null, made: '', 's.sh': { run: 'x\n' } },
      [],
    ],
    ['mode and content', { 's.sh': 'x\n' }, { 's.sh': { run: 'y\n' } }, []],
    ['a pure rename', { 'a/old': ten }, { 'a/old': null, 'b/c/new': ten }, ['-M']],
    ['a rename with an edit', { old: ten }, { old: null, new: ten.replace('5', 'five') }, ['-M']],
    ['a copy with an edit', { old: ten }, { old: `${ten}11\n`, new: ten.replace('5', 'five') }, ['-C']],
    [
      'binary between text',
      { a: 'a\n', 'b.png': binary, c: 'c\n' },
      { a: 'A\n', 'b.png': `${binary}\x00x`, c: 'C\n' },
      [],
    ],
    ['a new and a deleted binary', { 'b.png': binary }, { 'b.png': null, 'n.png': `\x00${binary}` }, []],
    ['a binary called "a and b.png"', { 'a and b.png': binary }, { 'a and b.png': `\x00${binary}` }, []],
    [
      'a link made, changed, removed',
      { l1: { link: 'x' }, l2: { link: 'y' } },
      { l1: { link: 'z' }, l2: null, l3: { link: '../out' } },
      [],
    ],
    ['a file becomes a link', { f: 'text\n' }, { f: { link: 'to' } }, []],
    ['a link becomes a file', { f: { link: 'to' } }, { f: 'text\n' }, []],
    [
      'odd names',
      { 'h\xc3\xa9llo \xe6.txt': 'a\n', 'we"ird\tname': 'a\n', 'a b c.txt': 'a\n', 'x b/x': 'a\n' },
      { 'h\xc3\xa9llo \xe6.txt': 'b\n', 'we"ird\tname': 'b\n', 'a b c.txt': 'b\n', 'x b/x': 'b\n' },
      [],
    ],
    ['names without quotes', { 'h\xc3\xa9llo.txt': 'a\n' }, { 'h\xc3\xa9llo.txt': 'b\n' }, ['--no-color']],
    [
      'no prefix',
      { 'src/a.ts': 'a\n', 'b/x': 'a\n' },
      { 'src/a.ts': 'b\n', 'b/x': 'b\n', 'b/n': 'n\n' },
      ['--no-prefix'],
    ],
    ['a whole file without a last line end', { f: 'a' }, { f: 'b' }, []],
    ['a deleted folder', { 'd/e/f': 'x\n', 'd/g': 'y\n' }, { 'd/e/f': null, 'd/g': null }, []],
    ['a folder takes the place of a file', { f: 'x\n' }, { f: null, 'f/g': 'y\n' }, ['--no-renames']],
    [
      'a file takes the place of a folder',
      { 'f/g': 'y\n', 'f/h': 'z\n' },
      { 'f/g': null, 'f/h': null, f: 'x\n' },
      ['--no-renames'],
    ],
    [
      'lines that look like headers',
      { p: 'x\n' },
      { p: 'x\n--- a/p\n+++ b/p\n@@ -1 +1 @@\n-x\n+y\ndiff --git a/q b/q\n' },
      [],
    ],
  ])('%s', async (_, base, want, flags) => {
    // `--no-prefix` patches need -p0 in git; git's own apply then gets the prefixed form.
    if (flags.includes('--no-prefix')) {
      const root = makeRepository(base);
      folders.push(root);
      const patch = patchTo(root, want, ...flags);
      await withReviews(async (reviews) => {
        const { id, files } = must(await reviews.publish(root, patch));
        expect([...files].sort()).toEqual(Object.keys(want).sort());
        must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
        for (const [file, text] of Object.entries(want)) expect(readTree(root)[file]).toBe(text);
      });
    } else await check(base, want, flags);
  });
});

const line = fc.constantFrom(
  'a',
  'b',
  '}',
  '',
  '  x',
  'caf\xe9',
  'crlf\r',
  '--- x',
  '+++ y',
  '@@ -1 +1 @@',
  'diff --git a/q b/q',
  '\ttab',
  '\\ No newline',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
  .map(([lines, closed]) => (lines.length === 0 ? '' : lines.join('\n') + (closed ? '\n' : '')));
const entry: fc.Arbitrary<TreeEntry> = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 1, arbitrary: text.map((run) => ({ run })) },
  { weight: 1, arbitrary: fc.constantFrom('x', '../y', 'd/e').map((link) => ({ link })) },
  { weight: 1, arbitrary: text.map((content) => `\x00${content}`) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const names = ['f', 'd/f', 'd/e/g', 'sp ace', 'h\xc3\xa9'];
const tree = fc.record(Object.fromEntries(names.map((name) => [name, entry])));

describe('random trees', () => {
  test('accept all in any order equals `git apply`; undo all restores the base', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        tree,
        fc.constantFrom(
          ['-U0'],
          ['-U1'],
          ['-U3', '-M'],
          ['-U3', '-M20', '-C', '--find-copies-harder'],
          ['--no-renames'],
        ),
        fc.array(fc.nat(20), { maxLength: 4 }),
        async (base, want, flags, order) => {
          await check(base as Tree, want as Tree, flags, order);
        },
      ),
      {
        seed: Number(process.env.COPANE_SEED ?? 11),
        numRuns: Number(process.env.COPANE_RUNS ?? inFull(8, 20)),
      },
    );
  });
});
