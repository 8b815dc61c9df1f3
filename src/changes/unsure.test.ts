/** Changes that may be yours are marked in the review of a turn, so that they are not taken back with the rest. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TurnWorld } from '../../test/helpers/turn-world.ts';
import type { Suggestion } from '../protocol/review.ts';
import { seenChanges } from './core/seen-changes.ts';
import type { FileText, TurnEdit } from './core/turn-edits.ts';
import { CLOCK_TICK_MS } from './snapshots/observer.ts';
import { turnPatch } from './turn-source.ts';

describe('a binary file of a step', () => {
  const raw = (byte: number) => ({ bytes: new Uint8Array([0, byte, 255]) });
  const edit = (by: TurnEdit['by'], before: FileText, after: FileText): TurnEdit => ({
    path: '/p/a',
    kind: 'edit',
    before,
    after,
    order: 1,
    at: 5_000,
    outcome: 'applied',
    source: 'step-tree',
    by,
    lineEnds: 'exact',
  });
  /** The review's note on the whole file. `isSeen`: the looks also have it. */
  function noteOf(isSeen: boolean, ...edits: readonly TurnEdit[]) {
    const turn = { turnId: 't', startedAt: 0, edits, commands: [], interrupted: false, rewound: false };
    const side = (byte: number) => ({ mode: 0o100644, ...raw(byte) });
    const step = { before: side(1), after: side(2), changedAt: 4_000, since: 0, seenAt: 9_000 };
    const files = isSeen ? [{ path: '/p/a', steps: [step] }] : [];
    const made = turnPatch('/p', seenChanges([turn], { files, gap: null }).files);
    return made.ok ? made.value.noteOn?.('a', null) : made.error.message;
  }

  it.each([true, false])('is the tool’s only if the record names a tool (looks: %s)', (isSeen) => {
    expect(noteOf(isSeen, edit('tool', raw(1), raw(2)))).toBeNull();
    expect(noteOf(isSeen, edit('unknown', raw(1), raw(2)))).toEqual({ kind: 'unsure' });
  });

  it('may be yours if something changed it between two edits', () => {
    const edits = [edit('tool', raw(1), raw(3)), { ...edit('tool', raw(4), raw(2)), order: 2 }];
    expect(noteOf(false, ...edits)).toEqual({ kind: 'unsure' });
  });
});

describe('in the review of a turn', () => {
  const TEN = Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join('');
  let world: TurnWorld;
  beforeEach(async () => {
    world = new TurnWorld({ 'a.txt': TEN, 'b.txt': TEN });
    await world.look();
  });
  afterEach(() => world.close());

  const shown = ({ hunks }: Pick<Suggestion, 'hunks'>) =>
    hunks.map(({ file, kind, warnings }) => [file, kind, ...warnings.map((one) => one.kind)]);

  it('the mode of a file is not the tool’s just because its lines are', async () => {
    const one = world.session('one');
    await one.begin();
    one.edit('a.txt', 2, 'by the tool');
    chmodSync(path.join(world.project, 'a.txt'), 0o755);
    await one.end();
    expect(shown(await world.review(one))).toEqual([
      ['a.txt', 'mode', 'unsure'],
      ['a.txt', 'text'],
    ]);
  });
  it.each([
    ['in another file', 'a.txt', false],
    ['beside it, making it part of a larger hunk', 'b.txt', false],
    ['elsewhere in its file', 'long.txt', false],
    ['in another file at once', 'a.txt', true],
    ['beside it at once', 'b.txt', true],
    ['elsewhere in its file at once', 'long.txt', true],
  ])(
    'a taken-back change does not belong to the next turn, which edits %s, and may still be yours in both',
    async (_, edited, isAtOnce) => {
      const long = 'before\n'.repeat(20);
      world.put('long.txt', `${long}${TEN}`);
      await world.look();
      const mine = edited === 'long.txt' ? edited : 'b.txt';
      const one = world.session('one');
      await one.begin();
      one.edit('a.txt', 2, 'by the tool');
      world.put(mine, world.held(mine).replace('line 5', 'by me'));
      await one.end();
      const first = await world.review(one);
      let at = 0;
      for (const { id } of first.hunks) {
        // Later than the stamp of the taken-back change.
        while (Date.now() < at + 2 * CLOCK_TICK_MS) await setImmediate();
        at = Date.now();
        await world.decide({ suggestion: first.id, hunk: id, action: 'reject' });
      }
      await one.begin(isAtOnce ? at : null);
      one.edit(edited, edited === 'long.txt' ? 2 : 7, 'by the tool');
      await one.end();
      expect((await world.review(one)).hunks.map(({ status }) => status)).toEqual(['pending']);
      const once = await world.review(one, 0);
      expect(once.hunks.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      const again = await world.review(one, 'all');
      const rejected = again.hunks.filter(({ status }) => status === 'rejected');
      expect(
        Object.fromEntries(shown({ hunks: rejected }).map(([file, , ...marks]) => [file, marks])),
      ).toEqual({
        'a.txt': [],
        [mine]: ['unsure'],
      });
      const undone = rejected.filter(({ file }) => file === mine).map(({ id }) => id);
      expect((await world.reviews.decisions.step(again.id, undone, 'undo')).ok).toBe(true);
      expect(await world.decide({ suggestion: again.id, hunk: 'all', action: 'reject' })).toMatchObject({
        ok: false,
      });
      expect(world.held(mine)).toContain('by me');
    },
  );
});
