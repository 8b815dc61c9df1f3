/** The warm-up completes likely lines one after the other, and stops on request. */
import { expect, it } from 'vitest';
import { ran } from '../../test/helpers/history.ts';
import { Knowledge } from './core/knowledge.ts';
import type { Query } from './core/suggestion.ts';
import { warmUp } from './warm-up.ts';

function setUp() {
  const knowledge = new Knowledge();
  for (const line of ['git status', 'npm run build']) knowledge.learn(ran(line));
  const asked: string[] = [];
  const engine = {
    complete: (query: Query) => {
      asked.push(query.line);
      return Promise.resolve([]);
    },
    warm: () => undefined,
  };
  return { knowledge, asked, engine };
}

it('completes the starts of lines that ran, with a pause before each', async () => {
  const { knowledge, asked, engine } = setUp();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  await warmUp({ knowledge, engine, signal: new AbortController().signal, pause });
  expect(asked.sort()).toEqual(['gi', 'git ', 'git statu', 'np', 'npm ', 'npm run buil'].sort());
  expect(pauses).toBe(asked.length);
});

it('completes nothing more once the daemon ends', async () => {
  const { knowledge, asked, engine } = setUp();
  const ending = new AbortController();
  const pause = async () => {
    if (asked.length === 1) ending.abort();
  };
  await warmUp({ knowledge, engine, signal: ending.signal, pause });
  expect(asked).toHaveLength(1);
});
