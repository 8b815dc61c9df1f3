/** Files under a git filter are named; nothing in them is staged, committed or written. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeRepository, putTree, readText } from '../../../helpers/git-fixture.ts';
import { must } from '../../../helpers/review-subject.ts';
import { IN_PLACE, workingTree } from '../../../helpers/working-tree.ts';

const tree = workingTree();

/** `rot13` as git's own filter; the index has its clean form. */
function useFilter(name: string, scope: 'local' | 'global', files: Record<string, string>): void {
  const rot = "tr 'A-Za-z' 'N-ZA-Mn-za-m'";
  tree.root = makeRepository({ 'f.txt': 'f\n' });
  for (const kind of ['clean', 'smudge']) {
    if (scope === 'local') git(tree.root, 'config', `filter.${name}.${kind}`, rot);
    else git(tree.root, 'config', '--file', path.join(tree.home, 'gitconfig'), `filter.${name}.${kind}`, rot);
  }
  putTree(tree.root, { '.gitattributes': `*.secret filter=${name}\n`, ...files });
  tree.git('add', '-A');
  tree.git('commit', '-qm', 'secrets');
}

describe('files under a filter', () => {
  test.each(['local', 'global'] as const)(
    'of the %s configuration are named; nothing in them is staged, committed or written',
    async (scope) => {
      useFilter('crypt', scope, {
        'a.secret': 'secret a\n',
        'b.secret': 'secret b\n',
        'c.secret': 'secret c\n',
      });
      expect(tree.git('show', 'HEAD:a.secret')).toBe('frperg n\n');
      putTree(tree.root, {
        'a.secret': 'changed\n',
        'new.secret': 'new\n',
        'f.txt': 'F\n',
        'c.secret': 'staged\n',
      });
      tree.git('add', 'c.secret');
      const stagedBefore = tree.git('ls-files', '-s');
      const { id, files, notes } = await tree.review(IN_PLACE, { stage: true });
      expect(files).toEqual(['f.txt']);
      expect(notes).toEqual([
        expect.stringMatching(/^c\.secret, a\.secret, new\.secret: under the filter "crypt"/),
      ]);
      await tree.decide(id, 'all', 'accept');
      expect(tree.git('ls-files', '-s', '--', '*.secret')).toBe(
        stagedBefore
          .split('\n')
          .filter((line) => line.endsWith('.secret'))
          .map((line) => `${line}\n`)
          .join(''),
      );
      await tree.commit(id);
      expect(tree.git('show', '--format=', '--name-only', 'HEAD')).toBe('f.txt\n');
      expect(readText(tree.root, 'a.secret')).toBe('changed\n');
      expect(tree.git('cat-file', '--batch-all-objects', '--batch')).not.toMatch(/^(?:changed|new|staged)$/m);
    },
  );

  test('an unchanged one is not even named; a rejected review leaves it as it is', async () => {
    useFilter('a=b', 'local', { 'a.secret': 'secret a\n' });
    putTree(tree.root, { 'f.txt': 'F\n' });
    const { id, files, notes } = await tree.review();
    expect([files, notes]).toEqual([['f.txt'], []]);
    await tree.decide(id, 'all', 'reject');
    expect(readText(tree.root, 'a.secret')).toBe('secret a\n');
    expect(readText(tree.root, 'f.txt')).toBe('f\n');
  });

  test('only such files: the reason is reported', async () => {
    useFilter('crypt', 'local', { 'a.secret': 'secret a\n' });
    putTree(tree.root, { 'a.secret': 'changed\n' });
    expect(await tree.reviews.publishFrom({ target: tree.root, source: IN_PLACE })).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/^There is nothing to review\. a\.secret: under the filter "crypt"/),
      },
    });
  });

  test('a patch for one is decided on disk, and not committed without the filter', async () => {
    useFilter('crypt', 'local', { 'a.secret': 'secret a\n' });
    const patch = '--- a/a.secret\n+++ b/a.secret\n@@ -1 +1 @@\n-secret a\n+secret A\n';
    const { id } = must(await tree.reviews.publish(tree.root, patch));
    await tree.decide(id, 'all', 'accept');
    expect(readText(tree.root, 'a.secret')).toBe('secret A\n');
    expect(
      await tree.reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }),
    ).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/a\.secret.*filter "crypt"/) },
    });
  });
});
