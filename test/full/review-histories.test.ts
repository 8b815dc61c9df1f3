/**
 * Commits of real repositories replayed in place with random decisions, checked against git's own diff: what remains on
 * disk or staged, what undo restores, and what a commit of the accepted hunks contains. COPANE_HISTORIES names the
 * repositories (folders, separated by ":"), which are only read; the default is this checkout's own history.
 */
import { copyFileSync, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Hunk } from '../../src/protocol/review.ts';
import { git, makeFolder, putTree, readTree } from '../helpers/git-fixture.ts';
import { removeTree } from '../helpers/remove-tree.ts';
import { openTestReviews } from '../helpers/review-service.ts';
import { must } from '../helpers/review-subject.ts';

const SOURCES = (process.env.COPANE_HISTORIES ?? process.cwd()).split(':').filter(existsSync);
const COMMITS = Number(process.env.COPANE_HISTORY_COMMITS ?? 8);
const FILES_MAX = 40;
const DIFF_MAX_CHARACTERS = 300_000;

type State =
  | 'plain'
  | 'crlf'
  | 'mixed line ends'
  | 'filter'
  | 'sparse'
  | 'submodule'
  | 'staged'
  | 'staged and edited';
const STATES: readonly State[] = [
  'plain',
  'crlf',
  'mixed line ends',
  'filter',
  'sparse',
  'submodule',
  'staged',
  'staged and edited',
];
const isStaged = (state: State) => state.startsWith('staged');

/** The same in every run. */
function randomOf(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
    return at / 2_147_483_648;
  };
}

/** What git stores for the files of a commit, by name. */
function blobsOf(root: string, tree: string): Map<string, string> {
  const listed = git(root, 'ls-tree', '-r', '-z', '--full-tree', tree).split('\0').filter(Boolean);
  return new Map(listed.map((entry) => [entry.split('\t')[1] ?? '', entry.split('\t')[0] ?? '']));
}

interface FileDiff {
  readonly oldPath: string;
  readonly newPath: string;
  readonly status: string;
  readonly modes: readonly [string, string];
  readonly blobs: readonly [string, string];
}

function changedFiles(root: string, from: string, to: string): FileDiff[] {
  const words = git(root, 'diff', '--raw', '-z', '-M', '--no-abbrev', from, to).split('\0');
  const files: FileDiff[] = [];
  for (let at = 0; at + 1 < words.length; ) {
    const [old = '', updated = '', oldBlob = '', newBlob = '', status = ''] = (words[at] ?? '')
      .slice(1)
      .split(' ');
    const isMoved = /^[RC]/.test(status);
    const [oldPath = '', newPath = oldPath] = words.slice(at + 1, at + (isMoved ? 3 : 2));
    files.push({
      oldPath,
      newPath,
      status: status.charAt(0),
      modes: [old, updated],
      blobs: [oldBlob, newBlob],
    });
    at += isMoved ? 3 : 2;
  }
  return files;
}

/** The file's text with those hunks of git's diff that `takes` accepts. */
function mixed(root: string, { blobs, modes }: FileDiff, takes: (hunk: number) => boolean): string {
  const textOf = (side: 0 | 1) =>
    /^0+$/.test(modes[side]) ? '' : git(root, 'cat-file', 'blob', blobs[side]);
  const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const [old, updated] = [linesOf(textOf(0)), linesOf(textOf(1))];
  const diff = git(root, 'diff', '-U3', '--no-color', blobs[0], blobs[1]);
  const out: string[] = [];
  let at = 0;
  let hunk = 0;
  for (const [, start = '0', count = '1', newStart = '0', newCount = '1'] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
  )) {
    const from = Number(start) - (count === '0' ? 0 : 1);
    const newFrom = Number(newStart) - (newCount === '0' ? 0 : 1);
    out.push(...old.slice(at, from));
    at = from + Number(count);
    out.push(...(takes(hunk) ? updated.slice(newFrom, newFrom + Number(newCount)) : old.slice(from, at)));
    hunk += 1;
  }
  return [...out, ...old.slice(at)].join('');
}

/** What git would store for a file with these decisions: `mode blob` by name; nothing for no file. */
function expectedOf(root: string, file: FileDiff, hunks: readonly Hunk[], rejected: ReadonlySet<string>) {
  const isIn = (hunk: Hunk | undefined) => hunk !== undefined && !rejected.has(hunk.id);
  const of = (kind: Hunk['kind']) => hunks.find((hunk) => hunk.kind === kind);
  const [only] = hunks;
  if (file.status === 'A') return isIn(only) ? new Map([[file.newPath, at(file, 1)]]) : new Map();
  if (file.status === 'D') return isIn(only) ? new Map() : new Map([[file.oldPath, at(file, 0)]]);
  const whole = of('binary') ?? of('symlink');
  const mode = of('mode') === undefined ? file.modes[1] : file.modes[isIn(of('mode')) ? 1 : 0];
  const name = of('rename') === undefined || isIn(of('rename')) ? file.newPath : file.oldPath;
  if (whole !== undefined) {
    const side = isIn(whole) ? 1 : 0;
    const isLink = whole.kind === 'symlink';
    return new Map([[name, `${isLink ? file.modes[side] : mode} blob ${file.blobs[side]}`]]);
  }
  const texts = hunks.filter(({ kind }) => kind === 'text');
  const text = mixed(root, file, (hunk) => isIn(texts[hunk]));
  putTree(root, { '.git/mixed': text });
  const blob = git(root, 'hash-object', '-w', '--no-filters', '.git/mixed').trim();
  return new Map([[name, `${mode} blob ${blob}`]]);
}

const at = ({ modes, blobs }: FileDiff, side: 0 | 1) => `${modes[side]} blob ${blobs[side]}`;

/** What git would store for the current working tree, by a separate index. */
function keptOf(root: string): Map<string, string> {
  const index = path.join(root, '.git', 'oracle-index');
  copyFileSync(path.join(root, '.git', 'index'), index);
  vi.stubEnv('GIT_INDEX_FILE', index);
  try {
    git(root, '-c', 'core.safecrlf=false', 'add', '-A');
    return blobsOf(root, git(root, 'write-tree').trim());
  } finally {
    vi.unstubAllEnvs();
    removeTree(index);
  }
}

const SUBMODULE = 'zz-submodule';

/** The working tree at a commit, in a separate clone, with the settings of the state. */
function cloneOf(source: string, state: State): string {
  const root = makeFolder();
  git(root, 'clone', '-q', '--shared', '--no-checkout', source, '.');
  git(root, 'config', 'core.autocrlf', state === 'crlf' ? 'true' : 'false');
  if (state === 'filter') {
    for (const kind of ['clean', 'smudge'])
      git(root, 'config', `filter.rot.${kind}`, "LC_ALL=C tr 'A-Za-z' 'N-ZA-Mn-za-m'");
    putTree(root, { '.git/info/attributes': '*.md filter=rot\n' });
  }
  // The repository may declare its files to have LF.
  if (state === 'mixed line ends') putTree(root, { '.git/info/attributes': '* -text\n' });
  return root;
}

/** HEAD is the parent; disk or index has the commit's changes. Returns the new HEAD. */
function goTo(root: string, state: State, [from, to]: readonly [string, string]): string {
  if (state === 'sparse') git(root, 'sparse-checkout', 'disable');
  git(root, 'checkout', '-qf', '--detach', from);
  git(root, 'clean', '-qffdx');
  if (state === 'sparse') {
    const folders = git(root, 'ls-tree', '-d', '--name-only', from).split('\n').filter(Boolean);
    git(root, 'sparse-checkout', 'set', '--cone', ...folders.filter((_, at) => at % 2 === 0));
  }
  if (state === 'submodule') {
    git(root, 'update-index', '--add', '--cacheinfo', `160000,${from},${SUBMODULE}`);
    git(root, 'commit', '-qm', 'submodule');
  }
  const head = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'read-tree', '-m', '-u', from, to);
  if (!isStaged(state)) git(root, 'reset', '-q', head);
  if (state === 'submodule') {
    git(root, 'init', '-q', SUBMODULE);
    git(path.join(root, SUBMODULE), 'commit', '-q', '--allow-empty', '-m', 'other');
  }
  return head;
}

/** Half of the changed files get one more line at the top, which is not staged. */
function edit(root: string, files: readonly FileDiff[], random: () => number): void {
  for (const { newPath } of files) {
    const file = path.join(root, Buffer.from(newPath, 'latin1').toString());
    const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (isFile && random() < 0.5)
      writeFileSync(file, Buffer.concat([Buffer.from('mine\n'), readFileSync(file)]));
  }
}

/** The two commits with CRLF on some lines of the files that differ, as the repository stores them. */
function withMixedEnds(root: string, [from, to]: readonly [string, string]): readonly [string, string] {
  const index = path.join(root, '.git', 'mixed-index');
  const files = changedFiles(root, from, to);
  const rewritten = (commit: string, side: 0 | 1, parent: readonly string[]) => {
    vi.stubEnv('GIT_INDEX_FILE', index);
    try {
      git(root, 'read-tree', commit);
      for (const { oldPath, newPath, modes, blobs } of files) {
        if (!modes[side].startsWith('100')) continue;
        const text = git(root, 'cat-file', 'blob', blobs[side]);
        const lines = text.includes('\0') ? [text] : text.split(/(?<=\n)/);
        const ended = lines.map((line) => (line.length % 3 === 0 ? line.replace(/\r?\n$/, '\r\n') : line));
        putTree(root, { '.git/mixed': ended.join('') });
        const blob = git(root, 'hash-object', '-w', '--no-filters', '.git/mixed').trim();
        const name = side === 0 ? oldPath : newPath;
        git(root, 'update-index', '--cacheinfo', `${modes[side]},${blob},${Buffer.from(name, 'latin1')}`);
      }
      const tree = git(root, 'write-tree').trim();
      return git(root, 'commit-tree', '-m', 'mixed', ...parent, tree).trim();
    } finally {
      vi.unstubAllEnvs();
    }
  };
  const first = rewritten(from, 0, []);
  return [first, rewritten(to, 1, ['-p', first])];
}

/** Small commits with one parent, spread over the history. */
function commitsOf(source: string): (readonly [string, string])[] {
  const all = git(source, 'rev-list', '--all', '--no-merges', '--parents', '--max-count=2000').split('\n');
  const found: (readonly [string, string])[] = [];
  const step = Math.max(1, Math.floor(all.length / (COMMITS * 3)));
  for (let at = 0; at < all.length && found.length < COMMITS; at += step) {
    const [to, from] = (all[at] ?? '').split(' ');
    if (to === undefined || from === undefined) continue;
    const diff = git(source, 'diff', '--raw', from, to);
    const isSmall = diff.split('\n').length <= FILES_MAX && !/ 160000 |:160000/.test(diff);
    if (isSmall && diff !== '' && git(source, 'diff', from, to).length < DIFF_MAX_CHARACTERS)
      found.push([from, to]);
  }
  return found;
}

const counts = { commits: 0, hunks: 0, rejected: 0, aside: 0 };
afterAll(() => console.log(`histories: ${JSON.stringify(counts)}`));

async function replay(root: string, state: State, made: readonly [string, string], random: () => number) {
  const pair = state === 'mixed line ends' ? withMixedEnds(root, made) : made;
  const head = goTo(root, state, pair);
  const files = changedFiles(root, pair[0], pair[1]);
  if (state === 'staged and edited') edit(root, files, random);
  const before = [git(root, 'ls-files', '-s'), readTree(root)];
  const home = makeFolder();
  const reviews = openTestReviews(home);
  try {
    const source = isStaged(state)
      ? ({ kind: 'index' } as const)
      : ({ kind: 'working_tree', against: 'head' } as const);
    const published = await reviews.publishFrom({ target: root, source });
    if (!published.ok) return expect(published.error.message).toMatch(/nothing to review/);
    const { id, hunks } = published.value;
    expect([git(root, 'ls-files', '-s'), readTree(root)]).toEqual(before);
    const rejected = new Set<string>();
    for (const hunk of hunks.toSorted(() => random() - 0.5)) {
      const action = random() < 0.5 ? 'reject' : 'accept';
      must(await reviews.decide({ suggestion: id, hunk: hunk.id, action, acceptSelfRunning: true }));
      if (action === 'reject') rejected.add(hunk.id);
    }
    const expected = blobsOf(root, head);
    const committed = new Map(expected);
    const after = blobsOf(root, pair[1]);
    for (const file of files) {
      const own = hunks.filter((hunk) => hunk.file === file.newPath || hunk.file === file.oldPath);
      const isHere = own.length > 0 || state !== 'sparse';
      if (!isHere) continue;
      expected.delete(file.oldPath);
      const kept = own.length > 0 ? expectedOf(root, file, own, rejected) : afterOf(after, file);
      for (const [name, entry] of kept) expected.set(name, entry);
      if (own.length === 0) counts.aside += 1;
      else {
        committed.delete(file.oldPath);
        for (const [name, entry] of kept) committed.set(name, entry);
      }
    }
    const found = isStaged(state) ? blobsOf(root, git(root, 'write-tree').trim()) : keptOf(root);
    for (const tree of [expected, found]) tree.delete(SUBMODULE);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    must(await reviews.step({ suggestion: id, hunk: 'all' }, 'undo'));
    expect([git(root, 'ls-files', '-s'), readTree(root)]).toEqual(before);
    for (const { id: hunk } of hunks) {
      const action = rejected.has(hunk) ? 'reject' : 'accept';
      must(await reviews.decide({ suggestion: id, hunk, action, acceptSelfRunning: true }));
    }
    if (rejected.size < hunks.length)
      must(await reviews.finish({ suggestion: id, how: 'finalize', commit: true, sandbox: 'keep' }));
    const tree = blobsOf(root, 'HEAD');
    for (const one of [committed, tree]) one.delete(SUBMODULE);
    expect(Object.fromEntries(tree)).toEqual(Object.fromEntries(committed));
    counts.commits += 1;
    counts.hunks += hunks.length;
    counts.rejected += rejected.size;
  } finally {
    reviews.close();
    removeTree(home);
  }
}

/** Left out of the review: must be unchanged. */
const afterOf = (after: ReadonlyMap<string, string>, { newPath }: FileDiff) =>
  new Map([...after].filter(([name]) => name === newPath));

describe.each(SOURCES)('%s', (source) => {
  test.each(STATES)('%s', async (state) => {
    const random = randomOf(state.length * 7 + source.length);
    const root = cloneOf(source, state);
    try {
      for (const pair of commitsOf(source)) {
        try {
          await replay(root, state, pair, random);
        } catch (thrown) {
          throw new Error(
            `${pair[0]}..${pair[1]}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
          );
        }
      }
    } finally {
      removeTree(root);
    }
  });
});
