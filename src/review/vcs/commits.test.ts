import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { git, makeFolder, makeRepository, putTree } from '../../../test/helpers/git-fixture.ts';
import { removeTree } from '../../../test/helpers/remove-tree.ts';
import { commitOf } from '../sandboxes/git-sandbox.ts';
import { commitNamed } from './commits.ts';
import { openRepository } from './git.ts';

let root = '';
let home = '';
beforeEach(() => {
  root = makeRepository({ f: 'f\n' });
  home = makeFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of [root, home]) removeTree(folder);
});

async function named(name: string, before?: () => void) {
  const repository = await openRepository(root);
  if (!repository.ok) throw new Error(repository.error.message);
  before?.();
  return commitNamed(repository.value, name);
}

describe('a commit by name', () => {
  test('is found', async () => {
    expect(await named('HEAD')).toEqual({ ok: true, value: git(root, 'rev-parse', 'HEAD').trim() });
  });

  test.each(['nosuch', 'HEAD@{99}', 'HEAD~9', '--all', 'HEAD^{tree}', '', 'a..b', ':/zz'])(
    'is missing: "%s"',
    async (name) => {
      expect(await named(name)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    },
  );

  test('is not looked up if git fails, and the error is passed on', async () => {
    const upstream = await named('@{upstream}');
    const none = await named('HEAD', () => vi.stubEnv('PATH', home));
    for (const [found, words] of [
      [upstream, 'no upstream configured'],
      [none, 'There is no "git" on your PATH.'],
    ] as const)
      expect(found).toMatchObject({
        ok: false,
        error: { code: 'refused', message: expect.stringContaining(words) },
      });
  });

  test('HEAD of a new sandbox exists, or has no commit yet, or git fails', async () => {
    const failing = '#!/bin/sh\ncase "$*" in *--verify*) echo fatal: damaged >&2; exit 128;; esac\n';
    putTree(home, { git: { run: `${failing}PATH=\${PATH#*:} exec git "$@"\n` } });
    expect(await commitOf(root, 'HEAD')).toMatchObject({ ok: true });
    vi.stubEnv('PATH', `${home}:${process.env.PATH}`);
    expect(await commitOf(root, 'HEAD')).toMatchObject({
      error: { message: 'git rev-parse failed: fatal: damaged' },
    });
    vi.unstubAllEnvs();
    git(root, 'update-ref', '-d', 'HEAD');
    expect(await commitOf(root, 'HEAD')).toMatchObject({ error: { message: `${root} has no commit yet.` } });
  });
});
