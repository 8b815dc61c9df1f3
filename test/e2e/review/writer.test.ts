/** The writer on a real disk: everything is written correctly, or nothing is. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { performWrite, planWrite } from '../../../src/review/files/atomic-writer.ts';
import { makeFolder, putTree, readText, readTree } from '../../helpers/git-fixture.ts';
import { testProgram } from '../../helpers/product.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must, testDiff, testImage } from '../../helpers/review-subject.ts';

/** Contains the root, so that an escape from it shows. */
let cage = '';
let root = '';
let outside = '';
let state = '';
let reviews: TestReviews;

beforeEach(() => {
  [cage, outside, state] = [makeFolder(), makeFolder(), makeFolder()];
  root = path.join(cage, 'root');
  mkdirSync(root);
  reviews = openTestReviews(state);
});
afterEach(() => {
  reviews.close();
  for (const folder of [cage, outside, state]) removeTree(folder);
});

const isRoot = process.getuid?.() === 0;
const change = testDiff('a\nb\nc\n', 'a\nB\nc\n');

async function publish(patch: string) {
  const { id, hunks } = must(await reviews.publish(root, patch));
  return { suggestion: id, hunk: hunks[0]?.id ?? '' };
}

const accept = (ref: { suggestion: string; hunk: string }) => reviews.decide({ ...ref, action: 'accept' });

/** None of our files is left behind. */
const leftovers = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.copane-'));

/** Whether this user may mount something in a separate namespace. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test.runIf(canMount)('a file that is a mount point is refused, and stays unchanged', async () => {
  putTree(root, { f: 'a\nb\nc\n' });
  const { suggestion, hunk } = await publish(change);
  reviews.close();
  putTree(outside, { f: 'a\nb\nc\n' });
  const mount = 'mount --bind "$0" "$1" && shift && echo go | exec "$@"';
  const places = [path.join(outside, 'f'), path.join(root, 'f')];
  const child = [process.execPath, '--no-warnings', testProgram('review-child'), state, suggestion, hunk];
  const done = spawnSync('unshare', ['-rm', 'sh', '-c', mount, ...places, ...child], { encoding: 'utf8' });
  expect(done.stdout).toContain('something may be mounted there');
  for (const folder of [root, outside]) expect(readTree(folder)).toEqual({ f: 'a\nb\nc\n' });
  reviews = openTestReviews(state);
});

describe('the preserved properties of a file', () => {
  test('mode and owner', async () => {
    putTree(root, { f: 'a\nb\nc\n' });
    chmodSync(path.join(root, 'f'), 0o640);
    if (isRoot) chownSync(path.join(root, 'f'), 12_345, 23_456);
    must(await accept(await publish(change)));
    const { mode, uid, gid } = statSync(path.join(root, 'f'));
    expect(readText(root, 'f')).toBe('a\nB\nc\n');
    expect(mode & 0o777).toBe(0o640);
    if (isRoot) expect([uid, gid]).toEqual([12_345, 23_456]);
    expect(leftovers(root)).toEqual([]);
  });

  test('its second hard link', async () => {
    putTree(root, { f: 'a\nb\nc\n' });
    linkSync(path.join(root, 'f'), path.join(outside, 'second'));
    const ref = await publish(change);
    must(await accept(ref));
    expect(readText(outside, 'second')).toBe('a\nB\nc\n');
    must(await reviews.step(ref, 'undo'));
    expect(readText(outside, 'second')).toBe('a\nb\nc\n');
    expect(statSync(path.join(root, 'f')).nlink).toBe(2);
  });

  test.skipIf(spawnSync('setfacl', ['--version']).status !== 0)('its access list', async () => {
    putTree(root, { f: 'a\nb\nc\n' });
    spawnSync('setfacl', ['-m', 'u:12345:rw', path.join(root, 'f')]);
    must(await accept(await publish(change)));
    expect(spawnSync('getfacl', ['-cn', path.join(root, 'f')], { encoding: 'utf8' }).stdout).toMatch(
      /user:12345:rw/,
    );
  });

  test.skipIf(spawnSync('setfacl', ['--version']).status !== 0)(
    'an access list that was added after our write',
    async () => {
      putTree(root, { f: 'a\nb\nc\n' });
      const file = path.join(root, 'f');
      const list = () => spawnSync('getfacl', ['-cn', file], { encoding: 'utf8' }).stdout;
      const ref = await publish(change);
      must(await accept(ref));
      must(await reviews.step(ref, 'undo'));
      spawnSync('setfacl', ['-m', 'u:12345:rw', file]);
      must(await accept(ref));
      expect(readText(root, 'f')).toBe('a\nB\nc\n');
      expect(list()).toMatch(/user:12345:rw/);
      // Written in place since: the list is still known.
      must(await reviews.step(ref, 'undo'));
      expect(list()).toMatch(/user:12345:rw/);
    },
  );

  test('times and bytes of files that are not written', async () => {
    putTree(root, { f: 'a\nb\nc\n', g: 'g\n' });
    const before = statSync(path.join(root, 'g')).mtimeMs;
    must(await accept(await publish(change)));
    expect(statSync(path.join(root, 'g')).mtimeMs).toBe(before);
  });
});

describe('refusals, with the disk unchanged', () => {
  async function refused(
    patch: string,
    reason: RegExp,
    meanwhile: () => void = () => undefined,
  ): Promise<void> {
    const published = await reviews.publish(root, patch);
    if (!published.ok) {
      expect(published.error.message).toMatch(reason);
      return;
    }
    meanwhile();
    const before = readTree(root);
    const answer = await accept({ suggestion: published.value.id, hunk: 'all' });
    expect(answer.ok ? 'accepted' : answer.error.message).toMatch(reason);
    expect(answer).toMatchObject({ error: { code: 'refused' } });
    expect(readTree(root)).toEqual(before);
    expect(leftovers(root)).toEqual([]);
  }

  const at = (name: string) => change.replaceAll('/f', `/${name}`);
  const creation = (name: string) => testDiff(null, 'x\n').replaceAll('/f', `/${name}`);

  test('a read-only file', async () => {
    putTree(root, { f: 'a\nb\nc\n' });
    chmodSync(path.join(root, 'f'), 0o444);
    await refused(change, /read-only/);
  });

  test('a file that has become a folder, a link, or nothing', async () => {
    putTree(root, { f: 'a\nb\nc\n' });
    await refused(change, /no(t a| longer a) regular file/, () =>
      putTree(root, { f: null, 'f/inner': 'x\n' }),
    );
    putTree(root, { f: 'a\nb\nc\n' });
    await refused(change, /no(t a| longer a) regular file/, () =>
      putTree(root, { f: { link: '/etc/passwd' } }),
    );
    putTree(root, { f: 'a\nb\nc\n' });
    await refused(change, /does not exist/, () => putTree(root, { f: null }));
  });

  test('an escape through a link, before and after publishing', async () => {
    putTree(outside, { f: 'a\nb\nc\n' });
    symlinkSync(outside, path.join(root, 'd'));
    await refused(at('d/f'), /behind the link/);
    await refused(creation('d/new'), /behind the link/);
    rmSync(path.join(root, 'd'));
    putTree(root, { 'd/f': 'a\nb\nc\n' });
    await refused(at('d/f'), /behind the link/, () => {
      renameSync(path.join(root, 'd'), path.join(root, 'e'));
      symlinkSync(outside, path.join(root, 'd'));
    });
    expect(readTree(outside)).toEqual({ f: 'a\nb\nc\n' });
  });

  test.each([
    '../x',
    'a/../../x',
    '/tmp/copane-x',
    '.git/hooks/pre-commit',
    '.GIT/config',
    'sub/.git/config',
    'git~1/config',
    '.git\\config',
  ])('the path %s', async (name) => {
    mkdirSync(path.join(root, '.git'));
    await refused(creation(name), /leaves the root|version control|absolute|empty part/);
    expect(readdirSync(cage)).toEqual(['root']);
  });

  test('something of any kind at that path already', async () => {
    await refused(creation('f'), /already exists/, () => putTree(root, { f: 'mine\n' }));
    await refused(creation('g'), /stands in its way/, () =>
      mkdirSync(path.join(root, 'g/full'), { recursive: true }),
    );
    await refused(creation('h/x'), /stands in its way/, () => putTree(root, { h: 'a file\n' }));
    const move = 'diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n';
    putTree(root, { o: 'o\n' });
    await refused(move, /already exists/, () => putTree(root, { n: 'mine\n' }));
  });

  test('one file of several: none is written', async () => {
    putTree(root, { f: 'a\nb\nc\n', g: 'a\nb\nc\n' });
    await refused(`${change}${at('g')}`, /read-only/, () => chmodSync(path.join(root, 'g'), 0o444));
    expect(readText(root, 'f')).toBe('a\nb\nc\n');
  });
});

describe('a file that changes during the write', () => {
  test('between look and write', async () => {
    putTree(root, { f: 'a\n' });
    const plan = must(await planWrite(root, testImage('a\n'), testImage('b\n'), '.copane-t.tmp'));
    putTree(root, { f: 'somebody else\n' });
    expect(await performWrite(plan)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/changed by someone else/) },
    });
    expect(readTree(root)).toEqual({ f: 'somebody else\n' });
  });

  test('a name that appears just before it is used', async () => {
    const plan = must(await planWrite(root, null, testImage('b\n'), '.copane-t.tmp'));
    putTree(root, { f: 'somebody else\n' });
    expect(await performWrite(plan)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/already exists/) },
    });
    expect(readTree(root)).toEqual({ f: 'somebody else\n' });
  });

  test('edits of the user between two decisions stay', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `${i}\n`);
    const base = lines.join('');
    putTree(root, { f: base });
    const { id, hunks } = must(
      await reviews.publish(
        root,
        testDiff(base, base.replace('\n3\n', '\nthree\n').replace('\n25\n', '\n25\nmore\n')),
      ),
    );
    must(await accept({ suggestion: id, hunk: hunks[0]?.id ?? '' }));
    const edited = `mine first\n${(readText(root, 'f') ?? '').replace('\n14\n', '\n14 mine\n')}mine last\n`;
    putTree(root, { f: edited });
    must(await accept({ suggestion: id, hunk: hunks[1]?.id ?? '' }));
    expect(readText(root, 'f')).toBe(edited.replace('\n25\n', '\n25\nmore\n'));
    must(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect(readText(root, 'f')).toBe(edited.replace('\nthree\n', '\n3\n'));
  });

  test('two suggestions for one file: the second builds on the result of the first', async () => {
    const base = Array.from({ length: 20 }, (_, i) => `${i}\n`).join('');
    putTree(root, { f: base });
    const one = await publish(testDiff(base, base.replace('\n3\n', '\nthree\n')));
    const two = await publish(testDiff(base, base.replace('\n15\n', '\nfifteen\n')));
    const same = await publish(testDiff(base, base.replace('\n3\n', '\nTHREE\n')));
    must(await accept(one));
    must(await accept(two));
    const shown = must(await reviews.service.show({ suggestion: same.suggestion, file: null }));
    expect(shown.hunks[0]).toMatchObject({ status: 'conflict' });
    must(await reviews.step(one, 'undo'));
    expect(readText(root, 'f')).toBe(base.replace('\n15\n', '\nfifteen\n'));
    must(await accept(same));
    expect(readText(root, 'f')).toBe(base.replace('\n15\n', '\nfifteen\n').replace('\n3\n', '\nTHREE\n'));
  });
});

describe('a full disk', () => {
  const mounted = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', root]).status === 0;
  test.skipIf(!isRoot)('keeps the old file, with a rename and in place', async ({ skip }) => {
    if (!mounted()) skip('no mount here');
    try {
      const long = Array.from({ length: 1200 }, (_, i) => `${i} ${'x'.repeat(60)}\n`).join('');
      putTree(root, { f: `a\n${long}`, g: `a\n${long}` });
      linkSync(path.join(root, 'g'), path.join(root, 'second'));
      const before = readTree(root);
      for (const name of ['f', 'g']) {
        const patch = testDiff(`a\n${long}`, `b\n${long}${'y'.repeat(200_000)}\n`).replaceAll(
          '/f',
          `/${name}`,
        );
        const { suggestion } = await publish(patch);
        expect(await accept({ suggestion, hunk: 'all' })).toMatchObject({
          ok: false,
          error: { message: expect.stringMatching(/full/) },
        });
        expect(readTree(root)).toEqual(before);
      }
      writeFileSync(path.join(root, 'room'), 'r');
      expect(lstatSync(path.join(root, 'second')).nlink).toBe(2);
    } finally {
      spawnSync('umount', [root]);
    }
  });
});
