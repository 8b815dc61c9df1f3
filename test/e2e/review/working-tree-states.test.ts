/** Working trees as git makes them: filters, line ends, staged states, odd paths. One file costs one file. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SuggestionSource } from '../../../src/protocol/commands/review.ts';
import { git, makeFolder, makeRepository, putTree, readText, readTree } from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const numbered = (changed: Readonly<Record<number, string>> = {}, end = '\n') =>
  Array.from({ length: 20 }, (_, i) => changed[i] ?? `line ${i}${end}`).join('');

let root = '';
let home = '';
let reviews: TestReviews;

beforeEach(() => {
  home = makeFolder();
  reviews = openTestReviews(path.join(home, 'state'));
  writeFileSync(path.join(home, 'gitconfig'), '[user]\n\tname = t\n\temail = t@example.com\n');
  vi.stubEnv('GIT_CONFIG_GLOBAL', path.join(home, 'gitconfig'));
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  reviews.close();
  for (const folder of [root, home]) removeTree(folder);
});

const IN_PLACE: SuggestionSource = { kind: 'working_tree', against: 'head' };
const STAGED: SuggestionSource = { kind: 'index' };

async function review(
  source = IN_PLACE,
  more: { stage?: boolean; filter?: { paths?: string[]; exclude?: string[] } } = {},
) {
  return must(await reviews.publishFrom({ target: root, source, ...more }));
}

const decide = async (suggestion: string, hunk: string, action: 'accept' | 'reject') =>
  must(await reviews.decide({ suggestion, hunk, action }));
const undo = async (suggestion: string, hunk: string) =>
  must(await reviews.step({ suggestion, hunk }, 'undo'));

/** `rot13` as git's own filter, kept by the index in its clean form. */
function useFilter(name: string, scope: 'local' | 'global', files: Record<string, string>): void {
  const rot = "tr 'A-Za-z' 'N-ZA-Mn-za-m'";
  root = makeRepository({ 'f.txt': 'f\n' });
  for (const kind of ['clean', 'smudge']) {
    if (scope === 'local') git(root, 'config', `filter.${name}.${kind}`, rot);
    else git(root, 'config', '--file', path.join(home, 'gitconfig'), `filter.${name}.${kind}`, rot);
  }
  putTree(root, { '.gitattributes': `*.secret filter=${name}\n`, ...files });
  realGit('add', '-A');
  realGit('commit', '-qm', 'secrets');
}

/** Git with the user's configuration: its filters run. */
const realGit = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'latin1' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
};

describe('files under a filter', () => {
  test.each(['local', 'global'] as const)(
    'of the %s configuration are named; nothing of them is staged, committed or written',
    async (scope) => {
      useFilter('crypt', scope, {
        'a.secret': 'secret a\n',
        'b.secret': 'secret b\n',
        'c.secret': 'secret c\n',
      });
      expect(realGit('show', 'HEAD:a.secret')).toBe('frperg n\n');
      putTree(root, {
        'a.secret': 'changed\n',
        'new.secret': 'new\n',
        'f.txt': 'F\n',
        'c.secret': 'staged\n',
      });
      realGit('add', 'c.secret');
      const stagedBefore = realGit('ls-files', '-s');
      const { id, files, notes } = await review(IN_PLACE, { stage: true });
      expect(files).toEqual(['f.txt']);
      expect(notes).toEqual([
        expect.stringMatching(/^c\.secret, a\.secret, new\.secret: under the filter "crypt"/),
      ]);
      await decide(id, 'all', 'accept');
      expect(realGit('ls-files', '-s', '--', '*.secret')).toBe(
        stagedBefore
          .split('\n')
          .filter((line) => line.endsWith('.secret'))
          .map((line) => `${line}\n`)
          .join(''),
      );
      must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }));
      expect(realGit('show', '--format=', '--name-only', 'HEAD')).toBe('f.txt\n');
      expect(readText(root, 'a.secret')).toBe('changed\n');
      expect(realGit('cat-file', '--batch-all-objects', '--batch')).not.toMatch(/^(?:changed|new|staged)$/m);
    },
  );

  test('an unchanged one is not even named; a rejected review leaves it as it is', async () => {
    useFilter('a=b', 'local', { 'a.secret': 'secret a\n' });
    putTree(root, { 'f.txt': 'F\n' });
    const { id, files, notes } = await review();
    expect([files, notes]).toEqual([['f.txt'], []]);
    await decide(id, 'all', 'reject');
    expect(readText(root, 'a.secret')).toBe('secret a\n');
    expect(readText(root, 'f.txt')).toBe('f\n');
  });

  test('nothing but such files: the reason is said', async () => {
    useFilter('crypt', 'local', { 'a.secret': 'secret a\n' });
    putTree(root, { 'a.secret': 'changed\n' });
    expect(await reviews.publishFrom({ target: root, source: IN_PLACE })).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/^No changes to publish\. a\.secret: under the filter "crypt"/),
      },
    });
  });

  test('a patch for one is decided on disk, and not committed without the filter', async () => {
    useFilter('crypt', 'local', { 'a.secret': 'secret a\n' });
    const patch = '--- a/a.secret\n+++ b/a.secret\n@@ -1 +1 @@\n-secret a\n+secret A\n';
    const { id } = must(await reviews.publish(root, patch));
    await decide(id, 'all', 'accept');
    expect(readText(root, 'a.secret')).toBe('secret A\n');
    expect(
      await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }),
    ).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/a\.secret.*filter "crypt"/) },
    });
  });
});

describe('line ends', () => {
  const crlf = (changed: Readonly<Record<number, string>> = {}) => numbered(changed, '\r\n');

  test.each([
    ['text=auto with eol=crlf', { '.gitattributes': '* text=auto eol=crlf\n' }, null],
    ['eol=crlf alone', { '.gitattributes': '*.txt eol=crlf\n' }, null],
    ['core.autocrlf=true', {}, 'true'],
    ['core.autocrlf=input', {}, 'input'],
  ] as const)('%s: a CRLF file in which one line ends with LF', async (_, tree, autocrlf) => {
    root = makeRepository({ ...tree, 'f.txt': 'x\n' });
    if (autocrlf !== null) git(root, 'config', 'core.autocrlf', autocrlf);
    putTree(root, { 'f.txt': crlf() });
    realGit('add', '-A');
    realGit('commit', '-qm', 'crlf');
    const edited = crlf({ 3: 'three\n', 15: 'fifteen\r\nmore\n' });
    putTree(root, { 'f.txt': edited });
    const { id, hunks, notes } = await review(IN_PLACE, { stage: true });
    expect([hunks.length, notes]).toEqual([2, []]);
    await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(root, 'f.txt')).toBe(crlf({ 15: 'fifteen\r\nmore\n' }));
    await undo(id, hunks[0]?.id ?? '');
    expect(readText(root, 'f.txt')).toBe(edited);
    await decide(id, hunks[1]?.id ?? '', 'accept');
    expect(realGit('show', ':f.txt')).toBe(numbered({ 15: 'fifteen\nmore\n' }));
    await decide(id, hunks[0]?.id ?? '', 'reject');
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }));
    expect(realGit('show', 'HEAD:f.txt')).toBe(numbered({ 15: 'fifteen\nmore\n' }));
    expect(realGit('status', '--porcelain')).toBe('');
  });

  test('half of the line ends are CRLF, and the last line has none: a line comes back as git writes it', async () => {
    root = makeRepository({ 'f.txt': 'f\n' });
    git(root, 'config', 'core.autocrlf', 'true');
    putTree(root, { 'f.txt': 'a\r\nb\r\nc' });
    realGit('commit', '-qam', 'crlf');
    putTree(root, { 'f.txt': 'a\r\nB\nc' });
    const { id } = await review();
    await decide(id, 'all', 'reject');
    expect(readText(root, 'f.txt')).toBe('a\r\nb\r\nc');
  });

  test('a deleted CRLF file comes back with CRLF', async () => {
    root = makeRepository({ '.gitattributes': '* text=auto eol=crlf\n', 'f.txt': 'x\n', 'g.txt': 'g\n' });
    rmSync(path.join(root, 'f.txt'));
    realGit('checkout', '--', 'f.txt');
    rmSync(path.join(root, 'f.txt'));
    const { id, hunks } = await review();
    await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(root, 'f.txt')).toBe('x\r\n');
    expect(realGit('status', '--porcelain', '--', 'f.txt')).toBe('');
  });

  test('ident: what git expands is not a change', async () => {
    root = makeRepository({ '.gitattributes': '*.txt ident\n', 'f.txt': `$Id$\n${numbered()}` });
    rmSync(path.join(root, 'f.txt'));
    realGit('checkout', '--', 'f.txt');
    const expanded = readText(root, 'f.txt') ?? '';
    expect(expanded).toMatch(/^\$Id: [0-9a-f]+ \$/);
    putTree(root, { 'f.txt': expanded.replace('line 1\n', 'one\n') });
    const { id, hunks } = await review();
    expect(hunks).toHaveLength(1);
    await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(root, 'f.txt')).toBe(expanded);
  });

  test('working-tree-encoding: that file alone is left out, and named', async () => {
    root = makeRepository({ 'f.txt': 'f\n' });
    const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
    putTree(root, { '.gitattributes': '*.u16 working-tree-encoding=UTF-16\n', 'a.u16': utf16('a\n') });
    realGit('add', '-A');
    realGit('commit', '-qm', 'u16');
    putTree(root, { 'f.txt': 'F\n', 'a.u16': utf16('A\n') });
    const { files, notes } = await review();
    expect(files).toEqual(['f.txt']);
    expect(notes).toEqual([expect.stringMatching(/^a\.u16: stored in another encoding/)]);
  });
});

describe('what is staged', () => {
  beforeEach(() => {
    root = makeRepository({ 'f.txt': numbered(), 'g.txt': 'g\n' });
    putTree(root, { 'f.txt': numbered({ 12: 'twelve\n' }) });
    git(root, 'add', '-A');
  });

  test('with an unstaged edit above: the staged hunk is reviewed, and rejected out of both', async () => {
    putTree(root, { 'f.txt': `above\n${numbered({ 12: 'twelve\n' })}` });
    const { id, hunks } = await review(STAGED);
    expect(hunks).toHaveLength(1);
    const { notes } = await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(root, 'f.txt')).toBe(`above\n${numbered()}`);
    expect(git(root, 'show', ':f.txt')).toBe(numbered());
    expect(notes).toEqual(['f.txt: taken out of the index, too.']);
    await undo(id, hunks[0]?.id ?? '');
    expect(readText(root, 'f.txt')).toBe(`above\n${numbered({ 12: 'twelve\n' })}`);
    expect(git(root, 'show', ':f.txt')).toBe(numbered({ 12: 'twelve\n' }));
  });

  test.each<[string, () => void, string | null]>([
    ['gone', () => rmSync(path.join(root, 'f.txt')), null],
    [
      'edited in the same lines',
      () => putTree(root, { 'f.txt': numbered({ 12: 'douze\n' }) }),
      numbered({ 12: 'douze\n' }),
    ],
  ])('with the file on disk %s: the index alone is decided on', async (_, change, disk) => {
    change();
    putTree(root, { 'g.txt': 'G\n' });
    git(root, 'add', 'g.txt');
    const { id, files, hunks } = await review(STAGED);
    expect(files).toEqual(['f.txt', 'g.txt']);
    const { notes } = await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(notes).toEqual([
      expect.stringMatching(/^f\.txt: taken out of the index; the disk has another text/),
    ]);
    expect([readText(root, 'f.txt'), git(root, 'show', ':f.txt')]).toEqual([disk, numbered()]);
    await decide(id, hunks[1]?.id ?? '', 'reject');
    expect(git(root, 'diff', '--cached', '--name-only')).toBe('');
    if (disk !== null) return;
    await undo(id, hunks[0]?.id ?? '');
    expect([readText(root, 'f.txt'), git(root, 'show', ':f.txt')]).toEqual([
      null,
      numbered({ 12: 'twelve\n' }),
    ]);
  });

  test('with line ends of CRLF and an unstaged edit: nothing of the disk gets staged', async () => {
    root = makeRepository({ 'b.bin': '\0\r\n', 'g.txt': 'g\n' });
    putTree(root, { 'b.bin': '\0\r\nstaged\r\n' });
    realGit('rm', '-q', 'g.txt');
    putTree(root, { 'g.txt/a': 'a\n' });
    realGit('add', '-A');
    putTree(root, { 'b.bin': '\0\r\nstaged\r\nedited\r\n' });
    const before = realGit('status', '--porcelain');
    const { id } = await review(STAGED);
    const { notes } = must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(notes).toEqual([
      'g.txt/a, g.txt: taken out of the index, too.',
      'b.bin: taken out of the index; the disk has another text, and keeps it.',
    ]);
    expect(realGit('status', '--porcelain')).toBe(' M b.bin\n');
    await undo(id, 'all');
    expect(realGit('status', '--porcelain')).toBe(before);
  });

  test('a staged deletion that is rejected brings the file back, on disk too', async () => {
    git(root, 'rm', '-q', 'g.txt');
    const { id, hunks } = await review(STAGED);
    const gone = hunks.find(({ file }) => file === 'g.txt')?.id ?? '';
    await decide(id, gone, 'reject');
    expect([readText(root, 'g.txt'), git(root, 'show', ':g.txt')]).toEqual(['g\n', 'g\n']);
    await undo(id, gone);
    expect([readText(root, 'g.txt'), git(root, 'ls-files', 'g.txt')]).toEqual([null, '']);
  });

  test('a review of the working tree takes a rejected hunk out of the index, and says so', async () => {
    putTree(root, { 'f.txt': numbered({ 2: 'two\n', 12: 'twelve\n' }) });
    const { id, hunks } = await review();
    const { notes } = await decide(id, hunks[1]?.id ?? '', 'reject');
    expect(notes).toEqual([expect.stringMatching(/^f\.txt: .*index/)]);
    expect(git(root, 'show', ':f.txt')).toBe(numbered());
    expect((await decide(id, hunks[0]?.id ?? '', 'reject')).notes).toEqual([]);
    expect(git(root, 'status', '--porcelain')).toBe('');
    // It is remembered over a restart.
    reviews.close();
    reviews = openTestReviews(path.join(home, 'state'));
    await undo(id, hunks[1]?.id ?? '');
    expect(git(root, 'show', ':f.txt')).toBe(numbered({ 12: 'twelve\n' }));
    await undo(id, hunks[0]?.id ?? '');
    expect(git(root, 'show', ':f.txt')).toBe(numbered({ 12: 'twelve\n' }));
  });

  const staged = () => git(root, 'ls-files', '-s');
  test.each<[string, () => void, string]>([
    ['kept on disk, deleted in the index', () => git(root, 'rm', '-q', '--cached', 'g.txt'), ''],
    [
      'deleted in the index, edited on disk',
      () => {
        git(root, 'rm', '-q', '--cached', 'g.txt');
        putTree(root, { 'g.txt': 'mine\n' });
      },
      ' M g.txt\n',
    ],
    [
      'new, and edited since',
      () => {
        putTree(root, { 'n.txt': 'n\n' });
        git(root, 'add', 'n.txt');
        putTree(root, { 'n.txt': 'n\nmore\n' });
      },
      '?? n.txt\n',
    ],
    [
      'renamed, its old name taken again',
      () => {
        git(root, 'mv', 'g.txt', 'm.txt');
        putTree(root, { 'g.txt': 'other\n' });
      },
      ' M g.txt\n?? m.txt\n',
    ],
    [
      'a folder in the place of a file',
      () => {
        rmSync(path.join(root, 'g.txt'));
        putTree(root, { 'g.txt/a': 'a\n' });
        git(root, 'add', '-A');
      },
      '',
    ],
    [
      'a permission to run, with an edit on disk',
      () => {
        chmodSync(path.join(root, 'g.txt'), 0o755);
        git(root, 'add', 'g.txt');
        appendFileSync(path.join(root, 'g.txt'), 'more\n');
      },
      ' M g.txt\n',
    ],
  ])(
    '%s: out of the index, the disk keeps what is not staged; undo is as before',
    async (_, make, status) => {
      git(root, 'reset', '-q', '--hard');
      make();
      const before = [staged(), readTree(root)];
      const { id, hunks } = await review(STAGED);
      await decide(id, 'all', 'reject');
      expect(git(root, 'diff', '--cached', '--name-only')).toBe('');
      expect(git(root, 'status', '--porcelain')).toBe(status);
      for (const { id: hunk } of hunks) await undo(id, hunk);
      expect([staged(), readTree(root)]).toEqual(before);
    },
  );

  test('a mode, and a rename with an edit, that are staged: a review of the working tree takes them out', async () => {
    chmodSync(path.join(root, 'g.txt'), 0o755);
    git(root, 'mv', 'f.txt', 'm.txt');
    git(root, 'add', '-A');
    putTree(root, { 'm.txt': numbered({ 3: 'three\n', 12: 'twelve\n' }) });
    appendFileSync(path.join(root, 'g.txt'), 'more\n');
    const before = [staged(), readTree(root)];
    const { id, hunks } = await review();
    await decide(id, 'all', 'reject');
    expect(git(root, 'status', '--porcelain')).toBe('');
    for (const { id: hunk } of hunks) await undo(id, hunk);
    expect([staged(), readTree(root)]).toEqual(before);
  });

  test('what comes back after it was rejected is open again', async () => {
    const { id } = await review(STAGED);
    await decide(id, 'all', 'reject');
    putTree(root, { 'f.txt': numbered({ 12: 'twelve\n' }) });
    git(root, 'add', '-A');
    expect((await review(STAGED)).hunks.map(({ status }) => status)).toEqual(['pending']);
  });

  test('a new, a deleted and a renamed file that are staged', async () => {
    putTree(root, { 'n.txt': 'n\n' });
    git(root, 'add', 'n.txt');
    git(root, 'rm', '-q', 'g.txt');
    git(root, 'mv', 'f.txt', 'm.txt');
    const { id, hunks } = await review();
    for (const { id: hunk } of hunks) await decide(id, hunk, 'reject');
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(readText(root, 'f.txt')).toBe(numbered());
  });
});

describe('one odd path costs one file', () => {
  test('tracked folders of other version controls, a drive letter, a link on the way, no permission', async () => {
    root = makeRepository({
      'f.txt': 'f\n',
      'test/.hg/hgrc': 'a\n',
      'x/.svn/entries': 'a\n',
      'c:/f': 'a\n',
      'd/in': 'a\n',
    });
    putTree(root, {
      'f.txt': 'F\n',
      'test/.hg/hgrc': 'A\n',
      'x/.svn/entries': 'A\n',
      'c:/f': 'A\n',
      'new/.jj/x': 'n\n',
      locked: 'l\n',
    });
    rmSync(path.join(root, 'd'), { recursive: true });
    symlinkSync('new', path.join(root, 'd'));
    chmodSync(path.join(root, 'locked'), 0);
    for (const source of [IN_PLACE, { kind: 'working_tree', against: 'index' } as const]) {
      const { files, notes } = await review(source);
      expect(files).toEqual(expect.arrayContaining(['f.txt']));
      for (const odd of ['.hg', '.svn', '.jj', 'c:']) expect(files.join()).not.toContain(odd);
      expect(notes.join('\n')).toMatch(
        /test\/\.hg\/hgrc.*: its path lies in the version control's own folder/,
      );
      expect(notes.join('\n')).toMatch(/c:\/f: its path is absolute/);
    }
    git(root, 'add', '--', 'test', 'f.txt');
    git(root, 'commit', '-qm', 'odd');
    git(root, 'branch', 'topic');
    git(root, 'reset', '-q', '--hard', 'HEAD~1');
    expect((await review({ kind: 'range', range: 'topic' })).files).toEqual(['f.txt']);
  });

  test('a name that is no UTF-8, staged: out of the index, back, and committed', async () => {
    root = makeRepository({ 'f.txt': 'f\n' });
    putTree(root, { 'inv\xffalid.txt': 'i\n' });
    realGit('add', '-A');
    const before = realGit('ls-files', '-s');
    const { id, hunks } = await review(STAGED);
    await decide(id, 'all', 'reject');
    expect(realGit('status', '--porcelain')).toBe('');
    for (const { id: hunk } of hunks) await undo(id, hunk);
    expect(realGit('ls-files', '-s')).toBe(before);
    await decide(id, 'all', 'accept');
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true }));
    expect(realGit('status', '--porcelain')).toBe('');
  });

  test('a link that is a file on this disk is left out, and named', async () => {
    root = makeRepository({ 'f.txt': 'f\n', l: { link: 'f.txt' } });
    realGit('config', 'core.symlinks', 'false');
    putTree(root, { l: 'g.txt', 'f.txt': 'F\n' });
    const { id, files, notes } = await review();
    expect(files).toEqual(['f.txt']);
    expect(notes).toEqual([expect.stringMatching(/^l is a link in git and a regular file/)]);
    await decide(id, 'all', 'reject');
    expect(realGit('status', '--porcelain')).toBe(' M l\n');
  });

  test('a submodule that was added is left out, and named', async () => {
    root = makeRepository({ 'f.txt': 'f\n' });
    const inner = makeRepository({ s: 's\n' });
    realGit('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    putTree(root, { 'f.txt': 'F\n' });
    const { id, files, notes } = await review();
    expect(files.toSorted()).toEqual(['.gitmodules', 'f.txt']);
    expect(notes).toEqual([expect.stringMatching(/^sub: a submodule that was added/)]);
    await decide(id, 'all', 'reject');
    expect(realGit('status', '--porcelain')).toBe('A  sub\n');
    removeTree(inner);
  });

  test('a partial clone: a file that was not fetched costs that file, and nothing is fetched', async () => {
    root = makeRepository({ 'f.txt': 'f\n' });
    realGit('config', 'uploadpack.allowFilter', 'true');
    putTree(root, { 'in/a': 'a\n', 'out/b': 'b\n' });
    realGit('add', '-A');
    realGit('commit', '-qm', 'base');
    putTree(root, { 'in/a': 'A\n', 'out/b': 'B\n' });
    realGit('commit', '-qam', 'more');
    const source = root;
    root = makeFolder();
    realGit('clone', '-q', '--no-local', '--filter=blob:none', '--sparse', `file://${source}`, '.');
    const missing = () =>
      realGit('rev-list', '--objects', '--all', '--missing=print')
        .match(/^\?\w+/gm)
        ?.sort();
    realGit('sparse-checkout', 'set', 'in');
    const before = missing();
    putTree(root, { 'in/a': 'mine\n', 'out/b': 'mine\n' });
    const { id, files, notes } = await review();
    expect(files).toEqual(['in/a']);
    expect(notes).toEqual([expect.stringMatching(/^out\/b: not fetched yet \(partial clone\)/)]);
    await decide(id, 'all', 'accept');
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true }));
    expect(missing()).toEqual(before);
    removeTree(source);
  });

  test('sparse checkout: files that are not here are no change', async () => {
    root = makeRepository({ 'f.txt': 'f\n', 'in/a': 'a\n', 'out/b': 'b\n' });
    realGit('sparse-checkout', 'set', '--cone', 'in');
    putTree(root, { 'f.txt': 'F\n', 'in/a': 'A\n', 'in/n': 'n\n' });
    const { id, files } = await review(IN_PLACE, { stage: true });
    expect(files).toEqual(['f.txt', 'in/a', 'in/n']);
    await decide(id, 'all', 'accept');
    expect(realGit('status', '--porcelain')).toBe('M  f.txt\nM  in/a\nA  in/n\n');
  });

  test('only what is asked for is looked at', async () => {
    root = makeRepository({ 'a/f': 'f\n', 'a/b/g': 'g\n', 'c/.hg/x': 'x\n', h: 'h\n' });
    putTree(root, { 'a/f': 'F\n', 'a/b/g': 'G\n', 'c/.hg/x': 'X\n', h: 'H\n' });
    const all = await review(IN_PLACE, { filter: { paths: [path.join(root, 'a')], exclude: ['a/b'] } });
    expect([all.files, all.notes]).toEqual([['a/f'], []]);
    const some = await review(IN_PLACE, { filter: { exclude: ['c/**', 'a'] } });
    expect([some.files, some.notes]).toEqual([['h'], []]);
  });
});

describe('what is accepted is staged', () => {
  test.each<[string, () => void, string]>([
    [
      'a file that git add -N has announced',
      () => {
        putTree(root, { 'n.txt': 'n\n' });
        realGit('add', '-N', 'n.txt');
      },
      'A  n.txt\n',
    ],
    [
      'a new file that is staged as it is',
      () => {
        putTree(root, { 'n.txt': 'n\n' });
        realGit('add', 'n.txt');
      },
      'A  n.txt\n',
    ],
    [
      'a new file of which an older text is staged',
      () => {
        putTree(root, { 'n.txt': 'old\n' });
        realGit('add', 'n.txt');
        putTree(root, { 'n.txt': 'n\n' });
      },
      'A  n.txt\n',
    ],
    [
      'a file that was moved on disk',
      () => {
        putTree(root, { 'f.txt': null, 'm.txt': numbered() });
      },
      'R  f.txt -> m.txt\n',
    ],
    [
      'a file that was moved and edited',
      () => {
        putTree(root, { 'f.txt': null, 'm.txt': numbered({ 3: 'three\n' }) });
      },
      'R  f.txt -> m.txt\n',
    ],
    [
      'a file that git mv has moved, edited since',
      () => {
        realGit('mv', 'f.txt', 'm.txt');
        putTree(root, { 'm.txt': numbered({ 3: 'three\n' }) });
      },
      'R  f.txt -> m.txt\n',
    ],
    ['a deleted file', () => putTree(root, { 'f.txt': null }), 'D  f.txt\n'],
    ['a file that runs now', () => chmodSync(path.join(root, 'f.txt'), 0o755), 'M  f.txt\n'],
    [
      'a link',
      () => {
        symlinkSync('f.txt', path.join(root, 'l'));
      },
      'A  l\n',
    ],
  ])('%s', async (_, change, status) => {
    root = makeRepository({ 'f.txt': numbered() });
    change();
    const before = readTree(root);
    const { id, hunks } = await review(IN_PLACE, { stage: true });
    for (const { id: hunk } of hunks) expect((await decide(id, hunk, 'accept')).notes).toEqual([]);
    expect(realGit('status', '--porcelain')).toBe(status);
    for (const { id: hunk } of hunks.toReversed()) await undo(id, hunk);
    expect(readTree(root)).toEqual(before);
  });
});

describe('there and back: all is rejected, undone, accepted and committed', () => {
  const shell = (lines: string) => {
    const { status, stderr } = spawnSync('sh', ['-ec', lines], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${lines}: ${stderr}`);
  };
  const status = () => realGit('status', '--porcelain', '-uall');

  /** What the base has besides, what happens to it, and notes; the status after the rejection, where it is not clean. */
  test.each<[string, { base?: string; format?: string; edit: string; notes?: RegExp; left?: string }]>([
    [
      'a folder takes the place of a file',
      { edit: 'rm f.txt; mkdir f.txt; echo a >f.txt/a; echo b >f.txt/b' },
    ],
    ['a file takes the place of a folder', { edit: 'rm -r d; echo d >d' }],
    ['a folder takes the place of a link', { base: 'ln -s f.txt l', edit: 'rm l; mkdir l; echo a >l/a' }],
    [
      'a file takes the place of the folder that it was in',
      { base: 'mkdir o; seq 9 >o/a', edit: 'mv o/a t; rmdir o; mv t o; echo 10 >>o' },
    ],
    [
      'a file moves into a folder of its name',
      { edit: 'mv f.txt t; mkdir f.txt; mv t f.txt/f; echo 10 >>f.txt/f' },
    ],
    [
      'one of the edited files is not to be looked at',
      {
        edit: 'git update-index --skip-worktree g.txt; echo G >>g.txt; echo x >>f.txt',
        notes: /^g\.txt: git is told not to look at it \(skip-worktree\)/,
      },
    ],
    [
      'another one counts as unchanged',
      {
        edit: 'git update-index --assume-unchanged g.txt; echo G >>g.txt; echo x >>f.txt',
        notes: /^g\.txt: git is told not to look at it \(assume-unchanged\)/,
      },
    ],
    [
      'a name has a line feed, a quote and bytes that are no UTF-8',
      { base: `seq 9 >"$(printf 'a\\n"b\\351')"`, edit: `echo x >>"$(printf 'a\\n"b\\351')"` },
    ],
    [
      'a rebase has stopped to edit a commit',
      {
        base: 'git add -A; git commit -qm one; echo 20 >>f.txt; git commit -qam two; GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/" git rebase -qi HEAD~1 2>/dev/null',
        edit: 'sed -i 3d f.txt',
      },
    ],
    ['a name changes its case alone', { edit: 'git mv g.txt G.txt; echo more >>G.txt' }],
    [
      'the index is split',
      { base: 'git update-index --split-index', edit: 'echo x >>f.txt; git add f.txt; sed -i 3d f.txt' },
    ],
    ['a link takes the place of a folder', { edit: 'mv d e; ln -s e d' }],
    ['an edited file is moved, and nothing staged', { edit: 'mv f.txt F.txt; echo more >>F.txt' }],
    ['a file is announced', { edit: 'echo n >n.txt; git add -N n.txt' }],
    [
      'the line of an ident is edited',
      {
        base: `echo '*.c ident' >.gitattributes; echo '/* $Id$ */' >a.c; echo b >>a.c; git add -A; git commit -qm c; rm a.c; git checkout -q a.c`,
        edit: 'sed -i "s/ .\\/$/ edited/" a.c',
      },
    ],
    [
      'a line beside an ident is edited, in a file with LF and in one with CRLF',
      {
        base: `echo '*.c ident' >.gitattributes; echo '*.d ident eol=crlf' >>.gitattributes; echo '/* $Id$ */' >a.c; echo b >>a.c; cp a.c a.d; git add -A; git commit -qm c; rm a.c a.d; git checkout -q a.c a.d`,
        edit: 'sed -i 2s/b/B/ a.c a.d',
      },
    ],
    [
      'half of the lines end in CRLF',
      {
        base: 'git config core.autocrlf true; printf "a\\r\\nb\\nc\\nd\\r\\n" >m.txt; git add m.txt 2>/dev/null',
        edit: 'printf "a\\r\\nb\\nC\\nd\\r\\n" >m.txt',
      },
    ],
    [
      'the permission to run is staged, and the disk keeps none',
      {
        base: 'git config core.fileMode false',
        edit: 'git update-index --chmod=+x g.txt; echo G >g.txt',
        notes: /^g\.txt: its permission to run is staged alone/,
        left: 'M  g.txt\n',
      },
    ],
    [
      'a part of a hunk is staged',
      { edit: 'sed -i 3d f.txt; git add f.txt; sed -i 4d f.txt; echo x >>f.txt' },
    ],
    [
      'the objects have names of SHA-256',
      { format: 'sha256', edit: 'sed -i 3d f.txt; rm g.txt; git mv d/x d/y; echo n >n.txt; git add n.txt' },
    ],
    [
      'one file is too large to be reviewed with the rest',
      { edit: 'seq 1100000 >big.txt; echo G >g.txt', notes: /^big\.txt: too large/, left: '?? big.txt\n' },
    ],
    [
      'another git holds the index for a moment',
      { edit: 'echo G >g.txt; git add g.txt; touch .git/index.lock; (sleep 1; rm .git/index.lock) &' },
    ],
  ])('%s', async (_, { base = '', format = 'sha1', edit, notes = /^$/, left = '' }) => {
    root = makeFolder();
    putTree(root, { 'f.txt': numbered(), 'g.txt': 'g\n', 'd/x': 'x\n' });
    realGit('init', '-q', '-b', 'main', `--object-format=${format}`);
    shell(`${base}\ngit add -A; git commit -qm more --allow-empty`);
    shell(edit);
    const seen = () => [readTree(root), status(), realGit('ls-files', '-s')];
    const before = seen();
    const { id, ...reviewed } = await review();
    expect(reviewed.notes.join('\n')).toMatch(notes);
    const rejected = must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(rejected.notes.join('\n')).not.toContain('Still staged');
    expect(status()).toBe(left);
    await undo(id, 'all');
    expect(seen()).toEqual(before);
    await decide(id, 'all', 'accept');
    expect(readTree(root)).toEqual(before[0]);
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true }));
    expect(status()).toBe(left);
  });
});

describe('the commit', () => {
  const hook = (name: string, lines: string) =>
    writeFileSync(path.join(root, '.git/hooks', name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });

  async function accepted() {
    root = makeRepository({ 'f.txt': numbered(), 'g.txt': 'g\n' });
    putTree(root, { 'f.txt': numbered({ 3: 'three\n', 15: 'fifteen\n' }), 'g.txt': 'G\n' });
    realGit('add', 'g.txt');
    const { id, hunks } = await review();
    await decide(id, hunks[0]?.id ?? '', 'accept');
    return id;
  }

  test('runs no hook and does not sign, and says so', async () => {
    const id = await accepted();
    hook('pre-commit', 'exit 1');
    hook('commit-msg', 'exit 1');
    git(root, 'config', 'commit.gpgSign', 'true');
    const { notes } = must(
      await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }),
    );
    expect(notes).toEqual([
      'Committed without its hooks (pre-commit, commit-msg) and without a signature. With --hooks git commits as it does for you.',
    ]);
  });

  test.each<[string, () => void, string]>([
    ['new', () => realGit('add', 'n.txt'), 'n.txt'],
    ['announced', () => realGit('add', '-N', 'n.txt'), 'n.txt'],
    [
      'new, and edited since',
      () => {
        realGit('add', 'n.txt');
        putTree(root, { 'n.txt': 'n\nmore\n' });
      },
      'n.txt',
    ],
    ['deleted', () => realGit('rm', '-q', 'g.txt'), 'g.txt'],
  ])('of a file that is staged as %s leaves nothing behind', async (_, stage, name) => {
    root = makeRepository({ 'g.txt': 'g\n' });
    putTree(root, { 'n.txt': 'n\n' });
    stage();
    if (name !== 'n.txt') rmSync(path.join(root, 'n.txt'));
    const { id } = await review();
    await decide(id, 'all', 'accept');
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true }));
    expect(realGit('status', '--porcelain')).toBe('');
    expect(realGit('show', '--format=', '--name-only', 'HEAD')).toContain(name);
  });

  test('in the middle of a merge is refused, as git refuses a part of one', async () => {
    root = makeRepository({ 'g.txt': 'g\n' });
    realGit('checkout', '-qb', 'other');
    realGit('commit', '-qm', 'other', '--allow-empty');
    realGit('checkout', '-q', 'main');
    realGit('commit', '-qm', 'main', '--allow-empty');
    realGit('merge', '-q', '--no-ff', '--no-commit', 'other');
    putTree(root, { 'g.txt': 'G\n' });
    const { id } = await review();
    await decide(id, 'all', 'accept');
    const ended = await reviews.finish({ suggestion: id, how: 'finalize', commit: true });
    expect(ended).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^A merge is under way/) },
    });
    expect(realGit('log', '-1', '--format=%s')).toBe('main\n');
  });

  test('where there are none, says nothing', async () => {
    const id = await accepted();
    const { notes } = must(
      await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }),
    );
    expect(notes).toEqual([]);
  });

  test('with hooks as the user has them: one that formats, one that words the message', async () => {
    const id = await accepted();
    hook(
      'pre-commit',
      'git diff --cached --name-only >.git/seen; sed -i "s/^three$/THREE/" f.txt; git add f.txt',
    );
    hook('commit-msg', 'echo "Signed-off-by: t" >>"$1"');
    const how = { suggestion: id, how: 'finalize', commit: true, hooks: true, sandbox: 'keep' } as const;
    const { commit, notes } = must(await reviews.finish(how));
    expect(notes).toEqual([]);
    expect(readText(root, '.git/seen')).toBe('f.txt\n');
    expect(realGit('log', '-1', '--format=%H%n%B')).toContain(`${commit}\n`);
    expect(realGit('log', '-1', '--format=%B')).toContain('Signed-off-by: t');
    expect(realGit('show', 'HEAD:f.txt')).toContain('THREE\n');
    // What was staged besides stays staged.
    expect(realGit('status', '--porcelain')).toContain('M  g.txt');
    expect(realGit('diff', '--cached', '--name-only')).toBe('g.txt\n');
  });

  test('a hook that refuses: nothing is committed, and its words are shown', async () => {
    const id = await accepted();
    hook('pre-commit', 'echo "lint: f.txt is wrong" >&2; exit 1');
    const before = [realGit('rev-parse', 'HEAD'), realGit('ls-files', '-s')];
    const how = { suggestion: id, how: 'finalize', commit: true, hooks: true, sandbox: 'keep' } as const;
    expect(await reviews.finish(how)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('lint: f.txt is wrong') },
    });
    expect([realGit('rev-parse', 'HEAD'), realGit('ls-files', '-s')]).toEqual(before);
  });

  test.each([false, true])('before the first one makes it, with hooks: %s', async (hooks) => {
    root = makeFolder();
    realGit('init', '-q', '-b', 'main');
    putTree(root, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    realGit('add', 'c.txt');
    const { id, hunks } = await review();
    await decide(id, hunks[0]?.id ?? '', 'accept');
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true, hooks }));
    expect(realGit('log', '--format=', '--name-only')).toBe('a.txt\n');
    expect(realGit('status', '--porcelain')).toBe('A  c.txt\n?? b.txt\n');
  });

  test.each<[string, string, RegExp]>([
    [
      'whose words are coloured',
      "printf '\\033[31mlint\\033[0m\\n' >&2; exit 1",
      /^git commit failed: lint$/,
    ],
    [
      'that asks for its session: none that has our terminal',
      `test "$(ps -o sid= -p $$)" != "$(ps -o sid= -p ${process.pid})" && echo its own; exit 1`,
      /: its own$/,
    ],
    ['that is signed by a key with a passphrase', '', /failed to sign the data/],
  ])('a hook or a signature that fails ends it: one %s', async (name, lines, words) => {
    const id = await accepted();
    if (lines === '') {
      realGit('config', 'gpg.program', 'false');
      realGit('config', 'commit.gpgSign', 'true');
    } else hook('pre-commit', lines);
    const ended = await reviews.finish({ suggestion: id, how: 'finalize', commit: true, hooks: true });
    expect(ended, name).toMatchObject({ ok: false, error: { message: expect.stringMatching(words) } });
    expect(realGit('log', '--format=%s')).toBe('base\n');
  });

  test('a hook may leave a daemon behind that keeps its output open', async () => {
    const id = await accepted();
    hook('pre-commit', 'sleep 30 & echo $! >.git/daemon');
    const began = Date.now();
    must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true, hooks: true }));
    expect(Date.now() - began).toBeLessThan(20_000);
    process.kill(Number(readText(root, '.git/daemon')));
  });
});

describe('what a sentence says', () => {
  test.runIf(process.getuid?.() === 0)('a repository of another user is not called none', async () => {
    root = makeRepository({ 'f.txt': 'f\n' });
    putTree(root, { 'f.txt': 'F\n' });
    chownSync(root, 12345, 12345);
    chownSync(path.join(root, '.git'), 12345, 12345);
    expect(await reviews.publishFrom({ target: root, source: IN_PLACE })).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/belongs to another user/),
        hint: expect.stringMatching(/safe\.directory/),
      },
    });
  });

  test('a merge with conflicts costs its files alone, against HEAD, the index, and in it', async () => {
    root = makeRepository({ 'f.txt': 'f\n', 'g.txt': 'g\n' });
    git(root, 'checkout', '-q', '-b', 'other');
    putTree(root, { 'f.txt': 'theirs\n' });
    git(root, 'commit', '-qam', 'theirs');
    git(root, 'checkout', '-q', 'main');
    putTree(root, { 'f.txt': 'ours\n' });
    git(root, 'commit', '-qam', 'ours');
    expect(() => git(root, 'merge', 'other')).toThrow();
    putTree(root, { 'g.txt': 'G\n' });
    git(root, 'add', 'g.txt');
    putTree(root, { 'h.txt': 'h\n' });
    for (const [source, files] of [
      [IN_PLACE, ['g.txt', 'h.txt']],
      [{ kind: 'working_tree', against: 'index' }, ['h.txt']],
      [STAGED, ['g.txt']],
    ] as const) {
      const reviewed = await review(source);
      expect(reviewed.files).toEqual(files);
      expect(reviewed.notes).toEqual([expect.stringMatching(/^f\.txt: not merged yet/)]);
    }
  });

  test("the user's own diff, handed back, is reviewed in place", async () => {
    root = makeRepository({ 'f.txt': numbered(), 'g.txt': 'g\n' });
    putTree(root, { 'f.txt': numbered({ 3: 'three\n', 15: 'fifteen\n' }), 'n.txt': 'n\n', 'g.txt': null });
    git(root, 'add', '-N', 'n.txt');
    const { id, hunks, notes } = must(await reviews.publish(root, git(root, 'diff')));
    expect(notes).toEqual([expect.stringMatching(/reviewed in place/)]);
    expect(hunks.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'pending']);
    await decide(id, 'all', 'reject');
    expect([readText(root, 'f.txt'), readText(root, 'g.txt'), readText(root, 'n.txt')]).toEqual([
      numbered(),
      'g\n',
      null,
    ]);
  });

  test('to reject what a patch did not bring is not passed off as taken out', async () => {
    root = makeRepository({ 'f.txt': numbered() });
    const patch = '--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n-line O\n+line 0\n line 1\n';
    const { id, hunks } = must(await reviews.publish(root, patch));
    expect(hunks[0]?.status).toBe('already_applied');
    expect((await decide(id, 'all', 'reject')).notes).toEqual([
      expect.stringMatching(/^f\.txt: the target has the rejected text already/),
    ]);
  });

  test('a repository whose path holds a colon and a line feed', async () => {
    const outer = makeFolder();
    root = path.join(outer, 'a:b\nc"d');
    mkdirSync(root);
    git(root, 'init', '-q');
    putTree(root, { 'f.txt': 'f\n' });
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'base');
    putTree(root, { 'f.txt': 'F\n' });
    expect((await review()).files).toEqual(['f.txt']);
    const { folder } = must(await reviews.service.sandboxes.create({ target: root, name: 'ai', base: null }));
    putTree(folder, { 'f.txt': 'sandbox\n' });
    expect((await review({ kind: 'sandbox', folder })).files).toEqual(['f.txt']);
    removeTree(outer);
  });
});
