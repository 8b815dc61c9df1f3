/**
 * The corpus of the reviewer's desk: what is known, what a reviewer wants, and what must follow. Screens, Neovim and
 * scripts send the same intents, so nothing of this is tested again over a wire.
 */
import { describe, expect, it } from 'vitest';
import { fail } from '../../lib/result.ts';
import { type IntentParams, intentSchema } from '../../protocol/intent.ts';
import { type Desk, type DeskHunk, type HunkStatus, statusOf } from './desk.ts';
import { type DeskAct, type DeskPlan, planIntent } from './plan.ts';
import { refusalOf, settleDone, settleRefused } from './settle.ts';
import { redoTarget, STEPS_MAX, undoTarget, withStep } from './steps.ts';

/** Words such as `a`, `b:rejected`, `c:conflict@other.ts`, `d<root` (a part of `root`). */
function deskOf(words: string): Desk {
  const hunks = words
    .split(' ')
    .filter((word) => word !== '')
    .map((word): DeskHunk => {
      const [, id = '', status = 'pending', file = 'f.ts', parent = null] =
        /^(\w+)(?::(\w+))?(?:@([\w.]+))?(?:<(\w+))?$/.exec(word) ?? [];
      const warnings = file === '.envrc' ? [{ kind: 'runs' as const, text: 'This file runs by itself' }] : [];
      return { id, status: status as HunkStatus, file, kind: 'text', parent, reason: null, warnings };
    });
  return { suggestion: 's', revision: 4, end: null, hunks, inFlight: [], done: [], undone: [] };
}

/** One or more reviewers at a desk; what they do is written at once, or when `land` says so. */
class Table {
  desk: Desk;
  readonly marks: Record<string, string | null> = {};
  readonly flying: DeskAct[] = [];
  #ids = 0;

  constructor(words: string) {
    this.desk = deskOf(words);
  }

  plan(
    params: IntentParams,
    {
      client = 'me',
      confirmed = null,
      mergeConflicts = null,
    }: Partial<Record<'client', string>> & {
      confirmed?: number | null;
      mergeConflicts?: number | null;
    } = {},
  ): DeskPlan {
    this.#ids += 1;
    const mark = this.marks[client] ?? this.desk.hunks[0]?.id ?? null;
    const plan = planIntent(this.desk, intentSchema.parse(params), {
      reviewer: { client, mark },
      id: `${this.#ids}`,
      confirmed,
      mergeConflicts,
      nameOf: (name) => name ?? 'Somebody',
    });
    this.marks[client] = plan.mark;
    if (plan.kind === 'act') {
      this.desk = plan.desk;
      this.flying.push(plan);
    }
    return plan;
  }

  /** The engine did the oldest action that is under way; `fits` are the hunks that could take it. */
  land(fits: (id: string) => boolean = () => true, parts: readonly string[] = []): string | null {
    const act = this.flying.shift();
    if (act === undefined) throw new Error('nothing is on its way');
    const hunks = parts.length > 0 ? deskOf(parts.join(' ')).hunks : this.#answer(act, fits);
    const answer = { hunks, revision: this.desk.revision + 1, end: this.desk.end };
    const settled = settleDone(this.desk, act, answer, this.marks[act.client] ?? null);
    this.desk = settled.desk;
    this.marks[act.client] = settled.mark;
    return settled.words;
  }

  refuse(): void {
    const act = this.flying.shift();
    if (act === undefined) throw new Error('nothing is on its way');
    const settled = settleRefused(this.desk, act);
    this.desk = settled.desk;
    this.marks[act.client] = settled.mark;
  }

  do(params: IntentParams, more: Parameters<Table['plan']>[1] = {}): string | null {
    const plan = this.plan(params, more);
    if (plan.kind === 'act') return this.land();
    return plan.kind === 'say' ? plan.words : plan.kind === 'ask' ? plan.question : plan.message;
  }

  /** `a=accepted b=pending` */
  shown(): string {
    return this.desk.hunks.map((hunk) => `${hunk.id}=${statusOf(this.desk, hunk)}`).join(' ');
  }

  #answer({ command, statuses, hunk }: DeskAct, fits: (id: string) => boolean): DeskHunk[] {
    const about =
      command.kind === 'step'
        ? ([...this.desk.done, ...this.desk.undone].find(({ id }) => id === command.step)?.hunks ??
          command.hunks)
        : command.kind === 'step_all'
          ? this.desk.hunks.filter(({ status }) => status !== 'pending').map(({ id }) => id)
          : Object.keys(statuses).length > 0
            ? Object.keys(statuses)
            : hunk === null
              ? []
              : [hunk];
    return this.desk.hunks
      .filter(({ id }) => about.includes(id) && fits(id))
      .map((one) => ({
        ...one,
        status:
          statuses[one.id] ??
          (command.kind === 'decide' && command.action === 'modify' ? 'modified' : one.status),
      }))
      .map((one) =>
        command.kind.startsWith('step') && statuses[one.id] === undefined ? undone(command, one) : one,
      );
  }
}

const undone = (command: DeskAct['command'], hunk: DeskHunk): DeskHunk => ({
  ...hunk,
  status: 'direction' in command && command.direction === 'redo' ? 'accepted' : 'pending',
});

const THREE = 'a@x.ts b@x.ts c@y.ts';

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
      'a burst decides one hunk after the other',
      THREE,
      [{ kind: 'accept' }, { kind: 'reject' }, { kind: 'accept' }],
      'a=accepted b=rejected c=accepted',
      'c',
    ],
    [
      'what is decided so already is passed over',
      'a:accepted b',
      [{ kind: 'accept' }],
      'a=accepted b=pending',
      'b',
    ],
    [
      'what is decided otherwise is decided anew',
      'a:accepted b',
      [{ kind: 'reject' }],
      'a=rejected b=pending',
      'b',
    ],
    [
      'the next open one is found round the end',
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
    ['next and previous go round', THREE, [{ kind: 'previous' }], 'a=pending b=pending c=pending', 'c'],
    ['next goes over what is decided', 'a b:accepted', [{ kind: 'next' }], 'a=pending b=accepted', 'b'],
    ['next_open does not', 'a b:accepted c', [{ kind: 'next_open' }], 'a=pending b=accepted c=pending', 'c'],
    ['a conflict counts as open', 'a b:conflict', [{ kind: 'reject' }], 'a=rejected b=conflict', 'b'],
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
    ['undo', 'a', {}, 'There is no decision to undo'],
    ['redo', 'a', {}, 'Nothing was undone here'],
    ['undo_all', 'a', {}, 'Undo every decision on this suggestion?'],
    ['join', 'a', {}, 'This hunk was not split'],
    ['finish', 'a:accepted b', {}, 'Finish the review? What was accepted stays. 1 hunk stays undecided.'],
    ['finish', 'a b', {}, 'Finish the review? What was accepted stays. 2 hunks stay undecided.'],
    ['finish', 'a:accepted', {}, 'Finish the review? What was accepted stays.'],
    ['discard', 'a', {}, 'Discard this suggestion? What was accepted stays, the rest is dropped.'],
    ['reopen', 'a', {}, 'This suggestion is open'],
    ['accept', 'a:conflict', {}, 'This hunk is in conflict: The hunk does not fit.'],
    ['accept', 'a:conflict', { mergeConflicts: 2 }, 'This hunk is in conflict: The hunk does not fit.'],
    [
      'accept',
      'a:conflict',
      { mergeConflicts: 0 },
      'The hunk does not fit as it is. Take the three-way merge, which has no conflict?',
    ],
    ['accept', '', {}, 'There are no hunks'],
  ] as const)('%s of "%s" %j: %s', (kind, hunks, facts, words) => {
    const table = new Table(hunks);
    expect(table.do({ kind } as IntentParams, facts)).toBe(words);
    expect(table.flying).toEqual([]);
  });

  it('names its hunk when it is gone', () => {
    expect(new Table('a').do({ kind: 'accept', hunk: 'zz' })).toBe('This hunk no longer exists');
  });

  it('does nothing on what has ended, but opens it again', () => {
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
  ] as const)('%j is done after a yes alone', (intent, command) => {
    expect(new Table(THREE).plan(intent).kind).toBe('ask');
    expect(new Table(THREE).plan(intent, { confirmed: 4 })).toMatchObject({ kind: 'act', command });
  });

  it('takes the merge of a conflict after a yes', () => {
    expect(
      new Table('a:conflict').plan({ kind: 'accept' }, { confirmed: 4, mergeConflicts: 0 }),
    ).toMatchObject({ command: { action: 'modify', hunk: 'a', modified: { kind: 'merge' } } });
  });

  it('hands lines on as they are shown, and marks the part that was meant', () => {
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

  it('says how a split went', () => {
    const table = new Table('a');
    table.plan({ kind: 'split', at: 3 });
    expect(table.land(() => true, ['p<a', 'q<a'])).toBe('Split into 2 parts');
    expect(table.marks.me).toBe('p');
    table.plan({ kind: 'split', hunk: 'a' });
    expect(table.land()).toMatch(/one change already/);
  });

  it('goes on from a modified hunk, unless the reader has gone elsewhere meanwhile', () => {
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

  it('drops what was painted when it is refused, and marks the hunk again', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'accept' });
    table.refuse();
    expect([table.shown(), table.marks.me]).toEqual(['a=pending b=pending c=pending', 'a']);
    expect(table.do({ kind: 'undo' })).toBe('There is no decision to undo');
  });

  it('ends a refusal as a sentence', () => {
    const plan = new Table('a').plan({ kind: 'accept' }) as DeskAct;
    expect(refusalOf(plan, fail('refused', 'It is locked').error)).toMatchObject({
      message: 'It is locked.',
      isOnHunk: true,
    });
  });
});

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

  it('undoes all that was accepted at once by one key', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept_all' }, { confirmed: 4 });
    expect(table.do({ kind: 'undo' })).toBe('3 decisions undone');
    expect(table.shown()).toBe('a=pending b=pending c=pending');
    expect(table.do({ kind: 'redo' })).toBe('3 decisions redone');
  });

  it('takes the marked decision back where it was made apart from the last action', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept_file' });
    table.do({ kind: 'reject' });
    table.do({ kind: 'undo', hunk: 'b' });
    expect(table.shown()).toBe('a=accepted b=pending c=rejected');
    table.do({ kind: 'redo' });
    expect(table.shown()).toBe('a=accepted b=accepted c=rejected');
  });

  it('undoes what is still on its way', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'accept' });
    table.plan({ kind: 'undo' });
    expect([table.shown(), table.marks.me]).toEqual(['a=pending b=pending c=pending', 'a']);
    table.land();
    table.land();
    expect(table.shown()).toBe('a=pending b=pending c=pending');
    expect(redoTarget(table.desk, 'me')?.hunks).toEqual(['a']);
  });

  it('knows the hunks of lines that are still on their way when it is its turn', () => {
    const table = new Table('a');
    table.plan({ kind: 'accept', lines: { first: 1, last: 1 } });
    const undo = table.plan({ kind: 'undo' });
    expect(undo).toMatchObject({ kind: 'act', command: { kind: 'step', step: '1', hunks: [] } });
    table.land(() => true, ['p:accepted<a']);
    expect(table.desk.undone).toMatchObject([{ id: '1', hunks: ['p'] }]);
  });

  it('can be asked for again after a refusal', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.plan({ kind: 'undo' });
    table.refuse();
    expect(undoTarget(table.desk, 'me', null)).toMatchObject({ step: { hunks: ['a'] } });
  });

  it('forgets what could be done again after a new decision of the same client', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.do({ kind: 'undo' });
    table.do({ kind: 'reject' });
    expect(table.do({ kind: 'redo' })).toBe('Nothing was undone here');
  });

  it('undoes everything, and makes it again as one action', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept' });
    table.do({ kind: 'accept' });
    expect(table.do({ kind: 'undo_all' }, { confirmed: 4 })).toBe('2 decisions undone');
    expect(table.do({ kind: 'undo' })).toBe('There is no decision to undo');
    expect(table.plan({ kind: 'redo' })).toMatchObject({ command: { kind: 'step_all', direction: 'redo' } });
  });

  it('passes over a step that somebody else has undone', () => {
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
    let desk = deskOf('a');
    for (let at = 0; at <= STEPS_MAX; at += 1) desk = withStep(desk, step(`${at}`));
    expect([desk.done.length, desk.done[0]?.id]).toEqual([STEPS_MAX, '1']);
  });
});

describe('two clients', () => {
  it('tells the one who came second, and does nothing', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'reject', seen: 'pending' }, { client: 'Neovim' });
    expect(table.do({ kind: 'accept', hunk: 'a', seen: 'pending' })).toBe(
      'Neovim has rejected this hunk meanwhile; nothing was done.',
    );
    table.land();
    expect(table.shown()).toBe('a=rejected b=pending c=pending');
  });

  it('agrees with the one who came second when both want the same', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept', seen: 'pending' }, { client: 'Neovim' });
    expect(table.do({ kind: 'accept', hunk: 'a', seen: 'pending' })).toBe(
      'Neovim has accepted this hunk meanwhile',
    );
    expect(table.marks.me).toBe('b');
  });

  it('lets a decision be changed by who has seen it', () => {
    const table = new Table(THREE);
    table.do({ kind: 'reject', seen: 'pending' }, { client: 'Neovim' });
    table.do({ kind: 'accept', hunk: 'a', seen: 'rejected' });
    expect(table.shown()).toBe('a=accepted b=pending c=pending');
  });

  it('lets one client change its mind faster than it is painted', () => {
    const table = new Table('a');
    table.plan({ kind: 'accept', seen: 'pending' });
    expect(table.plan({ kind: 'reject', hunk: 'a', seen: 'pending' }).kind).toBe('act');
  });

  it('undoes its own last action first, then that of others', () => {
    const table = new Table(THREE);
    table.do({ kind: 'accept', hunk: 'a' });
    table.do({ kind: 'reject', hunk: 'b' }, { client: 'Neovim' });
    table.do({ kind: 'undo', hunk: 'c' });
    expect(table.shown()).toBe('a=pending b=rejected c=pending');
    table.do({ kind: 'undo', hunk: 'c' });
    expect(table.shown()).toBe('a=pending b=pending c=pending');
  });

  it('marks for each its own hunk', () => {
    const table = new Table(THREE);
    table.plan({ kind: 'next' }, { client: 'Neovim' });
    table.plan({ kind: 'accept' });
    expect(table.marks).toEqual({ Neovim: 'b', me: 'b' });
    table.plan({ kind: 'next' }, { client: 'Neovim' });
    expect(table.marks).toEqual({ Neovim: 'c', me: 'b' });
  });
});
