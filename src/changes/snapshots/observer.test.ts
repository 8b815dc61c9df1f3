import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObservedRepository } from '../../../test/helpers/observed-repository.ts';
import { ok } from '../../lib/result.ts';
import { Observer, SNAPSHOT_FILE_MAX_BYTES } from './observer.ts';

let at: ObservedRepository;

beforeEach(() => {
  at = new ObservedRepository();
});
afterEach(() => at.remove());

describe('the changes between two looks', () => {
  it('are empty while nothing changes, and nothing is stored then', async () => {
    at.write('a.txt', 'mine\n');
    expect(await at.look()).toEqual({ files: [], note: null, since: null });
    expect(await at.look()).toBeNull();
  });

  it('include edited, added, deleted and renamed files, with both texts', async () => {
    await at.look();
    at.write('a.txt', 'ONE\n');
    at.write('new/c.txt', 'three\n');
    renameSync(path.join(at.repo, 'b.txt'), path.join(at.repo, 'd.txt'));
    expect(await at.seen()).toEqual({
      'a.txt': 'one\n → ONE\n',
      'b.txt': 'two\n → null',
      'd.txt': 'null → two\n',
      'new/c.txt': 'null → three\n',
    });
    expect(await at.look()).toBeNull();
    at.write('new/c.txt', '3\n');
    expect(await at.seen()).toEqual({ 'new/c.txt': 'three\n → 3\n' });
  });

  it('exclude files from before the first look, and files that were only touched', async () => {
    at.write('a.txt', 'dirty\n');
    at.write('u.txt', 'untracked\n');
    await at.look();
    utimesSync(path.join(at.repo, 'b.txt'), 1, 1);
    expect(await at.seen()).toEqual({});
    at.write('a.txt', 'dirtier\n');
    at.write('u.txt', 'more\n');
    expect(await at.seen()).toEqual({ 'a.txt': 'dirty\n → dirtier\n', 'u.txt': 'untracked\n → more\n' });
  });

  it('continue after commits, checkouts and resets, which change only the files that they write', async () => {
    await at.look();
    at.write('a.txt', 'ONE\n');
    await at.look();
    at.git('commit', '-qam', 'second');
    expect(await at.look()).toBeNull();
    at.git('checkout', '-q', 'HEAD~1');
    expect(await at.seen()).toEqual({ 'a.txt': 'ONE\n → one\n' });
  });

  it('have the bytes on disk, whatever line ends git stores', async () => {
    at.write('.gitattributes', '*.crlf text eol=crlf\n');
    at.write('x.crlf', 'one\r\ntwo\r\n');
    at.git('add', '.');
    at.git('commit', '-qm', 'crlf');
    await at.look();
    at.write('x.crlf', 'one\r\nTWO\r\n');
    expect(await at.seen()).toEqual({ 'x.crlf': 'one\r\ntwo\r\n → one\r\nTWO\r\n' });
    at.write('x.crlf', 'one\nTWO\n');
    expect(await at.seen()).toEqual({ 'x.crlf': 'one\r\nTWO\r\n → one\nTWO\n' });
    at.write('x.crlf', 'one\nthree\n');
    expect(await at.seen()).toEqual({ 'x.crlf': 'one\nTWO\n → one\nthree\n' });
  });

  it.each(['input', 'TRUE', 'yes'])('report no line end as changed if core.autocrlf is %s', async (auto) => {
    at.git('config', 'core.autocrlf', auto);
    at.write('x.txt', 'one\r\ntwo\r\n');
    // Git read it long before, so that no look reads it again.
    utimesSync(path.join(at.repo, 'x.txt'), 1, 1);
    at.git('add', '.');
    await at.look();
    at.write('x.txt', 'one\r\nTWO\r\n');
    const told = Object.values(await at.seen());
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^(?:one\r\ntwo\r\n|\(unknown\)) → one\r\nTWO\r\n$/);
  });

  it('include links, permissions, and whatever replaces a file', async () => {
    await at.look();
    symlinkSync('a.txt', path.join(at.repo, 'link'));
    chmodSync(path.join(at.repo, 'a.txt'), 0o755);
    rmSync(path.join(at.repo, 'b.txt'));
    at.write('b.txt/inner', 'x\n');
    const { files } = (await at.look()) ?? { files: [] };
    const modes = Object.fromEntries(files.map((one) => [one.path, [one.before?.mode, one.after?.mode]]));
    expect(modes).toEqual({
      'a.txt': [0o100644, 0o100755],
      'b.txt': [0o100644, undefined],
      'b.txt/inner': [undefined, 0o100644],
      link: [undefined, 0o120000],
    });
    expect(await at.look()).toBeNull();
  });

  it('leave out ignored files', async () => {
    at.write('.gitignore', 'ignored\n');
    await at.look();
    at.write('ignored', 'x\n');
    expect(await at.seen()).toEqual({});
  });

  it('include nested repositories, with a commit or without, and report a new one', async () => {
    const init = (name: string) => {
      at.write(`${name}/x`, 'x\n');
      execFileSync('git', ['init', '-q'], { cwd: path.join(at.repo, name) });
    };
    init('sub');
    const commit = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'inner'];
    execFileSync('git', ['add', '.'], { cwd: path.join(at.repo, 'sub') });
    execFileSync('git', commit, { cwd: path.join(at.repo, 'sub') });
    at.git('add', 'sub');
    init('inner');
    await at.look();
    expect(await at.look()).toBeNull();
    at.write('sub/x', 'y\n');
    at.write('inner/x', 'z\n');
    at.write('inner/new', 'new\n');
    at.write('a.txt', 'ONE\n');
    expect(await at.seen()).toEqual({
      'a.txt': 'one\n → ONE\n',
      'inner/new': 'null → new\n',
      'inner/x': 'x\n → z\n',
      'sub/x': 'x\n → y\n',
    });
    expect(await at.look()).toBeNull();
    init('later');
    expect(await at.look()).toMatchObject({
      files: [],
      note: expect.stringMatching(/^later is a repository/),
    });
    at.write('later/x', 'y\n');
    expect(await at.seen()).toEqual({ 'later/x': 'x\n → y\n' });
    expect(await at.look()).toBeNull();
  });

  it('continue if a nested repository is gone, and report it', async () => {
    const inner = path.join(at.home, 'inner');
    mkdirSync(inner);
    for (const words of ['init -q', 'commit -q --allow-empty -m inner'])
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words.split(' ')], {
        cwd: inner,
      });
    at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    at.write('sub/x', 'x\n');
    await at.look();
    rmSync(path.join(at.repo, 'sub'), { recursive: true });
    at.write('a.txt', 'ONE\n');
    const { note, files } = (await at.look()) ?? {};
    expect(note).toBe('sub is a repository no more, and what it held is left out');
    expect(files?.map(({ path: name }) => name)).toEqual(['a.txt']);
    expect(await at.look()).toBeNull();
  });

  it('report that a large file changed, and store none of it', async () => {
    await at.look();
    at.write('large', Buffer.alloc(SNAPSHOT_FILE_MAX_BYTES + 1, 'x'));
    expect(await at.seen()).toEqual({ large: 'null → (large)' });
    at.write('large', 'small\n');
    expect(await at.seen()).toEqual({ large: '(unknown) → small\n' });
  });

  it('work without a commit, in a worktree, with a split or sparse index and any names', async () => {
    at.git('config', 'core.splitIndex', 'true');
    at.git('update-index', '--split-index');
    await at.look();
    at.write('a.txt', 'ONE\n');
    at.write('näme with "quotes"\n.txt', 'x\n');
    const files = await at.seen();
    expect(files).toEqual({
      'a.txt': 'one\n → ONE\n',
      [Buffer.from('näme with "quotes"\n.txt').toString('latin1')]: 'null → x\n',
    });
    rmSync(path.join(at.repo, '.git'), { recursive: true });
    at.git('init', '-q');
    at.observer = new Observer({ root: path.join(at.home, 'other/snapshots'), blobs: at.blobs });
    mkdirSync(path.join(at.home, 'other'));
    await at.look();
    at.write('b.txt', 'TWO\n');
    expect(await at.seen()).toEqual({ 'b.txt': 'two\n → TWO\n' });
  });

  it('cover a folder outside repositories, without files of other programs, but not a large one', async () => {
    rmSync(path.join(at.repo, '.git'), { recursive: true });
    at.write('node_modules/x.js', 'theirs\n');
    at.write('.gitignore', 'out\n');
    expect(await at.look()).toEqual({ files: [], note: null, since: null });
    at.write('a.txt', 'ONE\r\n');
    at.write('out', 'ignored\n');
    at.write('node_modules/x.js', 'theirs too\n');
    rmSync(path.join(at.repo, 'b.txt'));
    chmodSync(path.join(at.repo, '.gitignore'), 0o755);
    expect(await at.seen()).toEqual({
      '.gitignore': 'out\n → out\n',
      'a.txt': 'one\n → ONE\r\n',
      'b.txt': 'two\n → null',
    });
    at.git('init', '-q');
    at.write('a.txt', 'two\n');
    expect(await at.seen()).toEqual({ 'a.txt': 'ONE\r\n → two\n' });
    const large = path.join(at.home, 'large');
    mkdirSync(large);
    for (let at = 0; at <= 5_000; at += 1) writeFileSync(path.join(large, `${at}`), '');
    const looked = await at.observer.look(large, () => ok(undefined));
    expect(looked).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(readdirSync(path.join(at.home, 'state/snapshots'))).toHaveLength(1);
  });
});
