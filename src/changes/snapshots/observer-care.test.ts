import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ObservedRepository } from '../../../test/helpers/observed-repository.ts';
import { Observer } from './observer.ts';

let at: ObservedRepository;

beforeEach(() => {
  at = new ObservedRepository();
});
afterEach(() => at.remove());

describe('a look', () => {
  it('stores nothing of a file with a filter, and runs no filter, hook or monitor', async () => {
    const trap = path.join(at.home, 'ran');
    at.write('.gitattributes', 's.txt filter=secret\nlater.txt filter=secret\n');
    at.write('s.txt', 'secret\n');
    at.git('add', '.');
    at.git('commit', '-qm', 'filter');
    at.git('config', 'filter.secret.clean', `touch ${trap}; cat`);
    at.git('config', 'filter.secret.smudge', `touch ${trap}; cat`);
    at.git('config', 'core.fsmonitor', `touch ${trap}; false`);
    at.git('config', 'core.hooksPath', 'hooks');
    for (const hook of ['post-index-change', 'reference-transaction']) {
      at.write(`hooks/${hook}`, `#!/bin/sh\ntouch ${trap}\n`);
      chmodSync(path.join(at.repo, 'hooks', hook), 0o755);
    }
    await at.look();
    at.write('s.txt', 'secret too\n');
    at.write('later.txt', 'password\n');
    expect(await at.seen()).toEqual({ 's.txt': 'secret\n → (filter)', 'later.txt': 'null → (filter)' });
    expect(await at.look()).toBeNull();
    at.write('later.txt', 'other password\n');
    expect(await at.seen()).toEqual({ 'later.txt': '(unknown) → (filter)' });
    expect(existsSync(trap)).toBe(false);
  });

  it('runs nothing of a nested repository', async () => {
    const trap = path.join(at.home, 'ran');
    at.write('sub/s.txt', 'secret\n');
    at.write('sub/.gitattributes', 's.txt filter=secret\n');
    const inner = (...args: string[]) => execFileSync('git', args, { cwd: path.join(at.repo, 'sub') });
    inner('init', '-q');
    inner('add', '.');
    inner('config', 'filter.secret.clean', `touch ${trap}; cat`);
    inner('config', 'core.fsmonitor', `touch ${trap}; false`);
    inner('config', 'core.hooksPath', 'hooks');
    at.write('sub/hooks/post-index-change', `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(path.join(at.repo, 'sub/hooks/post-index-change'), 0o755);
    await at.look();
    at.write('sub/s.txt', 'secret too\n');
    at.write('sub/t.txt', 'new\n');
    expect(await at.seen()).toMatchObject({
      'sub/s.txt': 'secret\n → (filter)',
      'sub/t.txt': 'null → new\n',
    });
    expect(existsSync(trap)).toBe(false);
  });

  it('writes nothing into the repository', async () => {
    const state = () =>
      readdirSync(path.join(at.repo, '.git'), { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => `${name} ${statSync(path.join(at.repo, '.git', name)).mtimeMs}`);
    const before = state();
    await at.look();
    at.write('a.txt', 'ONE\n');
    at.write('c.txt', 'new\n');
    await at.look();
    await at.look();
    expect(state()).toEqual(before);
  });

  it.each(['sha1', 'sha256'])('reports in the next look what is written during one (%s)', async (format) => {
    rmSync(path.join(at.repo, '.git'), { recursive: true });
    at.git('init', '-q', `--object-format=${format}`);
    at.git('add', '.');
    await at.look();
    at.write('a.txt', 'ONE\n');
    rmSync(path.join(at.repo, 'b.txt'));
    at.write('new.txt', 'new\n');
    const during = () => {
      at.write('a.txt', 'SIX\n');
      at.write('b.txt', 'back\n');
      rmSync(path.join(at.repo, 'new.txt'));
    };
    expect(await at.seen(during)).toEqual({
      'a.txt': 'one\n → ONE\n',
      'b.txt': 'two\n → null',
      'new.txt': 'null → new\n',
    });
    expect(await at.seen()).toEqual({
      'a.txt': 'ONE\n → SIX\n',
      'b.txt': 'null → back\n',
      'new.txt': 'new\n → null',
    });
    expect(await at.seen()).toEqual({});
  });

  it('reports for every file exactly the changes since the previous look, while a program writes without a pause', async () => {
    await at.look();
    const stands = new Map<string, string | null>();
    const breaks: string[] = [];
    const take = async () => {
      for (const { path: name, before, after } of (await at.look())?.files ?? []) {
        const was = await at.textOf(before);
        const known = stands.get(name);
        if (known !== undefined && known !== was) breaks.push(`${name}: ${known}, then ${was}`);
        stands.set(name, await at.textOf(after));
      }
    };
    const writer = path.join(import.meta.dirname, '../../../test/helpers/busy-writer.ts');
    const child = spawn(process.execPath, [writer, at.repo, '3000']);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    const running = Symbol('running');
    while ((await Promise.race([ended, Promise.resolve(running)])) === running) await take();
    await take();
    expect(breaks).toEqual([]);
    const onDisk = [...stands.keys()].map((name) => {
      const file = path.join(at.repo, name);
      return [name, existsSync(file) ? readFileSync(file, 'latin1') : null] as const;
    });
    expect([...stands]).toEqual(onDisk);
  });

  it('works beside a locked index, and appears in no list of git', async () => {
    writeFileSync(path.join(at.repo, '.git/index.lock'), '');
    await at.look();
    at.write('a.txt', 'ONE\n');
    expect(await at.seen()).toEqual({ 'a.txt': 'one\n → ONE\n' });
    rmSync(path.join(at.repo, '.git/index.lock'));
    expect(at.git('stash', 'list')).toBe('');
    expect(at.git('status', '--porcelain')).toBe(' M a.txt\n');
    at.git('gc', '--prune=now', '-q');
    at.write('a.txt', 'two\n');
    expect(await at.seen()).toEqual({ 'a.txt': 'ONE\n → two\n' });
  });

  it('sees a change of the same size in the second of the last look', async () => {
    await at.look();
    for (const text of ['ABC\n', 'DEF\n', 'GHI\n', 'JKL\n']) {
      at.write('a.txt', text);
      expect(Object.keys(await at.seen())).toEqual(['a.txt']);
    }
  });

  it('continues after a process was killed during a look', async () => {
    await at.look();
    const folder = path.join(
      at.home,
      'state/snapshots',
      readdirSync(path.join(at.home, 'state/snapshots'))[0] ?? '',
    );
    writeFileSync(path.join(folder, 'index.lock'), '');
    mkdirSync(path.join(folder, 'git.new'));
    at.write('a.txt', 'ONE\n');
    at.observer = new Observer({ root: path.join(at.home, 'state/snapshots'), blobs: at.blobs });
    expect(await at.seen()).toEqual({ 'a.txt': 'one\n → ONE\n' });
  });

  it('reports again what could not be stored', async () => {
    await at.look();
    at.write('a.txt', 'ONE\n');
    const refused = await at.observer.look(at.repo, () => ({
      ok: false,
      error: { code: 'refused', message: 'no' },
    }));
    expect(refused.ok).toBe(false);
    expect(await at.seen()).toEqual({ 'a.txt': 'one\n → ONE\n' });
  });

  it('deletes objects that no look needs, and working trees that nobody follows', async () => {
    await at.look();
    at.write('c.txt', 'first text\n');
    await at.look();
    at.write('c.txt', 'second text\n');
    await at.look();
    const objects = () =>
      readdirSync(path.join(at.home, 'state/snapshots'), { recursive: true, encoding: 'utf8' }).filter(
        (name) => /objects\/[0-9a-f]{2}\/./.test(name),
      ).length;
    const signal = new AbortController().signal;
    expect(objects()).toBe(2);
    await at.observer.sweep(Date.now() + 2 * 3_600_000, signal);
    expect(objects()).toBe(1);
    at.write('c.txt', 'third text\n');
    expect(await at.seen()).toEqual({ 'c.txt': 'second text\n → third text\n' });
    await at.observer.sweep(Date.now() + 31 * 24 * 3_600_000, signal);
    expect(readdirSync(path.join(at.home, 'state/snapshots'))).toEqual([]);
    expect(await at.look()).toMatchObject({ files: [], note: null });
    expect(readFileSync(path.join(at.repo, 'c.txt'), 'utf8')).toBe('third text\n');
  });
});
