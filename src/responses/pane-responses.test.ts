import { describe, expect, test } from 'vitest';
import { ok } from '../lib/result.ts';
import type { Turn } from '../protocol/turn.ts';
import { type PaneHistory, PaneResponses } from './pane-responses.ts';
import { genericScreen } from './screens/generic.ts';
import type { TranscriptReader, TranscriptRef, TranscriptSnapshot } from './transcripts/port.ts';

function testTurn(id: string, prompt: string, response = `answer to ${prompt}`): Turn {
  return {
    id,
    prompt,
    parts: [response],
    response,
    startedAt: null,
    source: 'transcript',
    progress: 'complete',
    reflowed: false,
    warning: null,
  };
}

interface FakeSession extends Partial<TranscriptSnapshot> {
  readonly sessionId: string;
  readonly path?: string;
  readonly tie?: TranscriptRef['tie'];
  /** The file is gone or cannot be read. */
  readonly unreadable?: boolean;
}

/** A reader over sessions that a test may change between two readings. */
function fakeReader(sessions: readonly FakeSession[]): TranscriptReader {
  const find = (ref: TranscriptRef) => sessions.find((one) => one.sessionId === ref.sessionId);
  return {
    cli: 'claude',
    find: async () =>
      sessions.map(({ sessionId, path = `/s/${sessionId}.jsonl`, tie = 'folder' }, index) => ({
        cli: 'claude',
        path,
        sessionId,
        tie,
        modifiedAt: 1000 - index,
      })),
    open: (ref) => ({
      ref,
      read: async () => {
        const session = find(ref);
        if (session === undefined || session.unreadable) return null;
        return { turns: [], complete: true, state: 'idle', queued: [], problems: [], ...session };
      },
      failure: () => null,
    }),
  };
}

function open(
  reader: TranscriptReader | null,
  options: { sent?: string[]; history?: PaneHistory } = {},
): PaneResponses {
  return new PaneResponses(
    { cli: 'claude', reader, rules: genericScreen },
    {
      history: async () => ok(options.history ?? { lines: [], width: 80, alternate: false }),
      sentTexts: async () => options.sent ?? [],
      place: async () => ({ cwd: '/p', pid: 1, env: {} }),
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

  test('one that the pid names beats a newer one of the folder', async () => {
    expect(await prompts(open(fakeReader([other, { ...mine, tie: 'pid' }])))).toEqual([['mine'], null]);
  });

  test('the one into which our text went beats a newer one of the folder', async () => {
    expect(await prompts(open(fakeReader([other, mine]), { sent: ['mine'] }))).toEqual([['mine'], null]);
  });

  test('two sessions in one database are two', async () => {
    const db = '/s/opencode.db';
    const responses = open(
      fakeReader([
        { ...other, path: db },
        { ...mine, path: db },
      ]),
      { sent: ['mine'] },
    );
    expect(await prompts(responses)).toEqual([['mine'], null]);
    expect(await prompts(responses)).toEqual([['mine'], null]);
  });

  test('without any tie the newest of the folder, and a warning', async () => {
    const [turns, warning] = await prompts(open(fakeReader([other, mine])));
    expect(turns).toEqual(['other']);
    expect(warning).toMatch(/not tied to this pane/);
  });

  test('after /clear the new file is followed once our text is in it', async () => {
    const sessions: FakeSession[] = [mine];
    const sent = ['mine'];
    const responses = open(fakeReader(sessions), { sent });
    expect(await prompts(responses)).toEqual([['mine'], null]);
    sessions.unshift({ sessionId: 'after', turns: [testTurn('a1', 'after clear')] });
    sent.unshift('after clear');
    expect(await prompts(responses)).toEqual([['after clear'], null]);
  });

  test('one that cannot be read gives way to the screen', async () => {
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
  test('what stood there before is no proof; a new record is', async () => {
    const sessions: FakeSession[] = [{ sessionId: 's', turns: [testTurn('1', 'again')] }];
    const watch = await open(fakeReader(sessions)).watchSent('again');
    expect(await watch?.poll()).toBeNull();
    sessions[0] = { sessionId: 's', turns: [testTurn('1', 'again'), testTurn('2', 'again')] };
    expect(await watch?.poll()).toBe('delivered');
  });

  test('a busy program holds it for later', async () => {
    const sessions: FakeSession[] = [{ sessionId: 's' }];
    const watch = await open(fakeReader(sessions)).watchSent('later');
    sessions[0] = { sessionId: 's', queued: ['later'] };
    expect(await watch?.poll()).toBe('queued');
  });

  test('a program without a session file proves nothing', async () => {
    expect(await open(null).watchSent('x')).toBeNull();
  });
});

test('a full-screen program without a session file: the visible part, and said so', async () => {
  const lines = ['### PROMPT 2026-01-02 03:04:05', '', 'q', '', '### END PROMPT', 'seen'];
  const [, warning] = await prompts(open(null, { history: { lines, width: 80, alternate: true } }));
  expect(warning).toMatch(/only the visible part/);
});
