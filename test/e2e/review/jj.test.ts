/** Sandboxes and changes of jj, with the real program; skipped where it is not installed. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeFolder, putTree, readText } from '../../helpers/git-fixture.ts';
import { findJj, jj } from '../../helpers/jj.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');

const found = findJj();
let target = '';
let state = '';
let reviews: TestReviews;

describe.skipIf(found === null).each(['--no-colocate', '--colocate'])('jj git init %s', (how) => {
  beforeEach(() => {
    vi.stubEnv('PATH', `${found}${path.delimiter}${process.env.PATH ?? ''}`);
    vi.stubEnv('JJ_CONFIG', '/dev/null');
    vi.stubEnv('JJ_USER', 't');
    vi.stubEnv('JJ_EMAIL', 't@example.com');
    target = makeFolder();
    jj(target, 'git', 'init', how);
    putTree(target, { f: lines(), bin: '\x00\x01\x02', '.gitignore': '*.log\n' });
    jj(target, 'commit', '-m', 'base');
    state = makeFolder();
    reviews = openTestReviews(state);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    reviews.close();
    for (const folder of [target, state]) removeTree(folder);
  });

  const sandboxNamed = async (name: string) =>
    must(await reviews.service.sandboxes.create({ target, name, base: null }));
  const attempt = (folder: string, change?: string) =>
    reviews.publishFrom({ target, source: { kind: 'sandbox', folder, ...(change ? { change } : {}) } });

  test('a workspace: several changes, and work outside any change, are one suggestion; it follows decisions', async () => {
    const { folder, kind } = await sandboxNamed('ai');
    expect(kind).toBe('jj');
    putTree(folder, { f: lines({ 3: 'three\n' }) });
    jj(folder, 'commit', '-m', 'first');
    putTree(folder, {
      f: lines({ 3: 'three\n', 20: 'twenty\n' }),
      bin: '\x00\x01\x03',
      n: 'n\n',
      'x.log': 'x\n',
    });
    putTree(target, { f: lines({ 10: 'mine\n' }) });
    const { id, files, hunks, source } = must(await attempt(folder));
    expect(files).toEqual(['bin', 'f', 'n']);
    expect(source).toMatch(/^jj [k-z]{32} in /);
    expect(hunks.every(({ status }) => status === 'pending')).toBe(true);
    expect(must(await attempt(folder)).id).toBe(id);
    const hunk = (text: string) => hunks.find(({ diff }) => diff.includes(text))?.id ?? '';
    must(await reviews.decide({ suggestion: id, hunk: hunk('+three'), action: 'accept' }));
    must(await reviews.decide({ suggestion: id, hunk: hunk('+twenty'), action: 'reject' }));
    must(
      await reviews.decide({
        suggestion: id,
        hunk: hunks.find(({ kind: one }) => one === 'binary')?.id ?? '',
        action: 'accept',
      }),
    );
    expect(readText(target, 'f')).toBe(lines({ 3: 'three\n', 10: 'mine\n' }));
    expect(readText(target, 'bin')).toBe('\x00\x01\x03');
    expect(readText(folder, 'f')).toBe(lines({ 3: 'three\n' }));
    expect(must(await reviews.service.sandboxes.list({ target }))).toMatchObject([
      { name: 'ai', kind: 'jj', ahead: 1, suggestion: id, problem: null },
    ]);
  });

  test('one change by its id, described by jj; a merge is refused', async () => {
    putTree(target, { f: lines({ 3: 'three\n' }) });
    jj(target, 'commit', '-m', 'suggestion: three');
    const change = jj(target, 'log', '--no-graph', '-r', '@-', '-T', 'change_id').trim();
    jj(target, 'new', 'root()+', '-m', 'elsewhere');
    expect(readText(target, 'f')).toBe(lines());
    const { id, hunks } = must(await attempt(target, change));
    expect(hunks).toHaveLength(1);
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'accept' }));
    expect(readText(target, 'f')).toBe(lines({ 3: 'three\n' }));
    jj(target, 'new', change, '@', '-m', 'merge');
    expect(await attempt(target, '@')).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/merge/) },
    });
    expect(await attempt(target, 'nope')).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/nope/) },
    });
  });

  test('a divergent change is refused: it is unclear which of its commits is meant', async () => {
    const { folder } = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n' }) });
    jj(folder, 'describe', '-m', 'one');
    const change = jj(folder, 'log', '--no-graph', '-r', '@', '-T', 'change_id').trim();
    jj(folder, '--at-op', '@-', 'describe', '-m', 'two');
    jj(folder, 'status');
    expect(await attempt(folder)).toMatchObject({
      ok: false,
      error: {
        code: 'refused',
        message: expect.stringMatching(/divergent/),
        hint: expect.stringMatching(/abandon/),
      },
    });
    expect(await attempt(folder, change)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/divergent/) },
    });
  });

  test('a change with conflicts is refused until they are resolved', async () => {
    const { folder } = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'theirs\n' }) });
    putTree(target, { f: lines({ 3: 'mine\n' }) });
    jj(target, 'commit', '-m', 'mine');
    jj(folder, 'rebase', '-r', '@', '-d', 'description("mine\n")');
    expect(await attempt(folder)).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/conflicts/), hint: expect.stringMatching(/resolve/) },
    });
    putTree(folder, { f: lines({ 3: 'both\n' }) });
    expect(must(await attempt(folder)).hunks).toHaveLength(1);
  });

  test('names a file that jj cannot include', async () => {
    const { folder } = await sandboxNamed('ai');
    writeFileSync(path.join(folder, 'big'), Buffer.alloc(2_000_000));
    putTree(folder, { n: 'n\n' });
    const { files, notes } = must(await attempt(folder));
    expect(files).toEqual(['n']);
    expect(notes.join()).toMatch(/^big: too large/);
  });

  test('discard removes the rest, and abandons a change that becomes empty', async () => {
    const { folder } = await sandboxNamed('ai');
    putTree(folder, { f: lines({ 3: 'three\n' }), n: 'n\n' });
    const before = jj(folder, 'log', '--no-graph', '-r', '@', '-T', 'change_id');
    const { id } = must(await attempt(folder));
    const { notes } = must(await reviews.finish({ suggestion: id, how: 'discard', sandbox: 'revert' }));
    expect(notes).toEqual([]);
    expect(readText(folder, 'f')).toBe(lines());
    expect(existsSync(path.join(folder, 'n'))).toBe(false);
    expect(jj(folder, 'log', '--no-graph', '-r', '@', '-T', 'change_id')).not.toBe(before);
  });

  test('removing: unpublished work is kept; with force, its commit is named', async () => {
    const { folder } = await sandboxNamed('ai');
    putTree(folder, { n: 'n\n' });
    const { sandboxes } = reviews.service;
    expect(await sandboxes.remove({ target, name: 'ai', force: false })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/never published: n/) },
    });
    const { commit, kind } = must(await sandboxes.remove({ target, name: 'ai', force: true }));
    expect(kind).toBe('jj');
    expect(existsSync(folder)).toBe(false);
    expect(jj(target, 'workspace', 'list')).not.toMatch(/^ai:/m);
    expect(jj(target, 'file', 'show', '-r', commit ?? '', 'root:n')).toBe('n\n');
    expect((await sandboxNamed('ai')).folder).toBe(folder);
  });
});
