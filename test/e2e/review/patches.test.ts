import { mkdirSync, writeFileSync } from 'node:fs';
/** Changes from two folders, and from patches as commits, models and mails write them. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeFolder, makeRepository, putTree, readText, readTree } from '../../helpers/git-fixture.ts';
import { must } from '../../helpers/review-subject.ts';
import { reviewsPerTest } from '../../helpers/reviews-per-test.ts';

const { tracked, reviews, publish, decide } = reviewsPerTest();

describe('folders and patches', () => {
  test('two plain folders', async () => {
    const [from, to] = [tracked(makeFolder()), tracked(makeFolder())];
    putTree(from, { same: 's\n', f: 'a\n', gone: 'g\n', bin: '\x00a', 's.sh': 'x\n', l: { link: 'x' } });
    putTree(to, {
      same: 's\n',
      f: 'A\n',
      'd/n': 'n',
      bin: '\x00b',
      's.sh': { run: 'x\n' },
      l: { link: 'y' },
    });
    const { id, hunks } = await publish(from, { kind: 'folders', from, to });
    expect(hunks.map((hunk) => `${hunk.file} ${hunk.kind} ${hunk.status}`).sort()).toEqual([
      'bin binary pending',
      'd/n create pending',
      'f text pending',
      'gone delete pending',
      'l symlink pending',
      's.sh mode pending',
    ]);
    await decide(id, 'all', 'accept');
    expect(readTree(from)).toEqual(readTree(to));
  });

  test('a mailbox of commits that change one file again and again', async () => {
    const root = tracked(makeRepository({ f: 'a\nb\nc\n' }));
    const base = git(root, 'rev-parse', 'HEAD').trim();
    for (const text of ['x\na\nb\nc\n', 'x\na\nB\nc\n', 'x\nB\nc\nd\n']) {
      putTree(root, { f: text, [`n${text.length}`]: text });
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'step');
    }
    const mailbox = git(root, 'format-patch', '--stdout', `${base}..HEAD`);
    const want = readTree(root);
    git(root, 'reset', '-q', '--hard', base);
    const { id, notes } = must(await reviews().publish(root, mailbox));
    expect(notes.join()).toMatch(/more than once/);
    await decide(id, 'all', 'accept');
    expect(readTree(root)).toEqual(want);
  });

  test('only some files', async () => {
    const root = tracked(makeRepository({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'c.md': 'c\n' }));
    putTree(root, { 'src/a.ts': 'A\n', 'src/b.ts': 'B\n', 'c.md': 'C\n' });
    const source = { kind: 'working_tree' } as const;
    const some = await reviews().publishFrom({
      target: root,
      source,
      filter: { files: ['src/**'], exclude: ['**/b.ts'] },
    });
    expect(must(some).files).toEqual(['src/a.ts']);
    await decide(must(some).id, 'all', 'reject');
    expect(readTree(root)).toEqual({ 'src/a.ts': 'a\n', 'src/b.ts': 'B\n', 'c.md': 'C\n' });
  });
});

describe('patches as models and mails write them', () => {
  const start = () => tracked(makeRepository({ 'src/a.ts': 'one\ntwo\n', run: 'x\n' }));
  const offer = async (root: string, patch: string) =>
    reviews().publishFrom({
      target: root,
      source: { kind: 'patch', patch: Buffer.from(patch).toString('base64') },
    });

  test('edits by quotes are located in the files and decided like any hunk', async () => {
    const root = start();
    const file = path.join(root, 'src/a.ts');
    const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-two\n+TWO\n*** Add File: ./new.ts\n+n\n*** End Patch\n`;
    const { id, hunks } = must(await offer(root, patch));
    expect(hunks.map((hunk) => `${hunk.file} ${hunk.kind}`)).toEqual(['src/a.ts text', 'new.ts create']);
    for (const hunk of hunks) await decide(id, hunk.id, 'accept');
    expect(readText(root, 'src/a.ts')).toBe('one\nTWO\n');
    expect(readText(root, 'new.ts')).toBe('n\n');
  });

  test('folders that the project does not have are stripped, with a message', async () => {
    const root = start();
    const patch = '--- build/x/src/a.ts\n+++ build/x/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n';
    const { hunks, notes } = must(await offer(root, patch));
    expect(hunks.map((hunk) => `${hunk.file} ${hunk.status}`)).toEqual(['src/a.ts pending']);
    expect(notes).toContain('The paths of the patch were read without their first 2 folders.');
  });

  test('a path from the top of the disk is one of the project, however deep that is', async () => {
    const root = path.join(start(), 'a/b/c/d/e/f/g');
    mkdirSync(root, { recursive: true });
    writeFileSync(path.join(root, 'h'), 'one\n');
    const file = path.join(root, 'h');
    const { hunks, notes } = must(await offer(root, `--- ${file}\n+++ ${file}\n@@ -1 +1 @@\n-one\n+ONE\n`));
    expect(hunks.map((hunk) => hunk.file)).toEqual(['h']);
    const folders = root.split('/').length - 1;
    expect(notes).toContain(`The paths of the patch were read without their first ${folders} folders.`);
  });

  const C = 'f() {\n\tif (a < b && c) {\n\t\tg(" x ");\n\t}\n}\n';
  const DIFF = `--- a/c\n+++ b/c\n@@ -1,5 +1,6 @@\n f() {\n \tif (a < b && c) {\n+\t\th(a > b);\n \t\tg(" x ");\n \t}\n }\n`;
  /** With the number of each line of the file in front of it. */
  const numbered = (diff: string) => {
    let line = 11;
    return diff.replaceAll(
      /^([ +])(?=[f\t}])/gm,
      (_, marker: string) => `${marker} ${marker === '+' ? line : ++line} `,
    );
  };
  test.each([
    [
      'an ellipsis',
      DIFF.replace(/^ \t\tg.*/m, ' // ... existing code ...'),
      /"\/\/ \.\.\. existing code \.\.\." stands/,
    ],
    ['line numbers', numbered(DIFF), /each of its lines has its number/],
    [
      'numbers of a file that has changed',
      '--- a/n\n+++ b/n\n@@ -1,3 +1,3 @@\n 4\n-6\n+7\n 6\n',
      /^its old lines are no longer/,
    ],
    ['escapes of HTML', DIFF.replace('<', '&lt;'), /they look escaped as in HTML/],
    ['non-breaking spaces', DIFF.replace('a < b', 'a\u00a0<\u00a0b'), /they have non-breaking spaces/],
    ['blanks for tabs', DIFF.replaceAll('\t', '    '), /which has tabs where they have blanks/],
    [
      'no lines of a file that it deletes',
      '--- a/c\n+++ /dev/null\n',
      /lines that it does not quote; the file stays/,
    ],
  ])('a diff with %s is refused with the reason', async (_, patch, reason) => {
    const root = tracked(makeRepository({ c: C, n: '4\n5\n6\n' }));
    const { id, hunks } = must(await offer(root, patch));
    expect(hunks.map(({ status, reason: why }) => [status, why])).toEqual([
      ['conflict', expect.stringMatching(reason)],
    ]);
    expect((await reviews().decide({ suggestion: id, hunk: hunks[0]?.id ?? '', action: 'accept' })).ok).toBe(
      false,
    );
    expect(readText(root, 'c')).toBe(C);
  });

  test.each([
    ['../outside.ts', 'leaves the root'],
    ['.git/config', 'a folder of the version control system'],
  ])('an edit of %s is refused', async (name, why) => {
    const root = start();
    const offered = await offer(root, `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch\n`);
    expect(offered.ok ? 'taken' : offered.error.message).toContain(why);
  });
});
