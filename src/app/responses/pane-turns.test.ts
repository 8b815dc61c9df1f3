import { expect, it } from 'vitest';
import { ok } from '../../lib/result.ts';
import type { PaneResponses } from '../../responses/pane-responses.ts';
import type { FileWatcher } from '../../responses/transcripts/watch.ts';
import { PaneTurns } from './pane-turns.ts';

it('reads a pane that was quiet for a minute once a minute, and one that printed at each check', async () => {
  let now = 0;
  let reads = 0;
  const reading = {
    turns: [],
    more: false,
    source: 'none',
    state: 'unknown',
    queued: [],
    asked: [],
    ref: null,
  };
  const turns = new PaneTurns({
    responses: {
      read: async () => {
        reads += 1;
        return ok({ ...reading, beside: [], problems: [] });
      },
    } as unknown as PaneResponses,
    watcher: {} as FileWatcher,
    timers: { now: () => now, set: (run) => setImmediate(run), clear: () => undefined },
    onRead: async () => undefined,
    onWritten: () => undefined,
    onFailure: () => expect.fail('a reading failed'),
    onProblem: (problem) => expect.fail(problem),
  });
  const looksOf = async (seconds: number) => {
    const before = reads;
    for (let second = 0; second < seconds; second += 15) {
      now += 15_000;
      turns.requestInCase();
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    }
    return reads - before;
  };
  expect(await looksOf(45)).toBe(3);
  expect(await looksOf(600)).toBe(10);
  turns.requestTwice();
  expect(await looksOf(45)).toBe(4);
});
