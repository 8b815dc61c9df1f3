import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../lib/result.ts';
import type { Observation, ObservedSide } from '../../protocol/changes.ts';
import { BlobStore } from '../../store/blobs.ts';
import { Observer, SNAPSHOT_FILE_MAX_BYTES } from './observer.ts';

let home: string;
let repo: string;
let blobs: BlobStore;
let observer: Observer;

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd: repo,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();
}

const write = (name: string, text: string | Buffer) => {
  mkdirSync(path.dirname(path.join(repo, name)), { recursive: true });
  writeFileSync(path.join(repo, name), text);
};

/** `meanwhile` runs between the reading of the files and the moment at which the next look begins to count. */
async function look(meanwhile: () => void = () => undefined): Promise<Observation | null> {
  let kept: Observation | null = null;
  const looked = await observer.look(repo, (_, seen) => {
    kept = seen;
    meanwhile();
    return ok(undefined);
  });
  expect(looked).toMatchObject({ ok: true });
  return kept;
}

async function textOf(side: ObservedSide | null | undefined): Promise<string | null> {
  if (side === null || side === undefined) return null;
  if (side.blob === null) return `(${side.notKept})`;
  const bytes = await blobs.get(side.blob);
  return bytes.ok ? bytes.value.toString('latin1') : 'lost';
}

/** Each file that changed, as `before → after`. */
async function seen(meanwhile?: () => void): Promise<Record<string, string>> {
  const observation = await look(meanwhile);
  const told: Record<string, string> = {};
  for (const { path: name, before, after } of observation?.files ?? [])
    told[name] = `${await textOf(before)} → ${await textOf(after)}`;
  return told;
}

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'copane-observer-'));
  repo = path.join(home, 'repo');
  mkdirSync(repo);
  mkdirSync(path.join(home, 'state'), { mode: 0o700 });
  blobs = new BlobStore(path.join(home, 'state'));
  observer = new Observer({ root: path.join(home, 'state/snapshots'), blobs });
  git('init', '-q');
  write('a.txt', 'one\n');
  write('b.txt', 'two\n');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('what changed between two looks', () => {
  it('is nothing while nothing changes, and nothing is kept then', async () => {
    write('a.txt', 'mine\n');
    expect(await look()).toEqual({ files: [], note: null });
    expect(await look()).toBeNull();
  });

  it('has files that were edited, added, deleted and renamed, with both texts', async () => {
    await look();
    write('a.txt', 'ONE\n');
    write('new/c.txt', 'three\n');
    renameSync(path.join(repo, 'b.txt'), path.join(repo, 'd.txt'));
    expect(await seen()).toEqual({
      'a.txt': 'one\n → ONE\n',
      'b.txt': 'two\n → null',
      'd.txt': 'null → two\n',
      'new/c.txt': 'null → three\n',
    });
    expect(await look()).toBeNull();
    write('new/c.txt', '3\n');
    expect(await seen()).toEqual({ 'new/c.txt': 'three\n → 3\n' });
  });

  it('does not count what stood there before the first look, nor a file that was only touched', async () => {
    write('a.txt', 'dirty\n');
    write('u.txt', 'untracked\n');
    await look();
    utimesSync(path.join(repo, 'b.txt'), 1, 1);
    expect(await seen()).toEqual({});
    write('a.txt', 'dirtier\n');
    write('u.txt', 'more\n');
    expect(await seen()).toEqual({ 'a.txt': 'dirty\n → dirtier\n', 'u.txt': 'untracked\n → more\n' });
  });

  it('goes on after commits, checkouts and resets, which change no more than the files they write', async () => {
    await look();
    write('a.txt', 'ONE\n');
    await look();
    git('commit', '-qam', 'second');
    expect(await look()).toBeNull();
    git('checkout', '-q', 'HEAD~1');
    expect(await seen()).toEqual({ 'a.txt': 'ONE\n → one\n' });
  });

  it('has the bytes of the disk, whatever line ends git keeps', async () => {
    write('.gitattributes', '*.crlf text eol=crlf\n');
    write('x.crlf', 'one\r\ntwo\r\n');
    git('add', '.');
    git('commit', '-qm', 'crlf');
    await look();
    write('x.crlf', 'one\r\nTWO\r\n');
    expect(await seen()).toEqual({ 'x.crlf': 'one\r\ntwo\r\n → one\r\nTWO\r\n' });
    write('x.crlf', 'one\nTWO\n');
    expect(await seen()).toEqual({ 'x.crlf': 'one\r\nTWO\r\n → one\nTWO\n' });
    write('x.crlf', 'one\nthree\n');
    expect(await seen()).toEqual({ 'x.crlf': 'one\nTWO\n → one\nthree\n' });
  });

  it('sees links, permissions, and what has the place of a file now', async () => {
    await look();
    symlinkSync('a.txt', path.join(repo, 'link'));
    chmodSync(path.join(repo, 'a.txt'), 0o755);
    rmSync(path.join(repo, 'b.txt'));
    write('b.txt/inner', 'x\n');
    const { files } = (await look()) ?? { files: [] };
    const modes = Object.fromEntries(files.map((one) => [one.path, [one.before?.mode, one.after?.mode]]));
    expect(modes).toEqual({
      'a.txt': [0o100644, 0o100755],
      'b.txt': [0o100644, undefined],
      'b.txt/inner': [undefined, 0o100644],
      link: [undefined, 0o120000],
    });
    expect(await look()).toBeNull();
  });

  it('leaves out ignored files', async () => {
    write('.gitignore', 'ignored\n');
    await look();
    write('ignored', 'x\n');
    expect(await seen()).toEqual({});
  });

  it('sees into repositories inside, with a commit or without, and says that one came to be', async () => {
    const init = (name: string) => {
      write(`${name}/x`, 'x\n');
      execFileSync('git', ['init', '-q'], { cwd: path.join(repo, name) });
    };
    init('sub');
    const commit = ['-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'inner'];
    execFileSync('git', ['add', '.'], { cwd: path.join(repo, 'sub') });
    execFileSync('git', commit, { cwd: path.join(repo, 'sub') });
    git('add', 'sub');
    init('inner');
    await look();
    expect(await look()).toBeNull();
    write('sub/x', 'y\n');
    write('inner/x', 'z\n');
    write('inner/new', 'new\n');
    write('a.txt', 'ONE\n');
    expect(await seen()).toEqual({
      'a.txt': 'one\n → ONE\n',
      'inner/new': 'null → new\n',
      'inner/x': 'x\n → z\n',
      'sub/x': 'x\n → y\n',
    });
    expect(await look()).toBeNull();
    init('later');
    expect(await look()).toMatchObject({ files: [], note: expect.stringMatching(/^later is a repository/) });
    write('later/x', 'y\n');
    expect(await seen()).toEqual({ 'later/x': 'x\n → y\n' });
    expect(await look()).toBeNull();
  });

  it('goes on when a repository inside is gone, and says so', async () => {
    const inner = path.join(home, 'inner');
    mkdirSync(inner);
    for (const words of ['init -q', 'commit -q --allow-empty -m inner'])
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...words.split(' ')], {
        cwd: inner,
      });
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    write('sub/x', 'x\n');
    await look();
    rmSync(path.join(repo, 'sub'), { recursive: true });
    write('a.txt', 'ONE\n');
    const { note, files } = (await look()) ?? {};
    expect(note).toBe('sub is a repository no more, and what it held is left out');
    expect(files?.map(({ path: name }) => name)).toEqual(['a.txt']);
    expect(await look()).toBeNull();
  });

  it('says of a large file that it changed, and keeps none of it', async () => {
    await look();
    write('large', Buffer.alloc(SNAPSHOT_FILE_MAX_BYTES + 1, 'x'));
    expect(await seen()).toEqual({ large: 'null → (large)' });
    write('large', 'small\n');
    expect(await seen()).toEqual({ large: '(unknown) → small\n' });
  });

  it('keeps nothing of a file under a filter, and runs no filter, hook or monitor', async () => {
    const trap = path.join(home, 'ran');
    write('.gitattributes', 's.txt filter=secret\nlater.txt filter=secret\n');
    write('s.txt', 'secret\n');
    git('add', '.');
    git('commit', '-qm', 'filter');
    git('config', 'filter.secret.clean', `touch ${trap}; cat`);
    git('config', 'filter.secret.smudge', `touch ${trap}; cat`);
    git('config', 'core.fsmonitor', `touch ${trap}; false`);
    git('config', 'core.hooksPath', 'hooks');
    for (const hook of ['post-index-change', 'reference-transaction']) {
      write(`hooks/${hook}`, `#!/bin/sh\ntouch ${trap}\n`);
      chmodSync(path.join(repo, 'hooks', hook), 0o755);
    }
    await look();
    write('s.txt', 'secret too\n');
    write('later.txt', 'password\n');
    expect(await seen()).toEqual({ 's.txt': 'secret\n → (filter)', 'later.txt': 'null → (filter)' });
    expect(await look()).toBeNull();
    write('later.txt', 'other password\n');
    expect(await seen()).toEqual({ 'later.txt': '(unknown) → (filter)' });
    expect(existsSync(trap)).toBe(false);
  });

  it('runs nothing of a repository inside', async () => {
    const trap = path.join(home, 'ran');
    write('sub/s.txt', 'secret\n');
    write('sub/.gitattributes', 's.txt filter=secret\n');
    const inner = (...args: string[]) => execFileSync('git', args, { cwd: path.join(repo, 'sub') });
    inner('init', '-q');
    inner('add', '.');
    inner('config', 'filter.secret.clean', `touch ${trap}; cat`);
    inner('config', 'core.fsmonitor', `touch ${trap}; false`);
    inner('config', 'core.hooksPath', 'hooks');
    write('sub/hooks/post-index-change', `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(path.join(repo, 'sub/hooks/post-index-change'), 0o755);
    await look();
    write('sub/s.txt', 'secret too\n');
    write('sub/t.txt', 'new\n');
    expect(await seen()).toMatchObject({ 'sub/s.txt': 'secret\n → (filter)', 'sub/t.txt': 'null → new\n' });
    expect(existsSync(trap)).toBe(false);
  });

  it('writes nothing into the repository', async () => {
    const state = () =>
      readdirSync(path.join(repo, '.git'), { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => `${name} ${statSync(path.join(repo, '.git', name)).mtimeMs}`);
    const before = state();
    await look();
    write('a.txt', 'ONE\n');
    write('c.txt', 'new\n');
    await look();
    await look();
    expect(state()).toEqual(before);
  });

  it.each(['sha1', 'sha256'])('tells by the next look what is written during one (%s)', async (format) => {
    rmSync(path.join(repo, '.git'), { recursive: true });
    git('init', '-q', `--object-format=${format}`);
    git('add', '.');
    await look();
    write('a.txt', 'ONE\n');
    rmSync(path.join(repo, 'b.txt'));
    write('new.txt', 'new\n');
    const during = () => {
      write('a.txt', 'SIX\n');
      write('b.txt', 'back\n');
      rmSync(path.join(repo, 'new.txt'));
    };
    expect(await seen(during)).toEqual({
      'a.txt': 'one\n → ONE\n',
      'b.txt': 'two\n → null',
      'new.txt': 'null → new\n',
    });
    expect(await seen()).toEqual({
      'a.txt': 'ONE\n → SIX\n',
      'b.txt': 'null → back\n',
      'new.txt': 'new\n → null',
    });
    expect(await seen()).toEqual({});
  });

  it('tells of every file from look to look what the look before told, while a program writes without a pause', async () => {
    await look();
    const stands = new Map<string, string | null>();
    const breaks: string[] = [];
    const take = async () => {
      for (const { path: name, before, after } of (await look())?.files ?? []) {
        const was = await textOf(before);
        const known = stands.get(name);
        if (known !== undefined && known !== was) breaks.push(`${name}: ${known}, then ${was}`);
        stands.set(name, await textOf(after));
      }
    };
    const writer = path.join(import.meta.dirname, '../../../test/helpers/busy-writer.ts');
    const child = spawn(process.execPath, [writer, repo, '3000']);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const running = Symbol('running');
    while ((await Promise.race([ended, Promise.resolve(running)])) === running) await take();
    await take();
    expect(breaks).toEqual([]);
    const onDisk = [...stands.keys()].map((name) => {
      const file = path.join(repo, name);
      return [name, existsSync(file) ? readFileSync(file, 'latin1') : null] as const;
    });
    expect([...stands]).toEqual(onDisk);
  });

  it('works beside a locked index, and is in no list of git', async () => {
    writeFileSync(path.join(repo, '.git/index.lock'), '');
    await look();
    write('a.txt', 'ONE\n');
    expect(await seen()).toEqual({ 'a.txt': 'one\n → ONE\n' });
    rmSync(path.join(repo, '.git/index.lock'));
    expect(git('stash', 'list')).toBe('');
    expect(git('status', '--porcelain')).toBe(' M a.txt\n');
    git('gc', '--prune=now', '-q');
    write('a.txt', 'two\n');
    expect(await seen()).toEqual({ 'a.txt': 'ONE\n → two\n' });
  });

  it('sees a change of the same size in the second of the last look', async () => {
    await look();
    for (const text of ['ABC\n', 'DEF\n', 'GHI\n', 'JKL\n']) {
      write('a.txt', text);
      expect(Object.keys(await seen())).toEqual(['a.txt']);
    }
  });

  it('goes on after a process was killed at its work', async () => {
    await look();
    const folder = path.join(
      home,
      'state/snapshots',
      readdirSync(path.join(home, 'state/snapshots'))[0] ?? '',
    );
    writeFileSync(path.join(folder, 'index.lock'), '');
    mkdirSync(path.join(folder, 'git.new'));
    write('a.txt', 'ONE\n');
    observer = new Observer({ root: path.join(home, 'state/snapshots'), blobs });
    expect(await seen()).toEqual({ 'a.txt': 'one\n → ONE\n' });
  });

  it('tells again what could not be kept', async () => {
    await look();
    write('a.txt', 'ONE\n');
    const refused = await observer.look(repo, () => ({
      ok: false,
      error: { code: 'refused', message: 'no' },
    }));
    expect(refused.ok).toBe(false);
    expect(await seen()).toEqual({ 'a.txt': 'one\n → ONE\n' });
  });

  it('works without a commit, in a worktree, with a split or sparse index and with names of all kinds', async () => {
    git('config', 'core.splitIndex', 'true');
    git('update-index', '--split-index');
    await look();
    write('a.txt', 'ONE\n');
    write('näme with "quotes"\n.txt', 'x\n');
    const files = await seen();
    expect(files).toEqual({
      'a.txt': 'one\n → ONE\n',
      [Buffer.from('näme with "quotes"\n.txt').toString('latin1')]: 'null → x\n',
    });
    rmSync(path.join(repo, '.git'), { recursive: true });
    git('init', '-q');
    observer = new Observer({ root: path.join(home, 'other/snapshots'), blobs });
    mkdirSync(path.join(home, 'other'));
    await look();
    write('b.txt', 'TWO\n');
    expect(await seen()).toEqual({ 'b.txt': 'two\n → TWO\n' });
  });

  it('looks at a folder in no repository, without what others wrote into it, and not at a large one', async () => {
    rmSync(path.join(repo, '.git'), { recursive: true });
    write('node_modules/x.js', 'theirs\n');
    write('.gitignore', 'out\n');
    expect(await look()).toEqual({ files: [], note: null });
    write('a.txt', 'ONE\r\n');
    write('out', 'ignored\n');
    write('node_modules/x.js', 'theirs too\n');
    rmSync(path.join(repo, 'b.txt'));
    chmodSync(path.join(repo, '.gitignore'), 0o755);
    expect(await seen()).toEqual({
      '.gitignore': 'out\n → out\n',
      'a.txt': 'one\n → ONE\r\n',
      'b.txt': 'two\n → null',
    });
    git('init', '-q');
    write('a.txt', 'two\n');
    expect(await seen()).toEqual({ 'a.txt': 'ONE\r\n → two\n' });
    const large = path.join(home, 'large');
    mkdirSync(large);
    for (let at = 0; at <= 5_000; at += 1) writeFileSync(path.join(large, `${at}`), '');
    const looked = await observer.look(large, () => ok(undefined));
    expect(looked).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(readdirSync(path.join(home, 'state/snapshots'))).toHaveLength(1);
  });

  it('sweeps objects that no look needs, and working trees that nobody follows', async () => {
    await look();
    write('c.txt', 'first text\n');
    await look();
    write('c.txt', 'second text\n');
    await look();
    const objects = () =>
      readdirSync(path.join(home, 'state/snapshots'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /objects\/[0-9a-f]{2}\/./.test(name),
      ).length;
    const signal = new AbortController().signal;
    expect(objects()).toBe(2);
    await observer.sweep(Date.now() + 2 * 3_600_000, signal);
    expect(objects()).toBe(1);
    write('c.txt', 'third text\n');
    expect(await seen()).toEqual({ 'c.txt': 'second text\n → third text\n' });
    await observer.sweep(Date.now() + 31 * 24 * 3_600_000, signal);
    expect(readdirSync(path.join(home, 'state/snapshots'))).toEqual([]);
    expect(await look()).toEqual({ files: [], note: null });
    expect(readFileSync(path.join(repo, 'c.txt'), 'utf8')).toBe('third text\n');
  });
});
