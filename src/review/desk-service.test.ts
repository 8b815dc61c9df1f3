import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../test/helpers/git-fixture.ts';
import { numbers, PATCH, testDesk } from '../../test/helpers/test-desk.ts';
import { type IntentPaint, intentPaintSchema, intentSchema } from '../protocol/intent.ts';

const stage = testDesk();

/** Creates a repository whose user may commit, whoever runs the tests. */
function initAsSomebody(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'config', 'user.name', 'Somebody');
  git(folder, 'config', 'user.email', 'somebody@example.org');
}

describe('the desk of a suggestion', () => {
  it('paints before it writes, decides a burst in order, and answers after writing', async () => {
    const paints: IntentPaint[] = [];
    await stage.intend({ kind: 'mark', hunk: stage.ids[0] ?? '' });
    const results = ['accept', 'reject', 'accept'].map((kind) =>
      stage.desk.intend(
        { suggestion: stage.suggestion, intent: intentSchema.parse({ kind }), confirmed: null },
        { client: 'me', once: null, onEarly: (paint) => void paints.push(intentPaintSchema.parse(paint)) },
      ),
    );
    expect(paints.map(({ mark }) => mark)).toEqual([stage.ids[1], stage.ids[2], stage.ids[2]]);
    expect(stage.file('a.txt')).toBe(numbers(30));
    const last = (await Promise.all(results)).at(-1);
    expect(await stage.statuses()).toEqual(['accepted', 'rejected', 'accepted']);
    expect(last).toMatchObject({ ok: true, value: { kind: 'done', complete: true, words: null } });
    expect(stage.file('a.txt')).toContain('two and a half');
    expect(stage.file('b.txt')).toBe('one\n2\n3\n');
  });

  it('undoes a joint accept with one undo, even after a takeover', async () => {
    const asked = await stage.intend({ kind: 'accept_all' });
    expect(asked).toMatchObject({ kind: 'asked', question: 'Accept 3 open hunks?' });
    expect((await stage.intend({ kind: 'accept_all' }, asked.revision)).words).toBe('Accepted 3 hunks');
    stage.desk = stage.reviews.desk();
    expect((await stage.intend({ kind: 'undo' }, null, 'another')).words).toBe('3 decisions undone');
    expect([stage.file('a.txt'), stage.file('b.txt')]).toEqual([numbers(30), numbers(3)]);
    stage.desk = stage.reviews.desk();
    expect((await stage.intend({ kind: 'redo' })).words).toBe('3 decisions redone');
    expect(await stage.statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('keeps each undo list in order across a takeover', async () => {
    for (const _ of stage.ids) await stage.intend({ kind: 'accept' });
    await stage.intend({ kind: 'undo' });
    stage.desk = stage.reviews.desk();
    await stage.intend({ kind: 'undo', hunk: stage.ids[2] ?? '' });
    expect(await stage.statuses()).toEqual(['accepted', 'pending', 'pending']);
    await stage.intend({ kind: 'redo' });
    await stage.intend({ kind: 'redo' });
    expect(await stage.statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('accepts all only as seen: later decisions count as seen if made by the same client', async () => {
    const asked = await stage.intend({ kind: 'accept_all' });
    await stage.intend({ kind: 'reject' }, null, 'another');
    const refused = await stage.intend({ kind: 'accept_all' }, asked.revision);
    expect(refused).toMatchObject({ kind: 'refused', problem: { hint: 'Look at it again.' } });
    expect(await stage.statuses()).toEqual(['rejected', 'pending', 'pending']);
    const again = await stage.intend({ kind: 'accept_all' });
    await stage.intend({ kind: 'reject', hunk: stage.ids[1] ?? '' });
    expect(await stage.intend({ kind: 'accept_all' }, again.revision)).toMatchObject({ kind: 'done' });
    expect(await stage.statuses()).toEqual(['rejected', 'rejected', 'accepted']);
  });

  it('tells the second of two clients who decide on a hunk at once', async () => {
    const hunk = stage.ids[0] ?? '';
    const [first, second] = await Promise.all([
      stage.intend({ kind: 'accept', hunk, seen: 'pending' }, null, 'nvim/7'),
      stage.intend({ kind: 'reject', hunk, seen: 'pending' }),
    ]);
    expect(first.kind).toBe('done');
    expect(second).toMatchObject({
      kind: 'refused',
      problem: { message: 'Neovim has accepted this hunk meanwhile; nothing was done.' },
      mark: hunk,
    });
    expect(await stage.statuses()).toEqual(['accepted', 'pending', 'pending']);
  });

  it('learns of decisions made elsewhere', async () => {
    await stage.intend({ kind: 'next' });
    await stage.reviews.decide({ suggestion: stage.suggestion, hunk: stage.ids[0] ?? '', action: 'reject' });
    const refused = await stage.intend({ kind: 'accept', hunk: stage.ids[0] ?? '', seen: 'pending' });
    expect(refused.problem?.message).toBe('Somebody has rejected this hunk meanwhile; nothing was done.');
  });

  it('counts lines as shown in the diff, even in a part', async () => {
    const cut = await stage.intend({ kind: 'accept', lines: { first: 3, last: 3 } });
    expect(stage.file('a.txt')).toMatch(/^1\n2\ntwo\n3\n/);
    const parts = (await stage.reviews.service.show({ suggestion: stage.suggestion, file: 'a.txt' })) as {
      value: { hunks: { id: string }[] };
    };
    const rest = parts.value.hunks.find(({ id }) => id !== cut.mark)?.id ?? '';
    expect(await stage.intend({ kind: 'accept', hunk: rest, lines: { first: 3, last: 3 } })).toMatchObject({
      kind: 'done',
    });
    expect(stage.file('a.txt')).toMatch(/^1\n2\ntwo\ntwo and a half\n3\n/);
    await stage.intend({ kind: 'undo' });
    await stage.intend({ kind: 'undo' });
    expect(stage.file('a.txt')).toBe(numbers(30));
  });

  it('splits at the change under the cursor, and says if there is nothing to split', async () => {
    expect((await stage.intend({ kind: 'split', hunk: stage.ids[1] ?? '', at: 2 })).words).toMatch(
      /one change already/,
    );
    expect(
      (await stage.intend({ kind: 'split', hunk: stage.ids[0] ?? '', lines: { first: 3, last: 3 } })).words,
    ).toBe('Split into 2 parts');
    expect(await stage.intend({ kind: 'join' })).toMatchObject({ words: 'One hunk again' });
  });

  it('says what the engine refused, and marks the hunk again', async () => {
    await stage.intend({ kind: 'next' });
    writeFileSync(path.join(stage.target, 'b.txt'), 'something else\n');
    const refused = await stage.intend({ kind: 'accept', hunk: stage.ids[2] ?? '' });
    expect(refused).toMatchObject({ kind: 'refused', mark: stage.ids[2], hunks: [{ status: 'conflict' }] });
    expect(stage.file('b.txt')).toBe('something else\n');
  });

  it('does not accept a hunk whose three-way merge has conflicts', async () => {
    writeFileSync(path.join(stage.target, 'a.txt'), numbers(30).replace('3\n', 'three\n'));
    const refused = await stage.intend({ kind: 'accept' });
    expect(refused).toMatchObject({ kind: 'refused', mark: stage.ids[0] });
    expect(stage.file('a.txt')).toMatch(/^1\n2\nthree\n/);
  });

  it('offers to commit and to push accepted changes, the last choice first', async () => {
    initAsSomebody(stage.target);
    git(stage.target, 'add', '-A');
    git(stage.target, 'commit', '-q', '-m', 'base');
    expect((await stage.intend({ kind: 'finish' })).ways).toBeUndefined();
    await stage.intend({ kind: 'accept' });
    const asked = await stage.intend({ kind: 'finish' });
    expect(asked.ways?.map(({ sync }) => sync)).toEqual(['keep', 'commit', 'push']);
    const ended = await stage.intend({ kind: 'finish', sync: 'commit' }, asked.revision);
    expect([ended.suggestion?.status, ended.notes]).toEqual(['finalized', []]);
    expect(git(stage.target, 'log', '-1', '--format=%s', '--name-only')).toContain('a.txt');
    await stage.intend({ kind: 'reopen' });
    const again = await stage.intend({ kind: 'finish' });
    expect(again.ways?.map(({ sync }) => sync)).toEqual(['commit', 'keep', 'push']);
    expect(again.question).toContain('commit what was accepted?');
  });

  it('does not count a review with nothing accepted as a choice of how to finish', async () => {
    initAsSomebody(stage.target);
    git(stage.target, 'add', '-A');
    git(stage.target, 'commit', '-q', '-m', 'base');
    await stage.intend({ kind: 'accept' });
    const asked = await stage.intend({ kind: 'finish' });
    await stage.intend({ kind: 'finish', sync: 'commit' }, asked.revision);
    for (const how of ['finish', 'accept'] as const) {
      const published = await stage.reviews.publish(stage.target, PATCH.replaceAll('one', how));
      if (!published.ok) throw new Error(published.error.message);
      stage.suggestion = published.value.id;
      if (how === 'finish') await stage.intend({ kind: 'finish' }, published.value.revision);
    }
    await stage.intend({ kind: 'accept', hunk: (await stage.shownIds()).at(-1) ?? null });
    expect((await stage.intend({ kind: 'finish' })).ways?.map(({ sync }) => sync)).toEqual([
      'commit',
      'keep',
      'push',
    ]);
  });

  it('asks before it ends a review, and can reopen it', async () => {
    await stage.intend({ kind: 'accept' });
    const asked = await stage.intend({ kind: 'finish' });
    expect(asked.question).toBe('Finish the review? What was accepted stays. 2 hunks stay undecided.');
    const ended = await stage.intend({ kind: 'finish' }, asked.revision);
    expect([ended.words, ended.suggestion?.status]).toEqual(['Review completed', 'finalized']);
    expect((await stage.intend({ kind: 'accept' })).words).toBe('This suggestion is finalized');
    expect((await stage.intend({ kind: 'reopen' })).suggestion?.status).toBe('partial');
    await stage.intend({ kind: 'accept' });
    expect(await stage.statuses()).toEqual(['accepted', 'accepted', 'pending']);
  });

  it('does a request only once when it is repeated after a lost answer', async () => {
    await stage.intend({ kind: 'accept' });
    await stage.intend({ kind: 'accept' });
    const [first, again] = await Promise.all([
      stage.intend({ kind: 'undo' }, null, 'me', 'me/1'),
      stage.intend({ kind: 'undo' }, null, 'me', 'me/1'),
    ]);
    expect(again.revision).toBe(first.revision);
    stage.desk = stage.reviews.desk();
    expect(await stage.intend({ kind: 'undo' }, null, 'me', 'me/1')).toMatchObject({ kind: 'done' });
    expect(await stage.statuses()).toEqual(['accepted', 'pending', 'pending']);
  });
});
