/** Texts that git calls binary (`-diff` in .gitattributes): how they are published, kept and restored. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestReviews, type TestReviews } from '../../../test/helpers/review-service.ts';
import { must } from '../../../test/helpers/review-subject.ts';
import { ok } from '../../lib/result.ts';
import { sha256 } from '../files/hash.ts';
import type { StoredBinary } from '../records/records.ts';
import { buildSubjects, keepSides, readPatch } from '../records/stored-patch.ts';

type Sides = Exclude<StoredBinary, { readonly problem: string }>;

let root: string;
let repository: string;
let reviews: TestReviews;

const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' });
const file = () => path.join(repository, 'a.txt');

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'copane-binary-texts-'));
  repository = path.join(root, 'r');
  mkdirSync(repository);
  git('init', '-q');
  git('config', 'user.email', 'a@example.com');
  git('config', 'user.name', 'a');
  reviews = openTestReviews(path.join(root, 'state'));
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
});

/** Commits `text` with these attributes, lets git write it, and changes it. */
function edit(
  attributes: string,
  text: string,
  change: (text: string) => string,
  config: readonly string[] = [],
) {
  if (config.length > 0) git('config', ...config);
  writeFileSync(path.join(repository, '.gitattributes'), `*.txt -diff ${attributes}\n`);
  writeFileSync(file(), text);
  git('add', '.');
  git('commit', '-qm', 'i');
  rmSync(file());
  git('checkout', '-q', '--', '.');
  const before = readFileSync(file(), 'latin1');
  writeFileSync(file(), change(before));
  return before;
}

it.each([
  ['eol=crlf', 'text eol=crlf', [], '1\n2\n'],
  ['autocrlf', '', ['core.autocrlf', 'true'], '1\n2\n'],
  ['ident', 'ident', [], '$Id$\n2\n'],
  ['no attribute', '', [], '1\n2\n'],
])(
  'rejecting a deletion restores the file as it was on disk, with %s',
  async (_, attributes, config, text) => {
    const before = edit(attributes, text, (same) => same, config);
    rmSync(file());
    const { id } = must(await reviews.publishFrom({ target: repository, source: { kind: 'working_tree' } }));
    must(await reviews.decide({ suggestion: id, hunk: 'all', action: 'reject' }));
    expect(readFileSync(file(), 'latin1')).toBe(before);
  },
);

it.each([
  ['eol=crlf', 'text eol=crlf', [], '1\n2\n3\n', /^@@.*\n 1\r\n-2\r\n\+two\r\n 3\r\n$/],
  ['autocrlf', '', ['core.autocrlf', 'true'], '1\n2\n3\n', /^@@.*\n 1\r\n-2\r\n\+two\r\n 3\r\n$/],
  ['ident', 'ident', [], '$Id$\n2\n3\n', /^@@.*\n \$Id: [0-9a-f]{40} \$\n-2\n\+two\n 3\n$/],
])(
  'reviews and restores the lines on disk where git stores others: %s',
  async (_, attributes, config, text, diff) => {
    const before = edit(attributes, text, (is) => is.replace('\n2', '\ntwo'), config);
    const source = { kind: 'working_tree' as const, against: 'head' as const };
    const published = await reviews.publishFrom({ target: repository, source });
    if (!published.ok) throw new Error(published.error.message);
    expect(published.value.hunks.map((hunk) => hunk.diff)).toEqual([expect.stringMatching(diff)]);
    const { id: suggestion, hunks } = published.value;
    const rejected = await reviews.decide({ suggestion, hunk: hunks[0]?.id ?? '', action: 'reject' });
    expect(rejected.ok).toBe(true);
    expect(readFileSync(file(), 'latin1')).toBe(before);
  },
);

it.each([
  ['CRLF', 'text eol=crlf', '1\r\ntwo\r\n3\r\n'],
  ['LF', '', '1\ntwo\n3\n'],
])('accepts a range into a file with %s', async (_, attributes, after) => {
  edit(attributes, '1\n2\n3\n', (is) => is.replace('2', 'two'));
  git('commit', '-qam', 'two');
  git('checkout', '-q', '-b', 'base', 'HEAD~');
  const source = { kind: 'range' as const, range: 'HEAD..HEAD@{1}' };
  const published = await reviews.publishFrom({ target: repository, source });
  if (!published.ok) throw new Error(published.error.message);
  expect(published.value.hunks).toMatchObject([{ kind: 'text', status: 'pending' }]);
  const { id: suggestion, hunks } = published.value;
  const accepted = await reviews.decide({ suggestion, hunk: hunks[0]?.id ?? '', action: 'accept' });
  expect(accepted.ok).toBe(true);
  expect(readFileSync(file(), 'latin1')).toBe(after);
});

it.each([
  ['was shown by its lines', 'one\n', 'text'],
  ['was too long for that', 'one\n'.repeat(70_000), 'binary'],
  ['was published before texts were shown so', null, 'binary'],
])('a change that %s keeps that form', async (_, text, kind) => {
  const kept = new Map<string, Uint8Array>();
  const blobs = {
    put: async (bytes: Uint8Array) => ok(kept.set(sha256([bytes]), bytes) && sha256([bytes])),
    get: async (hash: string) => ok(kept.get(hash) ?? new Uint8Array(0)),
  };
  const [old, updated] = [text ?? 'one\n', 'two\n'].map((side) => Buffer.from(side));
  const { byLines, ...sides } = must(await keepSides(old ?? null, updated ?? null, blobs)) as Sides;
  const patch = must(await readPatch(Buffer.from('diff --git a/f b/f\nBinary files a/f and b/f differ\n')));
  const binary = text === null || byLines === undefined ? sides : { ...sides, byLines };
  const facts = { selected: null, created: [], crlf: [], binaries: { 0: binary } };
  const [subject] = await buildSubjects(patch, facts, blobs);
  expect(subject?.changes.map((change) => change.kind)).toEqual([kind]);
});
