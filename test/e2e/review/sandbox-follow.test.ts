/** The sandbox follows the decisions: rejected hunks are removed, modified ones change there too, the rest stays. */
import { execFileSync } from 'node:child_process';
import { chownSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Suggestion } from '../../../src/protocol/review.ts';
import { countWaitingReviews } from '../../../src/store/waiting-reviews.ts';
import {
  git,
  makeFolder,
  makeRepository,
  putTree,
  readText,
  readTree,
  type Tree,
} from '../../helpers/git-fixture.ts';
import { removeTree } from '../../helpers/remove-tree.ts';
import { openTestReviews, type TestReviews } from '../../helpers/review-service.ts';
import { must } from '../../helpers/review-subject.ts';

const lines = (change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, i) => change[i] ?? `line ${i}\n`).join('');

let target = '';
let sandbox = '';
let state = '';
let reviews: TestReviews;

beforeEach(() => {
  target = makeRepository({ f: lines(), gone: 'g\n', old: lines(), 'd/e': 'e\n' });
  sandbox = makeFolder();
  git(sandbox, 'clone', '-q', target, '.');
  state = makeFolder();
  reviews = openTestReviews(state);
});
afterEach(() => {
  reviews.close();
  for (const folder of [target, sandbox, state]) removeTree(folder);
});

async function publish(work: Tree): Promise<Suggestion> {
  putTree(sandbox, work);
  return must(await reviews.publishFrom({ target, source: { kind: 'sandbox', folder: sandbox } }));
}
const decide = async (suggestion: string, hunk: string, action: 'accept' | 'reject') =>
  must(await reviews.decide({ suggestion, hunk, action }));
const step = async (suggestion: string, hunk: string, direction: 'undo' | 'redo') =>
  must(await reviews.step({ suggestion, hunk }, direction));

describe('hunks of one file', () => {
  const work = { 3: 'three\n', 14: 'fourteen\n', 25: 'twentyfive\n' };

  test('rejected: removed there; accepted: stays; undone: restored', async () => {
    const { id, hunks } = await publish({ f: lines(work) });
    expect(countWaitingReviews(path.join(state, 'copane.db'))).toBe(1);
    const [first, second] = hunks.map((hunk) => hunk.id);
    expect((await decide(id, first ?? '', 'reject')).notes).toEqual([]);
    await decide(id, second ?? '', 'accept');
    expect(readText(sandbox, 'f')).toBe(lines({ ...work, 3: 'line 3\n' }));
    expect(readText(target, 'f')).toBe(lines({ 14: 'fourteen\n' }));
    await step(id, first ?? '', 'undo');
    expect(readText(sandbox, 'f')).toBe(lines(work));
    await step(id, first ?? '', 'redo');
    expect(readText(sandbox, 'f')).toBe(lines({ ...work, 3: 'line 3\n' }));
  });

  test('modified: the same text on both sides, even if the target has changed', async () => {
    const { id, hunks } = await publish({ f: lines(work) });
    putTree(target, { f: `on top\n${lines()}` });
    const [, second] = hunks;
    const text = lines({ 14: 'as I want it\n' }).split('\n').slice(11, 18).join('\n').concat('\n');
    const modified = await reviews.decide({
      suggestion: id,
      hunk: second?.id ?? '',
      action: 'modify',
      modified: { kind: 'text', base64: Buffer.from(text).toString('base64') },
    });
    expect(must(modified).notes).toEqual([]);
    expect(readText(target, 'f')).toBe(`on top\n${lines({ 14: 'as I want it\n' })}`);
    expect(readText(sandbox, 'f')).toBe(lines({ ...work, 14: 'as I want it\n' }));
    await step(id, second?.id ?? '', 'undo');
    expect(readText(sandbox, 'f')).toBe(lines(work));
  });

  test('lines of a hunk, and the hunk as a whole again', async () => {
    const { id, hunks } = await publish({ f: lines({ 10: 'ten\n', 11: 'eleven\n' }) });
    const [hunk] = hunks;
    const body = (hunk?.diff ?? '').split('\n').slice(1);
    const line = body.indexOf('+eleven') + 1;
    const removed = body.indexOf('-line 11') + 1;
    must(
      await reviews.decide({
        suggestion: id,
        hunk: hunk?.id ?? '',
        action: 'reject',
        lines: { first: line, last: line },
      }),
    );
    expect(readText(sandbox, 'f')).toBe(lines({ 10: 'ten\n', 11: '' }));
    must(
      await reviews.decide({
        suggestion: id,
        hunk: hunk?.id ?? '',
        action: 'reject',
        lines: { first: removed, last: removed },
      }),
    );
    expect(readText(sandbox, 'f')).toBe(lines({ 10: 'ten\n' }));
    await step(id, 'all', 'undo');
    expect(readText(sandbox, 'f')).toBe(lines({ 10: 'ten\n', 11: 'eleven\n' }));
    must(await reviews.service.decisions.cut({ suggestion: id, hunk: hunk?.id ?? '' }, null));
    await decide(id, hunk?.id ?? '', 'reject');
    expect(readText(sandbox, 'f')).toBe(lines());
  });

  test('the AI has continued to work there: its new lines stay', async () => {
    const { id, hunks } = await publish({ f: lines(work) });
    putTree(sandbox, { f: `import x\n${lines({ ...work, 20: 'later\n' })}` });
    await decide(id, hunks[1]?.id ?? '', 'reject');
    expect(readText(sandbox, 'f')).toBe(`import x\n${lines({ ...work, 14: 'line 14\n', 20: 'later\n' })}`);
  });

  test('the AI has edited the same lines: they stay, with a message; never a guess', async () => {
    const { id, hunks } = await publish({ f: lines(work) });
    const edited = lines({ ...work, 14: 'fourteen, better\n' });
    putTree(sandbox, { f: edited });
    const { notes } = await decide(id, hunks[1]?.id ?? '', 'reject');
    expect(notes.join()).toMatch(/left.*f: its lines have been edited/);
    expect(reviews.told()).toMatchObject({ error: 'sync_failed', suggestion: id, message: notes.join(' ') });
    expect(readText(sandbox, 'f')).toBe(edited);
    await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(readText(sandbox, 'f')).toBe(lines({ 14: 'fourteen, better\n', 25: 'twentyfive\n' }));
  });
});

describe('whole files', () => {
  const work: Tree = {
    'n/new': 'n\n',
    gone: null,
    old: null,
    moved: lines({ 3: 'and edited\n' }),
    bin: '\x00\x01\x02',
    'd/e': { run: 'e\n' },
    l: { link: 'f' },
  };

  test('rejecting all resets the sandbox to its base; undo restores it', async () => {
    const base = readTree(sandbox);
    const { id } = await publish(work);
    const published = readTree(sandbox);
    const { notes } = await decide(id, 'all', 'reject');
    expect(notes).toEqual([]);
    expect(readTree(sandbox)).toEqual(base);
    expect(git(sandbox, 'status', '--porcelain')).toBe('');
    await step(id, 'all', 'undo');
    expect(readTree(sandbox)).toEqual(published);
  });

  test('discard with its sandbox: accepted hunks stay on both sides, the rest is removed there', async () => {
    const { id, hunks } = await publish(work);
    await decide(id, hunks.find(({ file }) => file === 'n/new')?.id ?? '', 'accept');
    must(await reviews.finish({ suggestion: id, how: 'discard', sandbox: 'revert' }));
    expect(git(sandbox, 'status', '--porcelain', '-uall')).toBe('?? n/new\n');
    expect(readText(target, 'n/new')).toBe('n\n');
  });
});

test('finalized with its sandbox reverted: it loses undecided hunks; if none can go, a message says so', async () => {
  const { id, hunks } = await publish({ f: lines({ 3: 'three\n', 14: 'fourteen\n' }) });
  await decide(id, hunks[0]?.id ?? '', 'accept');
  expect(must(await reviews.finish({ suggestion: id, how: 'finalize', sandbox: 'revert' })).notes).toEqual(
    [],
  );
  expect(readText(sandbox, 'f')).toBe(lines({ 3: 'three\n' }));
  const patch = Buffer.from('--- a/d/e\n+++ b/d/e\n@@ -1 +1 @@\n-e\n+E\n').toString('base64');
  const other = must(await reviews.publishFrom({ target, source: { kind: 'patch', patch } }));
  const ended = must(await reviews.finish({ suggestion: other.id, how: 'finalize', sandbox: 'revert' }));
  expect(ended.notes).toEqual([expect.stringMatching(/Nothing was reverted/)]);
});

test('one file that cannot be followed does not stop the others', async () => {
  const { id } = await publish({ f: lines({ 3: 'three\n' }), 'd/e': 'E\n', n: 'n\n' });
  rmSync(path.join(sandbox, 'd'), { recursive: true });
  putTree(sandbox, { d: 'a file now\n' });
  const { notes } = await decide(id, 'all', 'reject');
  expect(notes.join()).toMatch(/d\/e/);
  expect(readTree(sandbox)).toMatchObject({ f: lines(), d: 'a file now\n' });
  expect(readText(sandbox, 'n')).toBe(null);
});

test('discarding an earlier suggestion takes nothing from the current one', async () => {
  const first = await publish({ f: lines({ 3: 'three\n' }) });
  const second = await publish({ f: lines({ 3: 'three\n', 20: 'twenty\n' }) });
  expect(
    must(await reviews.finish({ suggestion: first.id, how: 'discard', sandbox: 'revert' })).notes,
  ).toEqual([]);
  expect(readText(sandbox, 'f')).toBe(lines({ 3: 'three\n', 20: 'twenty\n' }));
  must(await reviews.finish({ suggestion: second.id, how: 'discard', sandbox: 'revert' }));
  expect(readText(sandbox, 'f')).toBe(lines());
});

describe('a sandbox that cannot follow', () => {
  test('deleted: the decision holds, with a message; restored, it catches up', async () => {
    const { id, hunks } = await publish({ f: lines({ 3: 'three\n', 14: 'fourteen\n' }) });
    renameSync(sandbox, `${sandbox}.away`);
    const { notes } = await decide(id, hunks[0]?.id ?? '', 'reject');
    expect(notes.join()).toMatch(/is gone/);
    renameSync(`${sandbox}.away`, sandbox);
    await decide(id, hunks[1]?.id ?? '', 'reject');
    expect(readText(sandbox, 'f')).toBe(lines());
  });

  test.runIf(process.getuid?.() === 0)('of another user: left alone', async () => {
    putTree(sandbox, { f: lines({ 3: 'three\n' }) });
    chownSync(sandbox, 12_345, 12_345);
    const { id } = await publish({});
    await decide(id, 'all', 'reject');
    expect(readText(sandbox, 'f')).toBe(lines({ 3: 'three\n' }));
  });

  test('switched off: left alone', async () => {
    reviews.close();
    reviews = openTestReviews(state, { revertOnReject: false });
    const { id } = await publish({ f: lines({ 3: 'three\n' }) });
    await decide(id, 'all', 'reject');
    expect(readText(sandbox, 'f')).toBe(lines({ 3: 'three\n' }));
  });

  test('what a crash left undone is done at the next start', async () => {
    reviews.close();
    // Without following, a decision leaves the state of a crash between the two steps.
    reviews = openTestReviews(state, { revertOnReject: false });
    const { id } = await publish({ f: lines({ 3: 'three\n' }) });
    await decide(id, 'all', 'reject');
    reviews.close();
    reviews = openTestReviews(state);
    must(await reviews.service.show({ suggestion: id, file: null }));
    expect(readText(sandbox, 'f')).toBe(lines());
  });
});

test('a twin is invisible: one suggestion is listed, with only its own events', async () => {
  const { id } = await publish({ f: lines({ 3: 'three\n' }) });
  await decide(id, 'all', 'reject');
  expect(must(reviews.service.list({ target: null, ended: true })).map((one) => one.id)).toEqual([id]);
  expect(await reviews.service.show({ suggestion: `${id}.source`, file: null })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  });
});

test('a twin ends with its suggestion: nothing of it stays open', async () => {
  const { id } = await publish({ f: lines({ 3: 'three\n' }) });
  must(await reviews.finish({ suggestion: id, how: 'discard', sandbox: 'revert' }));
  expect(reviews.openRecords()).toEqual([]);
  expect(readText(sandbox, 'f')).toBe(lines());
});

test('random decisions in any order: the sandbox has what is not rejected, the target what is accepted', async () => {
  const places = [1, 10, 19, 28];
  const work = Object.fromEntries(places.map((place) => [place, `new ${place}\n`]));
  const { id, hunks } = await publish({ f: lines(work) });
  const acts = fc.array(
    fc.record({ hunk: fc.nat(places.length - 1), act: fc.constantFrom('accept', 'reject', 'undo', 'redo') }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      for (const { hunk, act } of sequence) {
        const named = hunks[hunk]?.id ?? '';
        if (act === 'accept' || act === 'reject') await decide(id, named, act);
        else await reviews.step({ suggestion: id, hunk: named }, act);
      }
      const now = must(await reviews.service.show({ suggestion: id, file: null }));
      const at = (statuses: readonly string[]) =>
        Object.fromEntries(
          places
            .filter((_, i) => statuses.includes(now.hunks[i]?.status ?? ''))
            .map((place) => [place, `new ${place}\n`]),
        );
      expect(readText(target, 'f')).toBe(lines(at(['accepted'])));
      expect(readText(sandbox, 'f')).toBe(lines(at(['accepted', 'pending'])));
    }),
    { seed: 7, numRuns: 12 },
  );
});

test('a link that leaves the sandbox is never followed', async () => {
  const outside = makeFolder();
  putTree(outside, { e: 'mine\n' });
  const { id } = await publish({ 'd/e': 'E\n' });
  rmSync(path.join(sandbox, 'd'), { recursive: true });
  execFileSync('ln', ['-s', outside, path.join(sandbox, 'd')]);
  const { notes } = await decide(id, 'all', 'reject');
  expect(notes.join()).toMatch(/links are not followed|left/);
  expect(readText(outside, 'e')).toBe('mine\n');
  rmSync(outside, { recursive: true });
});
