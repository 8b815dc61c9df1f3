import { describe, expect, it } from 'vitest';
import type { Turn } from '../../protocol/turn.ts';
import { type TieCandidate, tieByScreen, tieBySent, turnsOfPane } from './tie.ts';

/** A session that accepted prompts at these times. */
function session(sessionId: string, prompts: readonly (readonly [string, number | null])[]): TieCandidate {
  const turns = prompts.map(
    ([prompt, startedAt], index): Turn => ({
      id: `${sessionId}${index}`,
      prompt,
      parts: [],
      response: '',
      startedAt,
      source: 'transcript',
      progress: 'complete',
      kind: 'answer',
      reflowed: false,
      warning: null,
    }),
  );
  const ref = { cli: 'claude', path: `/${sessionId}`, sessionId, tie: 'folder', modifiedAt: 0 } as const;
  return { ref, snapshot: { turns, queued: [] } };
}

function tied(
  sessions: readonly TieCandidate[],
  sent: readonly (readonly [string, number])[],
): string | null {
  const found = tieBySent(
    sessions,
    sent.map(([text, at]) => ({ text, at })),
  );
  return found?.ref.sessionId ?? null;
}

describe('a session is matched by sent prompts', () => {
  it.each<[string, TieCandidate[], [string, number][], string | null]>([
    ['to the one with the text', [session('a', [['x', 10]]), session('b', [['y', 10]])], [['y', 9]], 'b'],
    ['to none without it', [session('a', [['x', 10]])], [['y', 9]], null],
    [
      'not to one that got the text before it was sent',
      [session('a', [['x', 1_000]])],
      [['x', 60_000]],
      null,
    ],
    ['to one whose clock is a little behind', [session('a', [['x', 56_000]])], [['x', 60_000]], 'a'],
    [
      'to the one that got it soonest',
      [session('a', [['x', 90_000]]), session('b', [['x', 61_000]])],
      [['x', 60_000]],
      'b',
    ],
    [
      'to the newest prompt, not to an older one',
      [session('a', [['x', 10]]), session('b', [['y', 90_000]])],
      [
        ['y', 80_000],
        ['x', 9],
      ],
      'b',
    ],
    [
      'to an older prompt if the newest is nowhere yet',
      [session('a', [['x', 10]])],
      [
        ['new', 80_000],
        ['x', 9],
      ],
      'a',
    ],
    ['to one without times if there is no better', [session('a', [['x', null]])], [['x', 60_000]], 'a'],
    [
      'to one with a time before one without',
      [session('a', [['x', null]]), session('b', [['x', 61_000]])],
      [['x', 60_000]],
      'b',
    ],
    ['to the first of equals', [session('a', [['x', 10]]), session('b', [['x', 20]])], [['x', 9]], 'a'],
  ])('%s', (_, sessions, sent, expected) => {
    expect(tied(sessions, sent)).toBe(expected);
  });

  it('while a CLI has queued it', () => {
    const busy = session('busy', []);
    const candidate = { ...busy, snapshot: { turns: [], queued: ['wait'] } };
    expect(tied([session('a', [['x', 10]]), candidate], [['wait', 9]])).toBe('busy');
  });
});

describe('of a session that two programs write, a pane gets', () => {
  const chain = (...prompts: string[]) =>
    session(
      'a',
      prompts.map((prompt) => [prompt, null] as const),
    ).snapshot.turns.map((turn, at) => ({
      ...turn,
      id: prompts[at] ?? '',
      response: `Answer to ${prompts[at]}`,
    }));
  const MINE = chain('Question one', 'Question mine');
  const THEIRS = chain('Question one', 'Question theirs');
  const ONE_FILE = chain('Question one', 'Question mine', 'Question theirs');
  const shown = (...prompts: string[]) => prompts.flatMap((each) => [`❯ ${each}`, `● Answer to ${each}`]);

  it.each<[string, (typeof MINE)[], string[], string | null, string[] | null]>([
    [
      'its own branch',
      [THEIRS, MINE],
      shown('Question one', 'Question mine'),
      null,
      ['Question one', 'Question mine'],
    ],
    ['the other branch', [THEIRS, MINE], shown('Question theirs'), null, ['Question one', 'Question theirs']],
    ['no turn that only the other one shows', [THEIRS], shown('Question one'), null, ['Question one']],
    [
      'turns up to its own, of one file',
      [ONE_FILE],
      shown('Question mine'),
      null,
      ['Question one', 'Question mine'],
    ],
    [
      'the later of equal prompts',
      [chain('Again it is', 'Again it is')],
      shown('Again it is'),
      null,
      ['Again it is', 'Again it is'],
    ],
    [
      'its last turn, behind a dialog',
      [THEIRS, MINE],
      ['Allow?'],
      'Question mine',
      ['Question one', 'Question mine'],
    ],
    ['what led to its last turn', [THEIRS], ['Allow?'], 'Question one', ['Question one']],
    ['everything, before it showed a turn', [THEIRS, MINE], ['Allow?'], null, null],
    ['everything, if its last turn is gone', [THEIRS], [], 'Question mine', null],
    ['nothing of nothing', [[]], ['Welcome'], null, null],
  ])('%s', (_what, branches, rows, last, prompts) => {
    expect(turnsOfPane(branches, rows, last)?.map(({ prompt }) => prompt) ?? null).toEqual(prompts);
  });

  it('the session that another program has continued since, but not instead of one that was forked off', () => {
    const continued = { ...session('a', [['Question theirs', null]]), branches: [THEIRS, MINE] };
    const other = session('b', [['Question of b', null]]);
    const tiedBy = (...rows: string[]) => tieByScreen([continued, other], rows)?.sessionId;
    expect(tiedBy('❯ Question mine')).toBe('a');
    expect(tiedBy('❯ Question one', '❯ Question of b')).toBe('b');
    expect(tiedBy('❯ Question of b', '❯ Question mine')).toBe('a');
    const original = session('c', [['Question one', null]]);
    expect(tieByScreen([continued, original], ['❯ Question one'])?.sessionId).toBe('c');
    expect(tiedBy('❯ Welcome')).toBeUndefined();
  });
});
