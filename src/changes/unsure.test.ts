/** What may be yours is marked in the review of a turn, so that nothing takes it back with the rest. */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TurnWorld } from '../../test/helpers/turn-world.ts';
import { commands } from '../protocol/command.ts';
import { seenChanges } from './core/seen-changes.ts';
import type { FileText, TurnEdit } from './core/turn-edits.ts';
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
  /** What the review says of the whole file. `isSeen`: the looks have it, too. */
  function noteOf(isSeen: boolean, ...edits: readonly TurnEdit[]) {
    const turn = { turnId: 't', startedAt: 0, edits, commands: [], interrupted: false, rewound: false };
    const side = (byte: number) => ({ mode: 0o100644, ...raw(byte) });
    const step = { before: side(1), after: side(2), changedAt: 4_000, since: 0, seenAt: 9_000 };
    const files = isSeen ? [{ path: '/p/a', steps: [step] }] : [];
    const made = turnPatch('/p', seenChanges([turn], { files, gap: null }).files, 'a turn');
    return made.ok ? made.value.noteOn?.('a', null) : made.error.message;
  }

  it.each([true, false])('is the tool’s only where the record names a tool (looks: %s)', (isSeen) => {
    expect(noteOf(isSeen, edit('tool', raw(1), raw(2)))).toBeNull();
    expect(noteOf(isSeen, edit('unknown', raw(1), raw(2)))).toEqual({ kind: 'unsure' });
  });

  it('may be yours where something changed it between two edits', () => {
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

  async function review(session: ReturnType<TurnWorld['session']>) {
    const id = session.turns.at(-1) ?? '';
    const source = { kind: 'turn', session: session.ref, from: id, to: id } as const;
    const wanted = commands['review/publish'].params.parse({ target: world.project, source });
    const opened = await world.reviews.publish(wanted);
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value;
  }
  const shown = ({ hunks }: Pick<Awaited<ReturnType<typeof review>>, 'hunks'>) =>
    hunks.map(({ file, kind, warnings }) => [file, kind, ...warnings.map((one) => one.kind)]);

  it('the mode of a file is not the tool’s because its lines are', async () => {
    const one = world.session('one');
    await one.begin();
    one.edit('a.txt', 2, 'by the tool');
    chmodSync(path.join(world.project, 'a.txt'), 0o755);
    await one.end();
    expect(shown(await review(one))).toEqual([
      ['a.txt', 'mode', 'unsure'],
      ['a.txt', 'text'],
    ]);
  });
  it.each([
    ['in another file', 'a.txt'],
    ['beside it, so that it is a part of a larger hunk', 'b.txt'],
    ['elsewhere in its file', 'long.txt'],
  ])('what was taken back may still be yours in the next turn, which edits %s', async (_, edited) => {
    const long = 'before\n'.repeat(20);
    world.put('long.txt', `${long}${TEN}`);
    await world.look();
    const mine = edited === 'long.txt' ? edited : 'b.txt';
    const one = world.session('one');
    await one.begin();
    one.edit('a.txt', 2, 'by the tool');
    world.put(mine, world.held(mine).replace('line 5', 'by me'));
    await one.end();
    const first = await review(one);
    const decide = (more: object) =>
      world.reviews.decisions.decide(commands['review/decide'].params.parse(more));
    for (const { id } of first.hunks) await decide({ suggestion: first.id, hunk: id, action: 'reject' });
    await one.begin();
    one.edit(edited, edited === 'long.txt' ? 2 : 7, 'by the tool');
    await one.end();
    const again = await review(one);
    const rejected = again.hunks.filter(({ status }) => status === 'rejected');
    expect(Object.fromEntries(shown({ hunks: rejected }).map(([file, , ...marks]) => [file, marks]))).toEqual(
      {
        'a.txt': [],
        [mine]: ['unsure'],
      },
    );
    const undone = rejected.filter(({ file }) => file === mine).map(({ id }) => id);
    expect((await world.reviews.decisions.step(again.id, undone, 'undo')).ok).toBe(true);
    expect(await decide({ suggestion: again.id, hunk: 'all', action: 'reject' })).toMatchObject({
      ok: false,
    });
    expect(world.held(mine)).toContain('by me');
  });
});
