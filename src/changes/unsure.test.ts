/** What may be yours is marked in the review of a turn, so that nothing takes it back with the rest. */
import { describe, expect, it } from 'vitest';
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
