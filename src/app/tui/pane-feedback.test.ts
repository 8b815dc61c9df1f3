import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { Client } from '../../protocol/client.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { SuggestionSummary } from '../../protocol/review.ts';
import type { ResponsesView } from '../../ui/responses/port.ts';
import { type FollowedAi, PaneFeedback } from './pane-feedback.ts';

const PANE: FollowedAi = { key: 'pane', cli: 'claude', project: '/work' };

let pane: FollowedAi | null;
let status: { state: string; dialog: string | null };
let sent: string[];
let answer: Result<OutboxEntry>;
let mine: boolean;
let tell: (event: CopaneEvent) => void;
let changed: () => void;
let feedback: PaneFeedback;

beforeEach(() => {
  vi.useFakeTimers();
  [pane, status, sent, answer, mine] = [
    PANE,
    { state: 'idle', dialog: null },
    [],
    ok({} as OutboxEntry),
    true,
  ];
  const client = {
    subscribe: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
    request: async () => ok({ mine }),
  } as unknown as Client;
  feedback = new PaneFeedback({
    client,
    pane: () => pane,
    responses: {
      getSnapshot: () => ({ selected: pane?.key ?? null, status }) as unknown as ResponsesView,
      subscribe: (listener) => {
        changed = listener;
        return () => undefined;
      },
      send: async (text) => {
        sent.push(text);
        return answer;
      },
    },
    timers: { now: Date.now, set: setTimeout, clear: (handle) => clearTimeout(handle as NodeJS.Timeout) },
    onProblem: expect.unreachable,
  });
  feedback.start();
});
afterEach(() => {
  feedback.close();
  vi.useRealTimers();
});

let seq = 0;
/** A decision on a hunk of a suggestion with three hunks. */
function decide(
  decided: number,
  about: Partial<SuggestionSummary> = {},
  comment: string | null = null,
): void {
  seq += 1;
  const suggestion = {
    author: 'claude-code',
    target: '/work',
    source: '/box',
    hunkCount: 3,
    decidedCount: decided,
  };
  const decision = { action: 'accept', file: 'f', comment };
  const body = { type: 'review/changed', suggestion: { ...suggestion, ...about }, decisions: [decision] };
  tell({ seq, ts: 0, body } as unknown as CopaneEvent);
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it('sends successive decisions as one prompt, soon after the last', async () => {
  decide(1);
  await pass(5_000);
  decide(2, {}, 'why?');
  await pass(9_000);
  expect(sent).toEqual([]);
  decide(3);
  await pass(1_500);
  expect(sent).toEqual([
    [
      '[Suggestion Feedback] User accepted hunk in f. 2 hunks remaining.',
      '[Suggestion Feedback] User accepted hunk in f. 1 hunk remaining. Comment: "why?"',
      '[Suggestion Feedback] User accepted hunk in f. 0 hunks remaining.',
    ].join('\n'),
  ]);
  await pass(60_000);
  expect(sent).toHaveLength(1);
});

it('waits until the AI is idle and has no question open', async () => {
  status = { state: 'working', dialog: null };
  decide(3);
  await pass(60_000);
  status = { state: 'idle', dialog: 'Allow?' };
  changed();
  await pass(0);
  expect(sent).toEqual([]);
  status = { state: 'idle', dialog: null };
  changed();
  await pass(0);
  expect(sent).toHaveLength(1);
});

it('retries after a refusal, and never after something was typed', async () => {
  answer = fail('refused', 'a draft stands there');
  decide(3);
  await pass(1_000);
  expect(sent).toHaveLength(1);
  answer = fail('staged', 'Enter did not take');
  await pass(5_000);
  expect(sent).toHaveLength(2);
  await pass(60_000);
  expect(sent).toHaveLength(2);
});

it.each<[string, Partial<SuggestionSummary>]>([
  ['the user', { author: null }],
  ['an AI that works elsewhere', { target: '/other' }],
  ['another AI CLI', { author: 'codex-mcp-client' }],
])('sends nothing about suggestions from %s', async (_, about) => {
  decide(3, about);
  await pass(60_000);
  expect(sent).toEqual([]);
});

it.each<[string, Partial<SuggestionSummary>]>([
  ["under a name that is no CLI's", { author: 'ai' }],
  ['from the sandbox that the pane works in', { target: '/other', source: '/work' }],
])('sends decisions on suggestions %s', async (_, about) => {
  decide(3, about);
  await pass(2_000);
  expect(sent).toHaveLength(1);
});

it('leaves it to the first companion', async () => {
  mine = false;
  decide(3);
  await pass(60_000);
  expect(sent).toEqual([]);
});

it('keeps messages for a pane until that pane is followed again', async () => {
  decide(3);
  await pass(0);
  pane = { ...PANE, key: 'other' };
  await pass(60_000);
  expect(sent).toEqual([]);
  pane = PANE;
  changed();
  await pass(0);
  expect(sent).toHaveLength(1);
});
