/** Changes that add links: nothing is written through one, whatever is decided together, and undo restores all. */
import { mkdirSync, readdirSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CagedProject } from '../../helpers/caged-project.ts';
import { makeFolder, putTree, type Tree } from '../../helpers/git-fixture.ts';
import {
  created,
  deleted,
  linked,
  moded,
  modified,
  changesOf as patchOf,
  relinked,
  renamed,
  unlinked,
} from '../../helpers/patch-parts.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

let state = '';
let reviews: TestReviews;
let project: CagedProject;

beforeEach(() => {
  state = makeFolder();
  reviews = openTestReviews(state);
});
afterEach(() => {
  reviews.close();
  project.remove();
  removeTree(state);
});

const HOOK = '#!/bin/sh\ntouch ran\n';
const WAYS = ['all', 'fitting', 'each', 'each backwards'] as const;

/** Publishes and accepts in one of several ways; returns the message of each refusal. */
async function acceptAll(patch: string, way: (typeof WAYS)[number]) {
  const { id: suggestion, hunks } = must(await reviews.publish(project.root, patch));
  const said: string[] = [];
  const ids = hunks.map(({ id }) => id);
  const asked = way === 'each' ? ids : way === 'each backwards' ? ids.toReversed() : ['all'];
  for (const hunk of asked) {
    const onlyFitting = way === 'fitting';
    const params = { suggestion, hunk, action: 'accept', onlyFitting, acceptSelfRunning: true } as const;
    const answer = await reviews.decide(params);
    said.push(...(answer.ok ? answer.value.notes : [answer.error.message]));
  }
  return { suggestion, said };
}

interface Attack {
  readonly name: string;
  readonly base?: Tree;
  readonly patch: (outside: string) => string;
  /** The expected files once everything that fits was accepted. */
  readonly left: Tree;
  /** Nothing is refused: what would be deleted behind the link does not exist. */
  readonly isSilent?: boolean;
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'a link to the hooks, and a hook behind it',
    patch: () => patchOf(linked('docs', '.git/hooks'), created('docs/post-commit', HOOK, '100755')),
    left: { docs: { link: '.git/hooks' } },
  },
  {
    name: 'an absolute link',
    patch: (outside) => patchOf(linked('docs', outside), created('docs/x', 'x\n')),
    left: {},
  },
  {
    name: 'a link to a link to the hooks',
    patch: () =>
      patchOf(
        linked('a', 'b'),
        linked('b', '.git/hooks'),
        created('a/post-commit', HOOK),
        created('b/x', 'x\n'),
      ),
    left: { a: { link: 'b' }, b: { link: '.git/hooks' } },
  },
  {
    name: 'a link deep in a folder that the change makes',
    patch: () => patchOf(linked('a/b/c', '../../../outside'), created('a/b/c/d/x', 'x\n')),
    left: { 'a/b/c': { link: '../../../outside' } },
  },
  {
    name: 'links in a circle',
    patch: () => patchOf(linked('a', 'b'), linked('b', 'a'), created('a/x', 'x\n')),
    left: { a: { link: 'b' }, b: { link: 'a' } },
  },
  {
    name: 'a link to the project itself',
    patch: () => patchOf(linked('here', '.'), created('here/.gitx/y', 'x\n'), created('here/hooks', 'x\n')),
    left: { here: { link: '.' } },
  },
  {
    name: 'a link that is renamed first (git, CVE-2023-23946)',
    base: { symlink: { link: '.git' } },
    patch: () => patchOf(renamed('symlink', 'renamed'), created('renamed/create-me', 'x\n')),
    left: { renamed: { link: '.git' } },
  },
  {
    name: 'a file behind a renamed link that is deleted (git, CVE-2023-23946)',
    base: { symlink: { link: '.git' } },
    patch: () => patchOf(renamed('symlink', 'renamed'), deleted('renamed/config', '[core]\n')),
    left: { renamed: { link: '.git' } },
    isSilent: true,
  },
  {
    name: 'a file behind a new link that is changed (GNU patch, CVE-2015-1196)',
    patch: () => patchOf(linked('dir', '../outside'), modified('dir/f', 'outside\n', 'pwned\n')),
    left: { dir: { link: '../outside' } },
  },
  {
    name: 'the mode of a file behind a link',
    base: { dir: { link: '../outside' } },
    patch: () => patchOf(moded('dir/f', '100644', '100755')),
    left: { dir: { link: '../outside' } },
  },
  {
    name: 'a file that is a link by the time that it is written (GNU patch, CVE-2019-13636)',
    base: { f: { link: '../outside/f' } },
    patch: () => patchOf(modified('f', 'outside\n', 'pwned\n')),
    left: { f: { link: '../outside/f' } },
  },
  {
    name: 'a file that is renamed to a place behind a new link (rsync and tar: links among the files)',
    base: { f: 'mine\n' },
    patch: () => patchOf(linked('out', '../outside'), renamed('f', 'out/f2')),
    left: { out: { link: '../outside' }, f: 'mine\n' },
  },
  {
    name: 'a file that is renamed out of a place behind a link',
    base: { dir: { link: '../outside' } },
    patch: () => patchOf(renamed('dir/f', 'mine')),
    left: { dir: { link: '../outside' } },
  },
  {
    name: 'a link in the place of a folder, and a file behind it',
    base: { 'd/x': 'x\n' },
    patch: () => patchOf(linked('d', '.git/hooks'), deleted('d/x', 'x\n'), created('d/post-commit', HOOK)),
    // The folder existed before the link could: the link is refused.
    left: { 'd/post-commit': HOOK },
  },
  {
    name: 'a link that is pointed elsewhere, and a file behind it',
    base: { l: { link: 'x' } },
    patch: () => patchOf(relinked('l', 'x', '../outside'), created('l/y', 'y\n')),
    left: { l: { link: '../outside' } },
  },
];

describe.each(ATTACKS)('$name', ({ base = {}, patch, left, isSilent = false }) => {
  test.each(WAYS)('accepted: %s', async (way) => {
    project = new CagedProject(base);
    const [around, before] = [project.around(), project.files()];
    const { suggestion, said } = await acceptAll(patch(project.outside), way);
    expect(project.around()).toEqual(around);
    const shown = must(await reviews.service.show({ suggestion, file: null }));
    const open = shown.hunks.filter(({ status }) => status !== 'accepted' && status !== 'already_applied');
    const isWhole = isSilent && way !== 'each';
    // Every refusal has a message.
    expect([...said, ...open.flatMap(({ reason }) => reason ?? [])].join('\n')).toMatch(
      isWhole ? '' : /link|regular file|way|exist/,
    );
    if (way === 'fitting' || way === 'each') {
      const wanted = new CagedProject({});
      putTree(wanted.root, left);
      const expected = Object.keys(left).length === 0 ? { docs: `-> ${project.outside}` } : wanted.files();
      wanted.remove();
      expect(project.files()).toEqual(expected);
    }
    if (way === 'all' && !isWhole) expect(project.files()).toEqual(before);
    const undone = await reviews.step({ suggestion, hunk: 'all' }, 'undo');
    if (!undone.ok) expect(undone.error.message).toMatch(/nothing to undo/);
    expect(project.files()).toEqual(before);
    expect(project.around()).toEqual(around);
  });
});

describe('a valid change with links', () => {
  const HARMLESS: readonly [string, Tree, string[]][] = [
    ['a link, and a file in the folder that it points to', {}, [linked('a', 'b'), created('b/x', 'x\n')]],
    [
      'a folder that becomes a link',
      { 'd/x': 'x\n', 'd/y': 'y\n' },
      [linked('d', 'e'), deleted('d/x', 'x\n'), deleted('d/y', 'y\n'), created('e/x', 'x\n')],
    ],
    [
      'a folder whose files move away, and a link to where they are',
      { 'd/x': 'x\n' },
      [linked('d', 'e'), renamed('d/x', 'e/x')],
    ],
    [
      'a link that becomes a folder',
      { l: { link: 'e' }, 'e/x': 'x\n' },
      [unlinked('l', 'e'), created('l/x', 'x\n')],
    ],
    ['a file that becomes a link', { f: 'x\n', g: 'g\n' }, [deleted('f', 'x\n') + linked('f', 'g')]],
    [
      'a link that becomes a file',
      { f: { link: 'g' }, g: 'g\n' },
      [unlinked('f', 'g') + created('f', 'x\n')],
    ],
    ['a file that becomes a folder', { f: 'x\n' }, [created('f/x', 'x\n'), deleted('f', 'x\n')]],
    [
      'a file that moves aside for a folder, which a file is deleted for',
      { a: 'a\n', 'b/y': 'y\n' },
      [created('a/x', 'x\n'), renamed('a', 'b'), deleted('b/y', 'y\n')],
    ],
  ];
  test.each(HARMLESS)('%s: accepted, and undone', async (_, base, parts) => {
    project = new CagedProject(base);
    const [around, before] = [project.around(), project.files()];
    const { suggestion, said } = await acceptAll(patchOf(...parts), 'all');
    expect(said).toEqual([]);
    const shown = must(await reviews.service.show({ suggestion, file: null }));
    expect(shown.hunks.map(({ status, reason }) => [status, reason])).toEqual(
      shown.hunks.map(() => ['accepted', null]),
    );
    const after = project.files();
    expect(after).not.toEqual(before);
    must(await reviews.step({ suggestion, hunk: 'all' }, 'undo'));
    expect(project.files()).toEqual(before);
    must(await reviews.step({ suggestion, hunk: 'all' }, 'redo'));
    expect(project.files()).toEqual(after);
    // One by one, in an order in which some must wait for others.
    const ids = shown.hunks.map(({ id }) => id);
    for (let round = 0; round < ids.length; round += 1)
      for (const hunk of ids) await reviews.step({ suggestion, hunk }, 'undo');
    expect(project.files()).toEqual(before);
    expect(project.around()).toEqual(around);
  });
});

describe('the location of the project', () => {
  const patch = created('x', 'x\n');

  test('a version control folder is not a project', async () => {
    project = new CagedProject({});
    const around = project.around();
    for (const folder of ['.git', '.git/hooks']) {
      const published = await reviews.publish(path.join(project.root, folder), patch);
      expect(published).toMatchObject({
        ok: false,
        error: { message: expect.stringMatching(/version control/) },
      });
    }
    expect(project.around()).toEqual(around);
    // A working copy that someone keeps in there is a project.
    const inner = path.join(project.root, '.git/trees/one');
    mkdirSync(inner, { recursive: true });
    putTree(inner, { '.git': 'gitdir: elsewhere\n' });
    const { id } = must(await reviews.publish(inner, patch));
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    expect(readdirSync(inner).sort()).toEqual(
      ['.git', 'x']
        .filter((name) => name !== '.git')
        .concat('.git')
        .sort(),
    );
  });

  test('a link in place of the project, or above it', async () => {
    project = new CagedProject({});
    const around = project.around();
    for (const [moved, link] of [
      [project.root, project.outside],
      [project.cage, makeFolder()],
    ] as const) {
      const { id } = must(await reviews.publish(project.root, patch));
      renameSync(moved, `${moved}.away`);
      symlinkSync(link, moved);
      mkdirSync(path.join(link, 'root'), { recursive: true });
      const answer = await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' });
      expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(/is a link now/) } });
      expect(readdirSync(path.join(link, 'root'))).toEqual([]);
      removeTree(path.join(link, 'root'));
      unlinkSync(moved);
      renameSync(`${moved}.away`, moved);
    }
    expect(project.around()).toEqual(around);
  });
});
