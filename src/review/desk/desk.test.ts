/**
 * The corpus for the reviewer's desk: known facts, the reviewer's intent, the expected result. Screens, Neovim and
 * scripts send the same intents, so no wire repeats these tests.
 */

import { describe, expect, it } from 'vitest';
import { Table, THREE } from '../../../test/helpers/desk-table.ts';
import { fail } from '../../lib/result.ts';
import type { IntentParams } from '../../protocol/intent.ts';
import type { DeskAct } from './desk-plan.ts';
import { refusalOf } from './settle.ts';

describe('one key', () => {
  it.each([
    [
      'accept paints its hunk and goes on to the next open one',
      THREE,
      [{ kind: 'accept' }],
      'a=accepted b=pending c=pending',
      'b',
    ],
    [
      'a burst of keys decides one hunk after another',
      THREE,
      [{ kind: 'accept' }, { kind: 'reject' }, { kind: 'accept' }],
      'a=accepted b=rejected c=accepted',
      'c',
    ],
    [
      'a hunk already so decided is skipped',
      'a:accepted b',
      [{ kind: 'accept' }],
      'a=accepted b=pending',
      'b',
    ],
    [
      'a hunk decided otherwise is decided again',
      'a:accepted b',
      [{ kind: 'reject' }],
      'a=rejected b=pending',
      'b',
    ],
    [
      'the next open one is found by wrapping around',
      'a b:rejected c',
      [{ kind: 'accept', hunk: 'c' }],
      'a=pending b=rejected c=accepted',
      'a',
    ],
    [
      'the mark stays when nothing is open',
      'a:accepted b',
      [{ kind: 'reject', hunk: 'b' }],
      'a=accepted b=rejected',
      'b',
    ],
    [
      'a file is decided at once',
      THREE,
      [{ kind: 'reject_file', hunk: 'b' }],
      'a=rejected b=rejected c=pending',
      'c',
    ],
    ['next and previous wrap around', THREE, [{ kind: 'previous' }], 'a=pending b=pending c=pending', 'c'],
    ['next includes decided hunks', 'a b:accepted', [{ kind: 'next' }], 'a=pending b=accepted', 'b'],
    ['next_open does not', 'a b:accepted c', [{ kind: 'next_open' }], 'a=pending b=accepted c=pending', 'c'],
    ['a conflict counts as open', 'a b:conflict', [{ kind: 'reject' }], 'a=rejected b=conflict', 'b'],
    [
      'marking a hunk as seen goes to the next unseen one',
      THREE,
      [{ kind: 'view', hunk: 'b', viewed: true }],
      'a=pending b=pending c=pending',
      'c',
    ],
    [
      'marking a hunk as not seen keeps the mark on it',
      THREE,
      [{ kind: 'view', hunk: 'b', viewed: false }],
      'a=pending b=pending c=pending',
      'b',
    ],
    [
      'the mark on a hunk that was split goes to its first part',
      'a b<x c<x',
      [{ kind: 'mark', hunk: 'x' }],
      'a=pending b=pending c=pending',
      'b',
    ],
    [
      'the mark on a hunk that is gone goes to the first open one',
      'a:accepted b',
      [{ kind: 'mark', hunk: 'x' }],
      'a=accepted b=pending',
      'b',
    ],
  ] as [string, string, IntentParams[], string, string][])('%s', (_, hunks, intents, shown, mark) => {
    const table = new Table(hunks);
    for (const intent of intents) table.plan(intent);
    expect([table.shown(), table.marks.me]).toEqual([shown, mark]);
    while (table.flying.length > 0) table.land();
    expect([table.shown(), table.marks.me]).toEqual([shown, mark]);
  });

  it.each([
    ['accept_file', 'a:accepted', {}, 'Every hunk of this file is already decided'],
    ['accept_all', 'a:accepted', {}, 'Every hunk is already decided'],
    ['accept_all', THREE, {}, 'Accept 3 open hunks?'],
    ['accept_file', 'a@.envrc b@.envrc', {}, 'Accept 2 open hunks of it? .envrc runs by itself.'],
    ['accept_all', 'a b@.envrc', {}, 'Accept 2 open hunks? .envrc runs by itself.'],
    ['accept_all', 'a b:accepted@.envrc', {}, 'Accept 1 open hunk?'],
    ['reject_all', 'a b@.envrc', {}, 'Reject 2 open hunks?'],
    ['reject_all', 'a', {}, 'Reject 1 open hunk?'],
    [
      'reject_all',
      'a b@mine.txt c@mine.txt',
      {},
      'Reject 3 open hunks? Changes of mine.txt may be yours. First accept the ones to keep.',
    ],
    ['reject_all', 'a b:accepted@mine.txt', {}, 'Reject 1 open hunk?'],
    ['accept_all', 'a b@mine.txt', {}, 'Accept 2 open hunks?'],
    [
      'reject_file',
      'a@mine.txt b@mine.txt',
      {},
      'Reject 2 open hunks of it? Changes of mine.txt may be yours. First accept the ones to keep.',
    ],
    ['undo', 'a', {}, 'There is no decision to undo'],
    ['redo', 'a', {}, 'Nothing was undone here'],
    ['undo_all', 'a', {}, 'Undo every decision on this suggestion?'],
    ['join', 'a', {}, 'This hunk was not split'],
    ['finish', 'a:accepted b', {}, 'Finish the review? What was accepted stays. 1 hunk stays undecided.'],
    ['finish', 'a b', {}, 'Finish the review? What was accepted stays. 2 hunks stay undecided.'],
    ['finish', 'a:accepted', {}, 'Finish the review? What was accepted stays.'],
    ['commit', 'a b:rejected', {}, 'Nothing is accepted: there is nothing to commit'],
    [
      'commit',
      'a:accepted b',
      {},
      'Commit what was accepted, and finish the review? Hooks run, and it is signed where that is set, as with "git commit". 1 hunk stays undecided.',
    ],
    ['discard', 'a', {}, 'Discard this suggestion? What was accepted stays, the rest is dropped.'],
    ['reopen', 'a', {}, 'This suggestion is open'],
    ['accept', 'a:conflict', {}, 'This hunk is in conflict: The hunk does not fit.'],
    ['accept', 'a:conflict', { mergeConflicts: 2 }, 'This hunk is in conflict: The hunk does not fit.'],
    [
      'accept',
      'a:conflict',
      { mergeConflicts: 0 },
      'The hunk does not fit as it is. Use the three-way merge, which has no conflict?',
    ],
    ['accept', '', {}, 'There are no hunks'],
  ] as const)('%s of "%s" %j: %s', (kind, hunks, facts, words) => {
    const table = new Table(hunks);
    const intent = kind === 'commit' ? { kind, message: 'm' } : { kind };
    expect(table.do(intent as IntentParams, facts)).toBe(words);
    expect(table.flying).toEqual([]);
  });

  it('commits with the message, like the git of the user', () => {
    expect(new Table('a:accepted').plan({ kind: 'commit', message: 'm' }, { confirmed: 4 })).toMatchObject({
      command: { kind: 'finish', how: 'finalize', commit: true, hooks: true, message: 'm' },
    });
  });

  it('names its hunk when that is gone', () => {
    expect(new Table('a').do({ kind: 'accept', hunk: 'zz' })).toBe('This hunk no longer exists');
  });

  it('does nothing on a finished review except reopen it', () => {
    const table = new Table('a');
    table.desk = { ...table.desk, end: 'finalized' };
    expect(table.do({ kind: 'accept' })).toBe('This suggestion is finalized');
    expect(table.do({ kind: 'finish' }, { confirmed: 4 })).toBe('This suggestion is finalized');
    expect(table.plan({ kind: 'reopen' })).toMatchObject({ kind: 'act', command: { kind: 'reopen' } });
  });

  it.each([
    [{ kind: 'accept_all' }, { kind: 'decide', hunk: 'all', action: 'accept', confirmed: 4 }],
    [{ kind: 'undo_all' }, { kind: 'step_all', direction: 'undo' }],
    [{ kind: 'finish' }, { kind: 'finish', how: 'finalize' }],
    [{ kind: 'discard' }, { kind: 'finish', how: 'discard' }],
  ] as const)('%j is done only after confirmation', (intent, command) => {
    expect(new Table(THREE).plan(intent).kind).toBe('ask');
    expect(new Table(THREE).plan(intent, { confirmed: 4 })).toMatchObject({ kind: 'act', command });
  });

  it('merges a conflict after confirmation', () => {
    expect(
      new Table('a:conflict').plan({ kind: 'accept' }, { confirmed: 4, mergeConflicts: 0 }),
    ).toMatchObject({ command: { action: 'modify', hunk: 'a', modified: { kind: 'merge' } } });
  });

  it('passes lines on as shown, and marks the intended part', () => {
    const table = new Table('a b');
    const plan = table.plan({ kind: 'accept', lines: { first: 2, last: 3 } });
    expect(plan).toMatchObject({
      mark: 'a',
      command: { hunk: 'a', lines: { first: 2, last: 3 } },
      statuses: {},
    });
    table.land(() => true, ['p:accepted<a']);
    expect([table.marks.me, table.desk.done.at(-1)?.hunks]).toEqual(['p', ['p']]);
  });

  it('reports the result of a split', () => {
    const table = new Table('a');
    table.plan({ kind: 'split', at: 3 });
    expect(table.land(() => true, ['p<a', 'q<a'])).toBe('Split into 2 parts');
    expect(table.marks.me).toBe('p');
    table.plan({ kind: 'split', hunk: 'a' });
    expect(table.land()).toMatch(/one change already/);
  });

  it('continues after a modified hunk, unless the reader moved meanwhile', () => {
    const table = new Table(THREE);
    const modify: IntentParams = { kind: 'modify', modified: { kind: 'merge' } };
    table.plan(modify);
    expect(table.marks.me).toBe('a');
    table.land();
    expect(table.marks.me).toBe('b');
    table.plan(modify);
    table.plan({ kind: 'mark', hunk: 'a' });
    table.land();
    expect(table.marks.me).toBe('a');
  });

  it('says how many of many were decided, and what did not fit', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'accept_all' }, { confirmed: 4 });
    expect(table.land((id) => id !== 'b')).toBe('Accepted 2 hunks; 1 hunk did not fit');
    expect(table.shown()).toBe('a=accepted b=pending c=accepted');
    expect(table.desk.done.at(-1)?.hunks).toEqual(['a', 'c']);
  });

  it('drops what was painted when refused, and marks the hunk again', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'accept' });
    table.refuse();
    expect([table.shown(), table.marks.me]).toEqual(['a=pending b=pending c=pending', 'a']);
    expect(table.do({ kind: 'undo' })).toBe('There is no decision to undo');
  });

  it('turns a refusal into a full sentence', () => {
    const plan = new Table('a').plan({ kind: 'accept' }) as DeskAct;
    expect(refusalOf(plan, fail('refused', 'It is locked').error)).toMatchObject({
      message: 'It is locked.',
      isOnHunk: true,
    });
  });
});
