import { describe, expect, test } from 'vitest';
import { ok } from '../lib/result.ts';
import type { Turn } from '../protocol/turn.ts';
import { type PaneHistory, PaneResponses } from './pane-responses.ts';
import { genericScreen } from './screens/generic.ts';
import type { HookSession, TranscriptReader, TranscriptRef, TranscriptSnapshot } from './transcripts/port.ts';
import type { SentText } from './transcripts/tie.ts';

function testTurn(id: string, prompt: string, startedAt: number | null = null): Turn {
  const response = `answer to ${prompt}`;
  return {
    id,
    prompt,
    parts: [response],
    response,
    startedAt,
    source: 'transcript',
    progress: 'complete',
    kind: 'answer',
    reflowed: false,
    warning: null,
  };
}

interface FakeSession extends Partial<TranscriptSnapshot> {
  readonly sessionId: string;
  readonly path?: string;
  readonly tie?: TranscriptRef['tie'];
  readonly bornAt?: number;
  readonly isShared?: boolean;
  readonly branches?: readonly (readonly Turn[])[];
  /** The file is gone or cannot be read. */
  readonly unreadable?: boolean;
}

/** A reader of sessions that a test may change between two readings. */
function fakeReader(sessions: readonly FakeSession[]): TranscriptReader {
  const find = (ref: TranscriptRef) => sessions.find((one) => one.sessionId === ref.sessionId);
  return {
    cli: 'claude',
    find: async () =>
      sessions.map(
        ({ sessionId, path = `/s/${sessionId}.jsonl`, tie = 'folder', bornAt, isShared = false }, index) => ({
          cli: 'claude',
          path,
          sessionId,
          tie,
          modifiedAt: 1000 - index,
          isShared,
          ...(bornAt === undefined ? {} : { bornAt }),
        }),
      ),
    open: (ref) => ({
      ref,
      read: async () => {
        const session = find(ref);
        if (session === undefined || session.unreadable) return null;
        return {
          turns: [],
          complete: true,
          state: 'idle',
          queued: [],
          asked: [],
          problems: [],
          facts: new Map(),
          ...session,
        };
      },
      branches: () => find(ref)?.branches ?? [],
      failure: () => null,
    }),
  };
}

function open(
  reader: TranscriptReader | null,
  options: {
    sent?: SentText[];
    history?: PaneHistory;
    told?: HookSession;
    screen?: () => string[];
    startedAt?: number;
    isAlone?: boolean;
    hasEnded?: () => boolean;
  } = {},
): PaneResponses {
  return new PaneResponses(
    { cli: 'claude', reader, rules: genericScreen },
    {
      history: async () => ok(options.history ?? { lines: [], width: 80, alternate: false }),
      screen: async () => options.screen?.() ?? [],
      sent: async () => options.sent ?? [],
      hookSession: async () => options.told ?? null,
      place: async () => ({ cwd: '/p', pid: 1, env: {}, startedAt: options.startedAt ?? null }),
      isAlone: async () => options.isAlone ?? true,
      hasEnded: options.hasEnded ?? (() => false),
    },
  );
}

async function prompts(responses: PaneResponses): Promise<[readonly string[], string | null]> {
  const reading = await responses.read('auto', 10);
  if (!reading.ok) throw new Error(reading.error.message);
  return [reading.value.turns.map(({ prompt }) => prompt), reading.value.turns[0]?.warning ?? null];
}

describe('which session is read', () => {
  const mine = { sessionId: 'mine', turns: [testTurn('m1', 'mine')] };
  const other = { sessionId: 'other', turns: [testTurn('o1', 'other')] };

  test('the one named by the pid beats a newer one of the folder', async () => {
    expect(await prompts(open(fakeReader([other, { ...mine, tie: 'pid' }])))).toEqual([['mine'], null]);
  });

  test('the newest of the folder is not taken if another pane may be writing it, unless the screen shows it', async () => {
    const screen = () => ['> other', 'answer to other'];
    expect(await prompts(open(fakeReader([other])))).toEqual([
      ['other'],
      expect.stringContaining('not tied'),
    ]);
    expect(await prompts(open(fakeReader([other]), { isAlone: false }))).toEqual([[], null]);
    expect(await prompts(open(fakeReader([other]), { isAlone: false, screen }))).toEqual([['other'], null]);
  });

  test('the one that got our text beats a newer one of the folder', async () => {
    expect(await prompts(open(fakeReader([other, mine]), { sent: [{ text: 'mine', at: 1 }] }))).toEqual([
      ['mine'],
      null,
    ]);
  });

  test('of an ended program its last one, whatever the folder has now', async () => {
    let hasEnded = false;
    const sessions: FakeSession[] = [{ ...mine, tie: 'pid' }];
    const responses = open(fakeReader(sessions), { hasEnded: () => hasEnded });
    expect((await prompts(responses))[0]).toEqual(['mine']);
    hasEnded = true;
    sessions.splice(0, 1, other, mine);
    expect((await prompts(responses))[0]).toEqual(['mine']);
  });

  test('two sessions in one database are two', async () => {
    const db = '/s/opencode.db';
    const responses = open(
      fakeReader([
        { ...other, path: db },
        { ...mine, path: db },
      ]),
      { sent: [{ text: 'mine', at: 1 }] },
    );
    expect(await prompts(responses)).toEqual([['mine'], null]);
    expect(await prompts(responses)).toEqual([['mine'], null]);
  });

  test('without other evidence the newest of the folder, with a warning', async () => {
    const [turns, warning] = await prompts(open(fakeReader([other, mine])));
    expect(turns).toEqual(['other']);
    expect(warning).toMatch(/not tied to this pane/);
  });

  test('after /clear the new file is followed once it has our text', async () => {
    const sessions: FakeSession[] = [mine];
    const sent = [{ text: 'mine', at: 1 }];
    const responses = open(fakeReader(sessions), { sent });
    expect(await prompts(responses)).toEqual([['mine'], null]);
    sessions.unshift({ sessionId: 'after', turns: [testTurn('a1', 'after clear')] });
    sent.unshift({ text: 'after clear', at: 2 });
    expect(await prompts(responses)).toEqual([['after clear'], null]);
  });

  test('after /clear the new file is followed once the screen shows a prompt typed by hand', async () => {
    const sessions: FakeSession[] = [mine];
    let rows = ['> mine', 'answer to mine'];
    const responses = open(fakeReader(sessions), { sent: [{ text: 'mine', at: 1 }], screen: () => rows });
    expect(await prompts(responses)).toEqual([['mine'], null]);
    sessions.unshift({ sessionId: 'after', turns: [testTurn('a1', 'typed by hand')] });
    // It could also be the session of another pane.
    expect(await prompts(responses)).toEqual([['mine'], null]);
    rows = ['> mine', 'answer to mine', '> typed by hand'];
    expect(await prompts(responses)).toEqual([['typed by hand'], null]);
    rows = ['help'];
    expect(await prompts(responses)).toEqual([['typed by hand'], null]);
  });

  test('a newer session that got the same text is not the one on the screen', async () => {
    const twin = { sessionId: 'twin', turns: [testTurn('t1', 'mine')] };
    const sent = [{ text: 'mine', at: 1 }];
    const timed = { ...mine, turns: [testTurn('m1', 'mine', 2)] };
    const late = { ...twin, turns: [testTurn('t1', 'mine', 60_000)] };
    const responses = open(fakeReader([late, timed]), { sent, screen: () => ['> mine', 'answer to mine'] });
    const reading = await responses.read('auto', 1);
    expect(reading).toMatchObject({ ok: true, value: { ref: { sessionId: 'mine' } } });
  });

  test('without a sent text the one on the screen, without a warning', async () => {
    const screen = () => ['> mine', 'answer to mine'];
    expect(await prompts(open(fakeReader([other, mine]), { screen }))).toEqual([['mine'], null]);
  });

  test('the one on the screen, however many newer ones the folder has', async () => {
    const newer = Array.from({ length: 6 }, (_, n) => ({
      sessionId: `n${n}`,
      turns: [testTurn(`n${n}`, `other ${n}`)],
    }));
    const screen = () => ['> mine', 'answer to mine'];
    expect(await prompts(open(fakeReader([...newer, mine]), { screen }))).toEqual([['mine'], null]);
  });

  test('two panes of one folder that got the same text have two sessions, whoever asks first', async () => {
    const sessions = [
      {
        sessionId: 'second',
        turns: [testTurn('s1', 'only in the second', 40_000), testTurn('s2', 'go on', 61_000)],
      },
      { sessionId: 'first', turns: [testTurn('f1', 'go on', 31_000)] },
    ];
    const first = open(fakeReader(sessions), { sent: [{ text: 'go on', at: 30_000 }] });
    const second = open(fakeReader(sessions), { sent: [{ text: 'go on', at: 60_000 }] });
    expect(await prompts(first)).toEqual([['go on'], null]);
    expect(await prompts(second)).toEqual([['go on', 'only in the second'], null]);
    expect(await prompts(first)).toEqual([['go on'], null]);
  });

  test('the same text at the same moment: the other prompts decide', async () => {
    const sessions = [
      { sessionId: 'second', turns: [testTurn('s1', 'beta', 40_000), testTurn('s2', 'go on', 60_100)] },
      { sessionId: 'first', turns: [testTurn('f1', 'alpha', 30_000), testTurn('f2', 'go on', 60_200)] },
    ];
    const sent = (word: string) => [
      { text: 'go on', at: 60_000 },
      { text: word, at: 29_000 },
    ];
    expect((await prompts(open(fakeReader(sessions), { sent: sent('alpha') })))[0]).toContain('alpha');
    expect((await prompts(open(fakeReader(sessions), { sent: sent('beta') })))[0]).toContain('beta');
  });

  test('a text that an old session got long before does not link the pane to it', async () => {
    const old = { sessionId: 'old', turns: [testTurn('1', 'go on', 1_000)] };
    const [, warning] = await prompts(open(fakeReader([old]), { sent: [{ text: 'go on', at: 60_000 }] }));
    expect(warning).toMatch(/not tied to this pane/);
  });

  test('a prompt that waited long for its turn still links', async () => {
    const late = { sessionId: 'late', turns: [testTurn('1', 'queued words', 900_000)] };
    const [, warning] = await prompts(
      open(fakeReader([other, late]), { sent: [{ text: 'queued words', at: 1_000 }] }),
    );
    expect(warning).toBeNull();
  });

  test('the one named by a hook beats the pid and our text', async () => {
    const reader = fakeReader([{ ...other, tie: 'pid' }, mine]);
    const told = { sessionId: 'mine', path: null };
    expect(await prompts(open(reader, { told, sent: [{ text: 'other', at: 1 }] }))).toEqual([['mine'], null]);
  });

  test('one named by a hook without a file yet is empty, and no other is shown instead', async () => {
    const responses = open(fakeReader([other]), { told: { sessionId: 'new', path: '/s/new.jsonl' } });
    const reading = await responses.read('auto', 10);
    expect(reading).toMatchObject({
      ok: true,
      value: { source: 'transcript', turns: [], ref: { tie: 'hook' } },
    });
  });

  test('one that began before the program of this pane belongs to another pane', async () => {
    const before = { ...other, bornAt: 100_000 };
    expect(await prompts(open(fakeReader([before]), { startedAt: 900_000 }))).toEqual([[], null]);
    // Resumed here: its screen shows it, or it got a sent text.
    const screen = () => ['> other', 'answer to other'];
    expect(await prompts(open(fakeReader([before]), { startedAt: 900_000, screen }))).toEqual([
      ['other'],
      null,
    ]);
    const [, warning] = await prompts(
      open(fakeReader([{ ...other, bornAt: 901_000 }]), { startedAt: 900_000 }),
    );
    expect(warning).toMatch(/not tied to this pane/);
  });

  test('of one that another program writes, too: the turns that this pane shows, and stays with them', async () => {
    const first = testTurn('1', 'the first one');
    const branches = [
      [first, testTurn('3', 'asked elsewhere')],
      [first, testTurn('2', 'asked here')],
    ];
    const [turns = []] = branches;
    let screen = ['❯ the first one'];
    const sessions = [{ sessionId: 's', tie: 'pid', isShared: true, turns, branches }] as const;
    const pane = open(fakeReader(sessions), { screen: () => screen });
    expect(await prompts(pane)).toEqual([['the first one'], null]);
    screen = ['❯ asked here'];
    expect(await prompts(pane)).toEqual([['asked here', 'the first one'], null]);
    screen = ['Do you want to proceed?'];
    expect(await prompts(pane)).toEqual([['asked here', 'the first one'], null]);
  });

  test('falls back to the screen if the file cannot be read', async () => {
    const lines = ['### PROMPT 2026-01-02 03:04:05', '', 'q', '', '### END PROMPT', 'from the screen'];
    const responses = open(fakeReader([{ ...mine, tie: 'pid', unreadable: true }]), {
      history: { lines, width: 80, alternate: false },
    });
    const reading = await responses.read('auto', 1);
    expect(reading).toMatchObject({
      ok: true,
      value: { source: 'screen', turns: [{ prompt: 'q', response: 'from the screen' }] },
    });
  });
});

describe('newest first', () => {
  test('turn 1 is the newest', async () => {
    const reader = fakeReader([
      { sessionId: 's', tie: 'pid', turns: [testTurn('1', 'old'), testTurn('2', 'new')] },
    ]);
    expect(await prompts(open(reader))).toEqual([['new', 'old'], null]);
  });
});

describe('proof of a delivery', () => {
  test('an existing prompt is not proof; a new record is', async () => {
    const sessions: FakeSession[] = [{ sessionId: 's', turns: [testTurn('1', 'again')] }];
    const watch = await open(fakeReader(sessions)).watchSent('again');
    expect(await watch?.poll()).toBeNull();
    sessions[0] = { sessionId: 's', turns: [testTurn('1', 'again'), testTurn('2', 'again')] };
    expect(await watch?.poll()).toBe('delivered');
  });

  test('a busy program has queued it', async () => {
    const sessions: FakeSession[] = [{ sessionId: 's' }];
    const watch = await open(fakeReader(sessions)).watchSent('later');
    sessions[0] = { sessionId: 's', queued: ['later'] };
    expect(await watch?.poll()).toBe('queued');
  });

  test('a program without a session file proves nothing', async () => {
    expect(await open(null).watchSent('x')).toBeNull();
  });
});

test('a full-screen program without a session file: returns the visible part, and says so', async () => {
  const lines = ['### PROMPT 2026-01-02 03:04:05', '', 'q', '', '### END PROMPT', 'seen'];
  const [, warning] = await prompts(open(null, { history: { lines, width: 80, alternate: true } }));
  expect(warning).toMatch(/only the visible part/);
});
