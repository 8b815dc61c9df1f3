import { describe, expect, it } from 'vitest';
import { Table, THREE, tableDesk } from '../../../test/helpers/desk-table.ts';
import type { IntentParams } from '../../protocol/intent.ts';
import { redoTarget, STEPS_MAX, undoTarget, withStep } from './steps.ts';

describe('undo', () => {
  it.each([
    ['one decision', THREE, [{ kind: 'accept' }], 1, 'a=pending b=pending c=pending', 'a', null],
    [
      'a whole file, as one action',
      THREE,
      [{ kind: 'accept_file' }],
      1,
      'a=pending b=pending c=pending',
      'a',
      '2 decisions undone',
    ],
    [
      'the last of two actions',
      THREE,
      [{ kind: 'accept_file' }, { kind: 'reject' }],
      1,
      'a=accepted b=accepted c=pending',
      'c',
      null,
    ],
    [
      'both, one after the other',
      THREE,
      [{ kind: 'accept_file' }, { kind: 'reject' }],
      2,
      'a=pending b=pending c=pending',
      'a',
      '2 decisions undone',
    ],
  ] as [string, string, IntentParams[], number, string, string, string | null][])(
    'undoes %s',
    (_, hunks, intents, times, shown, mark, words) => {
      const table = new Table(hunks);
      for (const intent of intents) table.do(intent);
      let said: string | null = null;
      for (let at = 0; at < times; at += 1) said = table.do({ kind: 'undo' });
      expect([table.shown(), table.marks.me, said]).toEqual([shown, mark, words]);
      const before = table.shown();
      table.do({ kind: 'redo' });
      expect(table.shown()).not.toBe(before);
    },
  );

  it('undoes a joint accept with one key', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept_all' }, { confirmed: 4 });
    expect(table.do({ kind: 'undo' })).toBe('3 decisions undone');
    expect(table.shown()).toBe('a=pending b=pending c=pending');
    expect(table.do({ kind: 'redo' })).toBe('3 decisions redone');
  });

  it('undoes the marked decision if it is not part of the last action', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept_file' });
    table.do({ kind: 'reject' });
    table.do({ kind: 'undo', hunk: 'b' });
    expect(table.shown()).toBe('a=accepted b=pending c=rejected');
    table.do({ kind: 'redo' });
    expect(table.shown()).toBe('a=accepted b=accepted c=rejected');
  });

  it('undoes a pending action', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'accept' });
    table.plan({ kind: 'undo' });
    expect([table.shown(), table.marks.me]).toEqual(['a=pending b=pending c=pending', 'a']);
    table.land();
    table.land();
    expect(table.shown()).toBe('a=pending b=pending c=pending');
    expect(redoTarget(table.desk, 'me')?.hunks).toEqual(['a']);
  });

  it('finds out in time which hunks pending lines belong to', () => {
    const table = new Table('a');
    table.plan({ kind: 'accept', lines: { first: 1, last: 1 } });
    const undo = table.plan({ kind: 'undo' });
    expect(undo).toMatchObject({ kind: 'act', command: { kind: 'step', step: '1', hunks: [] } });
    table.land(() => true, ['p:accepted<a']);
    expect(table.desk.undone).toMatchObject([{ id: '1', hunks: ['p'] }]);
  });

  it('can be retried after a refusal', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.plan({ kind: 'undo' });
    table.refuse();
    expect(undoTarget(table.desk, 'me', null)).toMatchObject({ step: { hunks: ['a'] } });
  });

  it('drops redo steps after a new decision of the same client', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.do({ kind: 'undo' });
    table.do({ kind: 'reject' });
    expect(table.do({ kind: 'redo' })).toBe('Nothing was undone here');
  });

  it('undoes everything, and redoes it as one action', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.do({ kind: 'accept' });
    expect(table.do({ kind: 'undo_all' }, { confirmed: 4 })).toBe('2 decisions undone');
    expect(table.do({ kind: 'undo' })).toBe('There is no decision to undo');
    expect(table.plan({ kind: 'redo' })).toMatchObject({ command: { kind: 'step_all', direction: 'redo' } });
  });

  it('skips a step that somebody else has undone', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.do({ kind: 'accept' });
    table.desk = {
      ...table.desk,
      hunks: table.desk.hunks.map((one) => (one.id === 'b' ? { ...one, status: 'pending' } : one)),
    };
    table.do({ kind: 'undo', hunk: 'c' });
    expect(table.shown()).toBe('a=pending b=pending c=pending');
  });

  it('is bounded', () => {
    const step = (id: string) => ({ id, client: 'me', hunks: ['a'] });
    let desk = tableDesk('a');
    for (let at = 0; at <= STEPS_MAX; at += 1) desk = withStep(desk, step(`${at}`));
    expect([desk.done.length, desk.done[0]?.id]).toEqual([STEPS_MAX, '1']);
  });
});

describe('two clients', () => {
  it('notifies the second one, and does nothing', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'reject', seen: 'pending' }, { client: 'Neovim' });
    expect(table.do({ kind: 'accept', hunk: 'a', seen: 'pending' })).toBe(
      'Neovim has rejected this hunk meanwhile; nothing was done.',
    );
    table.land();
    expect(table.shown()).toBe('a=rejected b=pending c=pending');
  });

  it('accepts the same decision from both', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept', seen: 'pending' }, { client: 'Neovim' });
    expect(table.do({ kind: 'accept', hunk: 'a', seen: 'pending' })).toBe(
      'Neovim has accepted this hunk meanwhile',
    );
    expect(table.marks.me).toBe('b');
  });

  it('lets someone who has seen a decision change it', () => {
    const table = new Table(THREE);
    table.do({ kind: 'reject', seen: 'pending' }, { client: 'Neovim' });
    table.do({ kind: 'accept', hunk: 'a', seen: 'rejected' });
    expect(table.shown()).toBe('a=accepted b=pending c=pending');
  });

  it('lets a client change its decision faster than it is painted', () => {
    const table = new Table('a');
    table.plan({ kind: 'accept', seen: 'pending' });
    expect(table.plan({ kind: 'reject', hunk: 'a', seen: 'pending' }).kind).toBe('act');
  });

  it('undoes its own last action first, then those of others', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept', hunk: 'a' });
    table.do({ kind: 'reject', hunk: 'b' }, { client: 'Neovim' });
    table.do({ kind: 'undo', hunk: 'c' });
    expect(table.shown()).toBe('a=pending b=rejected c=pending');
    table.do({ kind: 'undo', hunk: 'c' });
    expect(table.shown()).toBe('a=pending b=pending c=pending');
  });

  it('keeps a mark for each', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'next' }, { client: 'Neovim' });
    table.plan({ kind: 'accept' });
    expect(table.marks).toEqual({ Neovim: 'b', me: 'b' });
    table.plan({ kind: 'next' }, { client: 'Neovim' });
    expect(table.marks).toEqual({ Neovim: 'c', me: 'b' });
  });
});
