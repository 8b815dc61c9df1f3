/** The end of a suggestion from a jj sandbox, with the real program; skipped where it is not installed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { git, makeFolder, putTree, readText } from '../../helpers/git-fixture.ts';
import { findJj, jj } from '../../helpers/jj.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');

const found = findJj();
let target = '';
let state = '';
let remote = '';
let reviews: TestReviews;

describe.skipIf(found === null)('with jj', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', `${found}${path.delimiter}${process.env.PATH ?? ''}`);
    vi.stubEnv('JJ_CONFIG', '/dev/null');
    vi.stubEnv('JJ_USER', 't');
    vi.stubEnv('JJ_EMAIL', 't@example.com');
    target = makeFolder();
    state = makeFolder();
    remote = makeFolder();
    reviews = openTestReviews(state);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    reviews.close();
    for (const folder of [target, state, remote]) removeTree(folder);
  });

  const init = (how: string) => {
    jj(target, 'git', 'init', how);
    putTree(target, { f: lines() });
    jj(target, 'commit', '-m', 'base');
  };
  const restart = (settings: Parameters<typeof openTestReviews>[1]) => {
    reviews.close();
    reviews = openTestReviews(state, settings);
  };
  const log = (folder: string, revset: string, template: string) =>
    jj(folder, '--ignore-working-copy', 'log', '--no-graph', '-r', revset, '-T', `${template} ++ "\\n"`)
      .split('\n')
      .slice(0, -1);
  const changeAt = (folder: string) => log(folder, '@', 'change_id')[0] ?? '';
  const descriptionAt = (folder: string) => log(folder, '@', 'description.trim()')[0];
  const operations = () => jj(target, '--ignore-working-copy', 'op', 'log', '--no-graph', '-T', '"o"').length;
  /** A sandbox with two changes, and its published suggestion. */
  const offer = async () => {
    const { folder } = must(await reviews.service.sandboxes.create({ target, name: 'ai', base: null }));
    putTree(folder, { f: lines({ 3: 'three\n' }) });
    jj(folder, 'commit', '-m', 'first');
    putTree(folder, { f: lines({ 3: 'three\n', 20: 'twenty\n' }), n: 'n\n' });
    const given = { target, description: 'Numbers', source: { kind: 'sandbox' as const, folder } };
    const { id, hunks } = must(await reviews.publishFrom(given));
    const idOf = (text: string) => hunks.find(({ diff }) => diff.includes(text))?.id ?? '';
    return { folder, id, idOf };
  };
  const decide = async (suggestion: string, hunk: string, action: 'accept' | 'reject') =>
    must(await reviews.decide({ suggestion, hunk, action }));
  const finalize = async (suggestion: string, more: { push?: boolean } = {}) =>
    must(await reviews.finish({ suggestion, how: 'finalize', ...more }));
  const discard = async (suggestion: string) =>
    must(await reviews.finish({ suggestion, how: 'discard', sandbox: 'revert' }));

  describe.each(['--no-colocate', '--colocate'])('finalize, %s', (how) => {
    beforeEach(() => init(how));

    test('by default jj does nothing', async () => {
      const { folder, id } = await offer();
      await decide(id, 'all', 'accept');
      const before = changeAt(folder);
      const made = operations();
      expect(await finalize(id)).toMatchObject({ notes: [], pushed: null });
      expect(operations()).toBe(made);
      expect(changeAt(folder)).toBe(before);
    });

    test("squash: the sandbox's changes are folded into the user's, whose files stay as they are", async () => {
      restart({ jjFinalize: 'squash' });
      const { folder, id, idOf } = await offer();
      putTree(target, { f: lines({ 10: 'mine\n' }) });
      await decide(id, idOf('+three'), 'accept');
      await decide(id, idOf('+twenty'), 'reject');
      await decide(id, idOf('+n'), 'accept');
      const before = changeAt(target);
      expect(await finalize(id)).toMatchObject({ notes: [], pushed: null });
      expect(readText(target, 'f')).toBe(lines({ 3: 'three\n', 10: 'mine\n' }));
      expect(changeAt(target)).toBe(before);
      expect(descriptionAt(target)).toBe('Numbers');
      expect(readText(folder, 'f')).toBe(lines());
      expect(descriptionAt(folder)).toBe('suggestion: ai');
      expect(log(target, 'description(substring:first)', 'change_id')).toEqual([]);
      expect(jj(target, 'diff', '--summary')).toBe('M f\nA n\n');
      expect(jj(folder, 'diff', '--summary')).toBe('');
    });

    test("squash: the user's own words for the change stay", async () => {
      restart({ jjFinalize: 'squash' });
      const { id } = await offer();
      jj(target, 'describe', '-m', 'my words');
      await decide(id, 'all', 'accept');
      expect((await finalize(id)).notes).toEqual([]);
      expect(descriptionAt(target)).toBe('my words');
    });

    test('squash: undecided hunks are left out; the sandbox stays, and a message says so', async () => {
      restart({ jjFinalize: 'squash' });
      const { folder, id, idOf } = await offer();
      await decide(id, idOf('+three'), 'accept');
      const before = changeAt(folder);
      const { notes } = await finalize(id);
      expect(notes.join()).toMatch(/^Not squashed: The jj change \w+ holds more than was accepted: [fn];/);
      expect(changeAt(folder)).toBe(before);
      expect(readText(folder, 'n')).toBe('n\n');
      expect(readText(target, 'f')).toBe(lines({ 3: 'three\n' }));
      expect(descriptionAt(target)).toBe('');
    });

    test('squash: work after publishing is left out', async () => {
      restart({ jjFinalize: 'squash' });
      const { folder, id } = await offer();
      await decide(id, 'all', 'accept');
      putTree(folder, { late: 'late\n' });
      expect((await finalize(id)).notes.join()).toMatch(/more than was accepted: late/);
      expect(readText(folder, 'late')).toBe('late\n');
      expect(existsSync(path.join(target, 'late'))).toBe(false);
    });

    const withRemote = () => {
      git(remote, 'init', '-q', '--bare');
      jj(target, 'git', 'remote', 'add', 'origin', remote);
      jj(target, 'bookmark', 'create', 'topic', '-r', '@');
      jj(target, 'bookmark', 'track', 'topic@origin');
    };

    test.each(['as is set', 'as is asked for'])(
      'push, %s: jj pushes to the bookmark; no hook runs',
      async (by) => {
        if (by === 'as is set') restart({ jjFinalize: 'push' });
        const { id } = await offer();
        withRemote();
        const hook = path.join(jj(target, 'git', 'root').trim(), 'hooks/pre-push');
        putTree(path.dirname(hook), { 'pre-push': { run: `#!/bin/sh\ntouch ${state}/ran\nexit 1\n` } });
        await decide(id, 'all', 'accept');
        const done = await finalize(id, { push: by !== 'as is set' });
        expect(done).toMatchObject({ notes: [], pushed: 'origin topic', commit: null });
        expect(git(remote, 'show', 'topic:f')).toBe(lines({ 3: 'three\n', 20: 'twenty\n' }));
        expect(git(remote, 'log', '-1', '--format=%s', 'topic')).toBe('Numbers\n');
        expect(existsSync(path.join(state, 'ran'))).toBe(false);
      },
    );

    test("push: the user's own work in the change is never pushed along", async () => {
      restart({ jjFinalize: 'push' });
      const { id } = await offer();
      withRemote();
      putTree(target, { f: lines({ 10: 'mine\n' }), secret: 's\n' });
      await decide(id, 'all', 'accept');
      const { notes, pushed } = await finalize(id);
      expect(pushed).toBeNull();
      expect(notes.join()).toMatch(/^Squashed, but not pushed: .*holds more than was accepted: f, secret/);
      expect(git(remote, 'for-each-ref')).toBe('');
    });

    test('push: no bookmark is on the change: reported, and none is created', async () => {
      restart({ jjFinalize: 'push' });
      const { id } = await offer();
      git(remote, 'init', '-q', '--bare');
      jj(target, 'git', 'remote', 'add', 'origin', remote);
      await decide(id, 'all', 'accept');
      expect((await finalize(id)).notes.join()).toMatch(/not pushed: jj pushed nothing: No bookmarks/);
      expect(git(remote, 'for-each-ref')).toBe('');
    });
  });

  describe('discard', () => {
    beforeEach(() => init('--no-colocate'));

    test("the sandbox's changes are abandoned; what was accepted stays", async () => {
      const { folder, id, idOf } = await offer();
      await decide(id, idOf('+three'), 'accept');
      const before = changeAt(folder);
      expect((await discard(id)).notes).toEqual([]);
      expect(readText(target, 'f')).toBe(lines({ 3: 'three\n' }));
      expect(readText(folder, 'f')).toBe(lines());
      expect(existsSync(path.join(folder, 'n'))).toBe(false);
      expect(log(target, `present(${before}) | description(substring:first)`, 'change_id')).toEqual([]);
      expect(descriptionAt(folder)).toBe('suggestion: ai');
    });

    test.each<[string, (folder: string) => void, RegExp]>([
      ['work that was never published', (folder) => putTree(folder, { late: 'late\n' }), /published: late/],
      [
        'another change that stands on it',
        (folder) => jj(target, 'new', '--no-edit', changeAt(folder), '-m', 'on top'),
        /is built on the sandbox's work/,
      ],
      [
        'a bookmark',
        (folder) => jj(folder, 'bookmark', 'create', 'named', '-r', '@-'),
        /has a bookmark, or is immutable/,
      ],
      [
        'another workspace at it',
        (folder) => {
          jj(target, 'workspace', 'add', '--name', 'other', path.join(state, 'other'));
          jj(path.join(state, 'other'), 'edit', log(folder, '@-', 'change_id')[0] ?? '');
        },
        /is built on the sandbox's work/,
      ],
    ])('%s keeps it, and a message says so', async (_name, arrange, said) => {
      const { folder, id } = await offer();
      arrange(folder);
      const before = changeAt(folder);
      expect((await discard(id)).notes.join()).toMatch(said);
      expect(changeAt(folder)).toBe(before);
      expect(log(target, 'description(substring:first)', 'change_id')).toHaveLength(1);
    });

    const offerSingle = async (folder: string, change: string) =>
      must(await reviews.publishFrom({ target, source: { kind: 'sandbox', folder, change } }));

    test('a change published by itself is abandoned, once it equals what was published', async () => {
      const { folder } = must(await reviews.service.sandboxes.create({ target, name: 'ai', base: null }));
      putTree(folder, { n: 'n\n' });
      jj(folder, 'commit', '-m', 'suggestion: n');
      const change = log(folder, '@-', 'change_id')[0] ?? '';
      const first = await offerSingle(folder, change);
      await decide(first.id, 'all', 'accept');
      expect((await discard(first.id)).notes).toEqual([]);
      expect(log(target, 'description(substring:"suggestion: n")', 'change_id')).toEqual([]);
      expect(readText(target, 'n')).toBe('n\n');
      putTree(folder, { m: 'm\n' });
      const second = await offerSingle(folder, changeAt(folder));
      putTree(folder, { m: 'more\n' });
      expect((await discard(second.id)).notes.join()).toMatch(/not as it was published/);
      expect(readText(folder, 'm')).toBe('more\n');
      const third = await offerSingle(folder, changeAt(folder));
      expect((await discard(third.id)).notes).toEqual([]);
      expect(existsSync(path.join(folder, 'm'))).toBe(false);
      expect(descriptionAt(folder)).toBe('suggestion: ai');
    });

    test("a change of the user's own stays, and how to abandon it is said", async () => {
      putTree(target, { n: 'n\n' });
      jj(target, 'commit', '-m', 'mine');
      const change = log(target, '@-', 'change_id')[0] ?? '';
      jj(target, 'new', 'root()+');
      const { id } = await offerSingle(target, change);
      expect((await discard(id)).notes.join()).toMatch(/not a sandbox's; it stays. "jj abandon [k-z]{12}"/);
      expect(log(target, change, 'description.trim()')).toEqual(['mine']);
    });

    test('a divergent change is never guessed at', async () => {
      const { folder, id } = await offer();
      jj(folder, 'describe', '-m', 'one');
      jj(folder, '--at-op', '@-', 'describe', '-m', 'two');
      jj(folder, 'status');
      const commits = log(folder, 'description(substring:one) | description(substring:two)', 'commit_id');
      expect(commits).toHaveLength(2);
      expect((await discard(id)).notes.join()).toMatch(/divergent/);
      expect(
        log(folder, 'description(substring:one) | description(substring:two)', 'commit_id'),
      ).toHaveLength(2);
    });
  });

  test("a repository's own settings run no program", async () => {
    init('--colocate');
    restart({ jjFinalize: 'push' });
    const { id } = await offer();
    const tool = path.join(state, 'tool');
    putTree(state, { tool: { run: `#!/bin/sh\ntouch ${state}/ran\nexit 1\n` } });
    git(remote, 'init', '-q', '--bare');
    jj(target, 'git', 'remote', 'add', 'origin', remote);
    jj(target, 'bookmark', 'create', 'topic', '-r', '@');
    jj(target, 'bookmark', 'track', 'topic@origin');
    const settings = ['ui.editor', 'ui.pager', 'ui.diff-editor', 'ui.merge-editor', 'git.executable-path'];
    for (const name of settings) jj(target, 'config', 'set', '--repo', name, tool);
    for (const name of ['log', 'squash', 'abandon', 'git'])
      jj(target, 'config', 'set', '--repo', `aliases.${name}`, `["util", "exec", "--", "${tool}"]`);
    await decide(id, 'all', 'accept');
    expect(await finalize(id)).toMatchObject({ notes: [], pushed: 'origin topic' });
    expect(existsSync(path.join(state, 'ran'))).toBe(false);
  });
});
