import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { openTestReviews, type TestReviews } from '../../test/helpers/review-service.ts';
import { type CommandParams, commands } from '../protocol/command.ts';
import { type IntentPaint, type IntentParams, intentPaintSchema, intentSchema } from '../protocol/intent.ts';
import type { DeskService } from './desk-service.ts';

/** Three hunks in two files. */
const PATCH = `--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,4 @@
 1
-2
+two
+two and a half
 3
@@ -20,3 +21,3 @@
 20
-21
+XXI
 22
--- a/b.txt
+++ b/b.txt
@@ -1,2 +1,2 @@
-1
+one
 2
`;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('');

let root: string;
let target: string;
let reviews: TestReviews;
let desk: DeskService;
let suggestion: string;
let ids: readonly string[];

beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'copane-desk-'));
  target = path.join(root, 'target');
  mkdirSync(target);
  writeFileSync(path.join(target, 'a.txt'), numbers(30));
  writeFileSync(path.join(target, 'b.txt'), numbers(3));
  reviews = openTestReviews(path.join(root, 'state'));
  desk = reviews.desk();
  const published = await reviews.publish(target, PATCH);
  if (!published.ok) throw new Error(published.error.message);
  suggestion = published.value.id;
  ids = published.value.hunks.map(({ id }) => id);
});
afterEach(() => {
  reviews.close();
  rmSync(root, { recursive: true, force: true });
});

const file = (name: string) => readFileSync(path.join(target, name), 'utf8');

async function intend(
  params: IntentParams,
  confirmed: number | null = null,
  client = 'me',
  name: string | null = null,
) {
  const paints: IntentPaint[] = [];
  const onEarly = (paint: unknown) => void paints.push(intentPaintSchema.parse(paint));
  const caller = { client, once: name, onEarly };
  const result = await desk.intend({ suggestion, intent: intentSchema.parse(params), confirmed }, caller);
  if (!result.ok) throw new Error(result.error.message);
  return { ...result.value, paints };
}

async function shownIds(): Promise<readonly string[]> {
  const shown = await reviews.service.show({ suggestion, file: null });
  return shown.ok ? shown.value.hunks.map(({ id }) => id) : [];
}

async function statuses(): Promise<readonly string[]> {
  const shown = await reviews.service.show({ suggestion, file: null });
  return shown.ok ? shown.value.hunks.map(({ status }) => status) : [shown.error.message];
}

/** Creates a repository whose user may commit, whoever runs the tests. */
function initAsSomebody(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'config', 'user.name', 'Somebody');
  git(folder, 'config', 'user.email', 'somebody@example.org');
}

describe('the desk of a suggestion', () => {
  it('paints before it writes, decides a burst in order, and answers after writing', async () => {
    const paints: IntentPaint[] = [];
    await intend({ kind: 'mark', hunk: ids[0] ?? '' });
    const results = ['accept', 'reject', 'accept'].map((kind) =>
      desk.intend(
        { suggestion, intent: intentSchema.parse({ kind }), confirmed: null },
        { client: 'me', once: null, onEarly: (paint) => void paints.push(intentPaintSchema.parse(paint)) },
      ),
    );
    expect(paints.map(({ mark }) => mark)).toEqual([ids[1], ids[2], ids[2]]);
    expect(file('a.txt')).toBe(numbers(30));
    const last = (await Promise.all(results)).at(-1);
    expect(await statuses()).toEqual(['accepted', 'rejected', 'accepted']);
    expect(last).toMatchObject({ ok: true, value: { kind: 'done', complete: true, words: null } });
    expect(file('a.txt')).toContain('two and a half');
    expect(file('b.txt')).toBe('one\n2\n3\n');
  });

  it('undoes a joint accept with one undo, even after a takeover', async () => {
    const asked = await intend({ kind: 'accept_all' });
    expect(asked).toMatchObject({ kind: 'asked', question: 'Accept 3 open hunks?' });
    expect((await intend({ kind: 'accept_all' }, asked.revision)).words).toBe('Accepted 3 hunks');
    desk = reviews.desk();
    expect((await intend({ kind: 'undo' }, null, 'another')).words).toBe('3 decisions undone');
    expect([file('a.txt'), file('b.txt')]).toEqual([numbers(30), numbers(3)]);
    desk = reviews.desk();
    expect((await intend({ kind: 'redo' })).words).toBe('3 decisions redone');
    expect(await statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('keeps each undo list in order across a takeover', async () => {
    for (const _ of ids) await intend({ kind: 'accept' });
    await intend({ kind: 'undo' });
    desk = reviews.desk();
    await intend({ kind: 'undo', hunk: ids[2] ?? '' });
    expect(await statuses()).toEqual(['accepted', 'pending', 'pending']);
    await intend({ kind: 'redo' });
    await intend({ kind: 'redo' });
    expect(await statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('accepts all only as seen: later decisions count as seen if made by the same client', async () => {
    const asked = await intend({ kind: 'accept_all' });
    await intend({ kind: 'reject' }, null, 'another');
    const refused = await intend({ kind: 'accept_all' }, asked.revision);
    expect(refused).toMatchObject({ kind: 'refused', problem: { hint: 'Look at it again.' } });
    expect(await statuses()).toEqual(['rejected', 'pending', 'pending']);
    const again = await intend({ kind: 'accept_all' });
    await intend({ kind: 'reject', hunk: ids[1] ?? '' });
    expect(await intend({ kind: 'accept_all' }, again.revision)).toMatchObject({ kind: 'done' });
    expect(await statuses()).toEqual(['rejected', 'rejected', 'accepted']);
  });

  it('tells the second of two clients who decide on a hunk at once', async () => {
    const hunk = ids[0] ?? '';
    const [first, second] = await Promise.all([
      intend({ kind: 'accept', hunk, seen: 'pending' }, null, 'nvim/7'),
      intend({ kind: 'reject', hunk, seen: 'pending' }),
    ]);
    expect(first.kind).toBe('done');
    expect(second).toMatchObject({
      kind: 'refused',
      problem: { message: 'Neovim has accepted this hunk meanwhile; nothing was done.' },
      mark: hunk,
    });
    expect(await statuses()).toEqual(['accepted', 'pending', 'pending']);
  });

  it('learns of decisions made elsewhere', async () => {
    await intend({ kind: 'next' });
    await reviews.decide({ suggestion, hunk: ids[0] ?? '', action: 'reject' });
    const refused = await intend({ kind: 'accept', hunk: ids[0] ?? '', seen: 'pending' });
    expect(refused.problem?.message).toBe('Somebody has rejected this hunk meanwhile; nothing was done.');
  });

  it('counts lines as shown in the diff, even in a part', async () => {
    const cut = await intend({ kind: 'accept', lines: { first: 3, last: 3 } });
    expect(file('a.txt')).toMatch(/^1\n2\ntwo\n3\n/);
    const parts = (await reviews.service.show({ suggestion, file: 'a.txt' })) as {
      value: { hunks: { id: string }[] };
    };
    const rest = parts.value.hunks.find(({ id }) => id !== cut.mark)?.id ?? '';
    expect(await intend({ kind: 'accept', hunk: rest, lines: { first: 3, last: 3 } })).toMatchObject({
      kind: 'done',
    });
    expect(file('a.txt')).toMatch(/^1\n2\ntwo\ntwo and a half\n3\n/);
    await intend({ kind: 'undo' });
    await intend({ kind: 'undo' });
    expect(file('a.txt')).toBe(numbers(30));
  });

  it('splits at the change under the cursor, and says if there is nothing to split', async () => {
    expect((await intend({ kind: 'split', hunk: ids[1] ?? '', at: 2 })).words).toMatch(/one change already/);
    expect((await intend({ kind: 'split', hunk: ids[0] ?? '', lines: { first: 3, last: 3 } })).words).toBe(
      'Split into 2 parts',
    );
    expect(await intend({ kind: 'join' })).toMatchObject({ words: 'One hunk again' });
  });

  it('says what the engine refused, and marks the hunk again', async () => {
    await intend({ kind: 'next' });
    writeFileSync(path.join(target, 'b.txt'), 'something else\n');
    const refused = await intend({ kind: 'accept', hunk: ids[2] ?? '' });
    expect(refused).toMatchObject({ kind: 'refused', mark: ids[2], hunks: [{ status: 'conflict' }] });
    expect(file('b.txt')).toBe('something else\n');
  });

  it('does not accept a hunk whose three-way merge has conflicts', async () => {
    writeFileSync(path.join(target, 'a.txt'), numbers(30).replace('3\n', 'three\n'));
    const refused = await intend({ kind: 'accept' });
    expect(refused).toMatchObject({ kind: 'refused', mark: ids[0] });
    expect(file('a.txt')).toMatch(/^1\n2\nthree\n/);
  });

  it('offers to commit and to push accepted changes, the last choice first', async () => {
    initAsSomebody(target);
    git(target, 'add', '-A');
    git(target, 'commit', '-q', '-m', 'base');
    expect((await intend({ kind: 'finish' })).ways).toBeUndefined();
    await intend({ kind: 'accept' });
    const asked = await intend({ kind: 'finish' });
    expect(asked.ways?.map(({ sync }) => sync)).toEqual(['keep', 'commit', 'push']);
    const ended = await intend({ kind: 'finish', sync: 'commit' }, asked.revision);
    expect([ended.suggestion?.status, ended.notes]).toEqual(['finalized', []]);
    expect(git(target, 'log', '-1', '--format=%s', '--name-only')).toContain('a.txt');
    await intend({ kind: 'reopen' });
    const again = await intend({ kind: 'finish' });
    expect(again.ways?.map(({ sync }) => sync)).toEqual(['commit', 'keep', 'push']);
    expect(again.question).toContain('commit what was accepted?');
  });

  it('does not count a review with nothing accepted as a choice of how to finish', async () => {
    initAsSomebody(target);
    git(target, 'add', '-A');
    git(target, 'commit', '-q', '-m', 'base');
    await intend({ kind: 'accept' });
    const asked = await intend({ kind: 'finish' });
    await intend({ kind: 'finish', sync: 'commit' }, asked.revision);
    for (const how of ['finish', 'accept'] as const) {
      const published = await reviews.publish(target, PATCH.replaceAll('one', how));
      if (!published.ok) throw new Error(published.error.message);
      suggestion = published.value.id;
      if (how === 'finish') await intend({ kind: 'finish' }, published.value.revision);
    }
    await intend({ kind: 'accept', hunk: (await shownIds()).at(-1) ?? null });
    expect((await intend({ kind: 'finish' })).ways?.map(({ sync }) => sync)).toEqual([
      'commit',
      'keep',
      'push',
    ]);
  });

  it('asks before it ends a review, and can reopen it', async () => {
    await intend({ kind: 'accept' });
    const asked = await intend({ kind: 'finish' });
    expect(asked.question).toBe('Finish the review? What was accepted stays. 2 hunks stay undecided.');
    const ended = await intend({ kind: 'finish' }, asked.revision);
    expect([ended.words, ended.suggestion?.status]).toEqual(['Review completed', 'finalized']);
    expect((await intend({ kind: 'accept' })).words).toBe('This suggestion is finalized');
    expect((await intend({ kind: 'reopen' })).suggestion?.status).toBe('partial');
    await intend({ kind: 'accept' });
    expect(await statuses()).toEqual(['accepted', 'accepted', 'pending']);
  });

  it('does a request only once when it is repeated after a lost answer', async () => {
    await intend({ kind: 'accept' });
    await intend({ kind: 'accept' });
    const [first, again] = await Promise.all([
      intend({ kind: 'undo' }, null, 'me', 'me/1'),
      intend({ kind: 'undo' }, null, 'me', 'me/1'),
    ]);
    expect(again.revision).toBe(first.revision);
    desk = reviews.desk();
    expect(await intend({ kind: 'undo' }, null, 'me', 'me/1')).toMatchObject({ kind: 'done' });
    expect(await statuses()).toEqual(['accepted', 'pending', 'pending']);
  });
});

describe('decisions of a script', () => {
  const script = { client: 'script', once: null };
  const decide = (params: Omit<CommandParams<'review/decide'>, 'suggestion'>) =>
    desk.decide(commands['review/decide'].params.parse({ suggestion, ...params }), script);

  it('undo and redo by one key on a screen, even after a takeover', async () => {
    expect(await decide({ hunk: 'all', action: 'accept' })).toMatchObject({ ok: true });
    expect((await intend({ kind: 'undo' })).words).toBe('3 decisions undone');
    expect(file('a.txt')).toBe(numbers(30));
    desk = reviews.desk();
    expect((await intend({ kind: 'redo' })).words).toBe('3 decisions redone');
    await decide({ hunk: ids[1] ?? '', action: 'reject', comment: 'no' });
    expect(await statuses()).toEqual(['accepted', 'rejected', 'accepted']);
    await intend({ kind: 'undo', hunk: ids[1] ?? '' });
    expect(await statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('undo what a screen has decided, and the screen can redo it', async () => {
    await intend({ kind: 'accept' });
    await intend({ kind: 'accept' });
    const undone = await desk.undo({ suggestion, hunk: ids[0] ?? '' }, script);
    expect(undone).toMatchObject({ value: { hunks: [{ status: 'pending' }] } });
    expect(await statuses()).toEqual(['pending', 'accepted', 'pending']);
    await intend({ kind: 'redo' });
    expect(await statuses()).toEqual(['accepted', 'accepted', 'pending']);
    await intend({ kind: 'undo' });
    await intend({ kind: 'undo' });
    expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
  });

  it('undo all and redo all are one step each', async () => {
    await intend({ kind: 'accept' });
    await decide({ hunk: ids[1] ?? '', action: 'reject' });
    for (const direction of ['undo', 'redo'] as const)
      expect(await desk[direction]({ suggestion, hunk: 'all' }, script)).toMatchObject({ ok: true });
    expect(await statuses()).toEqual(['accepted', 'rejected', 'pending']);
    await intend({ kind: 'mark', hunk: ids[2] ?? '' });
    for (const _ of ids) await intend({ kind: 'undo' });
    expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
  });

  /** Publishes a change of `c.txt`, and one in two steps: `a.txt` moves into a folder that `b.txt` makes room for. */
  async function publishTwoSteps(): Promise<void> {
    writeFileSync(path.join(target, 'c.txt'), numbers(3));
    const patch = `--- a/c.txt
+++ b/c.txt
@@ -1,2 +1,2 @@
-1
+one
 2
diff --git a/b.txt b/b.txt
deleted file mode 100644
--- a/b.txt
+++ /dev/null
@@ -1,3 +0,0 @@
-1
-2
-3
diff --git a/a.txt b/b.txt/a
similarity index 90%
rename from a.txt
rename to b.txt/a
--- a/a.txt
+++ b/b.txt/a
@@ -1,2 +1,2 @@
-1
+one
 2
`;
    const published = await reviews.publish(target, patch);
    if (!published.ok) throw new Error(published.error.message);
    suggestion = published.value.id;
    const hunk = published.value.hunks.find((one) => one.file === 'c.txt')?.id ?? '';
    expect(await decide({ hunk, action: 'accept' })).toMatchObject({ ok: true });
  }

  it('keep earlier decisions and nothing of the first step when the second is refused', async () => {
    await publishTwoSteps();
    writeFileSync(path.join(target, 'a.txt'), 'mine\n');
    expect(await decide({ hunk: 'every', action: 'accept' })).toMatchObject({ ok: false });
    expect((await statuses()).slice(0, 2)).toEqual(['accepted', 'pending']);
    expect([file('c.txt'), file('b.txt')]).toEqual(['one\n2\n3\n', numbers(3)]);
  });

  it('keep nothing of the first step when the second step of undo or redo is refused, and can be retried', async () => {
    await publishTwoSteps();
    expect(await decide({ hunk: 'every', action: 'accept' })).toMatchObject({ ok: true });
    const moved = () => readFileSync(path.join(target, 'b.txt/a'), 'utf8');
    const after = { said: await statuses(), a: moved() };
    await intend({ kind: 'undo' });
    const before = { said: await statuses(), a: file('a.txt'), b: file('b.txt') };
    expect(before).toMatchObject({ a: numbers(30), b: numbers(3) });

    writeFileSync(path.join(target, 'a.txt'), 'mine\n');
    expect(await intend({ kind: 'redo' })).toMatchObject({ kind: 'refused' });
    const open = before.said.with(-1, 'conflict');
    expect([file('a.txt'), file('b.txt'), await statuses()]).toEqual(['mine\n', before.b, open]);
    writeFileSync(path.join(target, 'a.txt'), before.a);
    expect(await intend({ kind: 'redo' })).toMatchObject({ kind: 'done' });
    expect({ said: await statuses(), a: moved() }).toEqual(after);

    writeFileSync(path.join(target, 'b.txt/other'), 'mine\n');
    expect(await intend({ kind: 'undo' })).toMatchObject({ kind: 'refused' });
    expect({ said: await statuses(), a: moved() }).toEqual(after);
    rmSync(path.join(target, 'b.txt/other'));
    expect(await intend({ kind: 'undo' })).toMatchObject({ kind: 'done' });
    expect({ said: await statuses(), a: file('a.txt'), b: file('b.txt') }).toEqual(before);
  });

  it('are reported to a screen that decides on the same hunk at once', async () => {
    await intend({ kind: 'next' });
    const hunk = ids[0] ?? '';
    const [scripted, keyed] = await Promise.all([
      decide({ hunk, action: 'reject' }),
      intend({ kind: 'accept', hunk, seen: 'pending' }),
    ]);
    expect(scripted.ok).toBe(true);
    expect(keyed.problem?.message).toMatch(/has rejected this hunk meanwhile; nothing was done/);
  });

  it('count lines as shown in the diff, even in a part', async () => {
    await decide({ hunk: ids[0] ?? '', action: 'accept', lines: { first: 3, last: 3 } });
    expect(file('a.txt')).toMatch(/^1\n2\ntwo\n3\n/);
    const shown = await reviews.service.show({ suggestion, file: 'a.txt' });
    const rest = shown.ok ? shown.value.hunks.find(({ status }) => status === 'pending') : undefined;
    expect(rest?.diff.split('\n')[3]).toBe('+two and a half');
    await decide({ hunk: rest?.id ?? '', action: 'accept', lines: { first: 3, last: 3 } });
    expect(file('a.txt')).toMatch(/^1\n2\ntwo\ntwo and a half\n3\n/);
  });

  it('are refused like by the engine: missing things, finished reviews, lines of many hunks', async () => {
    const lines = { first: 1, last: 1 };
    for (const [params, code] of [
      [{ hunk: 'x', action: 'accept' }, 'not_found'],
      [{ hunk: 'all', action: 'accept', lines }, 'invalid'],
      [{ hunk: ids[0] ?? '', action: 'accept', lines: { first: 90, last: 91 } }, 'invalid'],
    ] as const)
      expect(await decide(params)).toMatchObject({ ok: false, error: { code } });
    expect(await desk.undo({ suggestion: 'gone', hunk: 'all' }, script)).toMatchObject({
      ok: false,
      error: { code: 'not_found', message: 'Suggestion not found: gone' },
    });
    await reviews.finish({ suggestion, how: 'discard' });
    expect(await decide({ hunk: 'all', action: 'accept' })).toMatchObject({ error: { code: 'refused' } });
    expect((await intend({ kind: 'undo' })).words).toBe('This suggestion is discarded');
  });
});
