import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { numbers, testDesk } from '../../test/helpers/test-desk.ts';
import { type CommandParams, commands } from '../protocol/command.ts';

const stage = testDesk();

describe('decisions of a script', () => {
  const script = { client: 'script', once: null };
  const decide = (params: Omit<CommandParams<'review/decide'>, 'suggestion'>) =>
    stage.desk.decide(
      commands['review/decide'].params.parse({ suggestion: stage.suggestion, ...params }),
      script,
    );

  it('undo and redo by one key on a screen, even after a takeover', async () => {
    expect(await decide({ hunk: 'all', action: 'accept' })).toMatchObject({ ok: true });
    expect((await stage.intend({ kind: 'undo' })).words).toBe('3 decisions undone');
    expect(stage.file('a.txt')).toBe(numbers(30));
    stage.desk = stage.reviews.desk();
    expect((await stage.intend({ kind: 'redo' })).words).toBe('3 decisions redone');
    await decide({ hunk: stage.ids[1] ?? '', action: 'reject', comment: 'no' });
    expect(await stage.statuses()).toEqual(['accepted', 'rejected', 'accepted']);
    await stage.intend({ kind: 'undo', hunk: stage.ids[1] ?? '' });
    expect(await stage.statuses()).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('undo what a screen has decided, and the screen can redo it', async () => {
    await stage.intend({ kind: 'accept' });
    await stage.intend({ kind: 'accept' });
    const undone = await stage.desk.undo({ suggestion: stage.suggestion, hunk: stage.ids[0] ?? '' }, script);
    expect(undone).toMatchObject({ value: { hunks: [{ status: 'pending' }] } });
    expect(await stage.statuses()).toEqual(['pending', 'accepted', 'pending']);
    await stage.intend({ kind: 'redo' });
    expect(await stage.statuses()).toEqual(['accepted', 'accepted', 'pending']);
    await stage.intend({ kind: 'undo' });
    await stage.intend({ kind: 'undo' });
    expect(await stage.statuses()).toEqual(['pending', 'pending', 'pending']);
  });

  it('undo all and redo all are one step each', async () => {
    await stage.intend({ kind: 'accept' });
    await decide({ hunk: stage.ids[1] ?? '', action: 'reject' });
    for (const direction of ['undo', 'redo'] as const)
      expect(
        await stage.desk[direction]({ suggestion: stage.suggestion, hunk: 'all' }, script),
      ).toMatchObject({ ok: true });
    expect(await stage.statuses()).toEqual(['accepted', 'rejected', 'pending']);
    await stage.intend({ kind: 'mark', hunk: stage.ids[2] ?? '' });
    for (const _ of stage.ids) await stage.intend({ kind: 'undo' });
    expect(await stage.statuses()).toEqual(['pending', 'pending', 'pending']);
  });

  /** Publishes a change of `c.txt`, and one in two steps: `a.txt` moves into a folder that `b.txt` makes room for. */
  async function publishTwoSteps(): Promise<void> {
    writeFileSync(path.join(stage.target, 'c.txt'), numbers(3));
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
    const published = await stage.reviews.publish(stage.target, patch);
    if (!published.ok) throw new Error(published.error.message);
    stage.suggestion = published.value.id;
    const hunk = published.value.hunks.find((one) => one.file === 'c.txt')?.id ?? '';
    expect(await decide({ hunk, action: 'accept' })).toMatchObject({ ok: true });
  }

  it('keep earlier decisions and nothing of the first step when the second is refused', async () => {
    await publishTwoSteps();
    writeFileSync(path.join(stage.target, 'a.txt'), 'mine\n');
    expect(await decide({ hunk: 'every', action: 'accept' })).toMatchObject({ ok: false });
    expect((await stage.statuses()).slice(0, 2)).toEqual(['accepted', 'pending']);
    expect([stage.file('c.txt'), stage.file('b.txt')]).toEqual(['one\n2\n3\n', numbers(3)]);
  });

  it('keep nothing of the first step when the second step of undo or redo is refused, and can be retried', async () => {
    await publishTwoSteps();
    expect(await decide({ hunk: 'every', action: 'accept' })).toMatchObject({ ok: true });
    const moved = () => readFileSync(path.join(stage.target, 'b.txt/a'), 'utf8');
    const after = { said: await stage.statuses(), a: moved() };
    await stage.intend({ kind: 'undo' });
    const before = { said: await stage.statuses(), a: stage.file('a.txt'), b: stage.file('b.txt') };
    expect(before).toMatchObject({ a: numbers(30), b: numbers(3) });

    writeFileSync(path.join(stage.target, 'a.txt'), 'mine\n');
    expect(await stage.intend({ kind: 'redo' })).toMatchObject({ kind: 'refused' });
    const open = before.said.with(-1, 'conflict');
    expect([stage.file('a.txt'), stage.file('b.txt'), await stage.statuses()]).toEqual([
      'mine\n',
      before.b,
      open,
    ]);
    writeFileSync(path.join(stage.target, 'a.txt'), before.a);
    expect(await stage.intend({ kind: 'redo' })).toMatchObject({ kind: 'done' });
    expect({ said: await stage.statuses(), a: moved() }).toEqual(after);

    writeFileSync(path.join(stage.target, 'b.txt/other'), 'mine\n');
    expect(await stage.intend({ kind: 'undo' })).toMatchObject({ kind: 'refused' });
    expect({ said: await stage.statuses(), a: moved() }).toEqual(after);
    rmSync(path.join(stage.target, 'b.txt/other'));
    expect(await stage.intend({ kind: 'undo' })).toMatchObject({ kind: 'done' });
    expect({ said: await stage.statuses(), a: stage.file('a.txt'), b: stage.file('b.txt') }).toEqual(before);
  });

  it('are reported to a screen that decides on the same hunk at once', async () => {
    await stage.intend({ kind: 'next' });
    const hunk = stage.ids[0] ?? '';
    const [scripted, keyed] = await Promise.all([
      decide({ hunk, action: 'reject' }),
      stage.intend({ kind: 'accept', hunk, seen: 'pending' }),
    ]);
    expect(scripted.ok).toBe(true);
    expect(keyed.problem?.message).toMatch(/has rejected this hunk meanwhile; nothing was done/);
  });

  it('count lines as shown in the diff, even in a part', async () => {
    await decide({ hunk: stage.ids[0] ?? '', action: 'accept', lines: { first: 3, last: 3 } });
    expect(stage.file('a.txt')).toMatch(/^1\n2\ntwo\n3\n/);
    const shown = await stage.reviews.service.show({ suggestion: stage.suggestion, file: 'a.txt' });
    const rest = shown.ok ? shown.value.hunks.find(({ status }) => status === 'pending') : undefined;
    expect(rest?.diff.split('\n')[3]).toBe('+two and a half');
    await decide({ hunk: rest?.id ?? '', action: 'accept', lines: { first: 3, last: 3 } });
    expect(stage.file('a.txt')).toMatch(/^1\n2\ntwo\ntwo and a half\n3\n/);
  });

  it('are refused like by the engine: missing things, finished reviews, lines of many hunks', async () => {
    const lines = { first: 1, last: 1 };
    for (const [params, code] of [
      [{ hunk: 'x', action: 'accept' }, 'not_found'],
      [{ hunk: 'all', action: 'accept', lines }, 'invalid'],
      [{ hunk: stage.ids[0] ?? '', action: 'accept', lines: { first: 90, last: 91 } }, 'invalid'],
    ] as const)
      expect(await decide(params)).toMatchObject({ ok: false, error: { code } });
    expect(await stage.desk.undo({ suggestion: 'gone', hunk: 'all' }, script)).toMatchObject({
      ok: false,
      error: { code: 'not_found', message: 'Suggestion not found: gone' },
    });
    await stage.reviews.finish({ suggestion: stage.suggestion, how: 'discard' });
    expect(await decide({ hunk: 'all', action: 'accept' })).toMatchObject({ error: { code: 'refused' } });
    expect((await stage.intend({ kind: 'undo' })).words).toBe('This suggestion is discarded');
  });
});
