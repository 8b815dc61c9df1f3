import { expect, it } from 'vitest';
import { testPane } from '../../../test/helpers/ui-fakes.ts';
import type { AiPane, AiState } from '../../protocol/pane.ts';
import { type KnownStates, stateNews } from './state-news.ts';

const keyOf = ({ identity }: AiPane) => identity.paneId;

/** The news after each successive state; null: the pane is not listed. */
function told(states: readonly (AiState | null)[]): readonly string[] {
  let known: KnownStates = new Map();
  return states.flatMap((state) => {
    const { states: next, news } = stateNews(known, state === null ? [] : [testPane('%1', { state })], keyOf);
    known = next;
    return news.map((one) => `${one.state}: ${one.call}`);
  });
}

it.each<[(AiState | null)[], string[]]>([
  [['idle'], []],
  [['waiting'], []],
  [
    ['idle', 'working', 'idle'],
    ['working: null', 'idle: is done'],
  ],
  [['working', 'unknown', 'working'], []],
  [['working', 'unknown', 'idle'], ['idle: is done']],
  [
    ['working', 'waiting', 'idle'],
    ['waiting: waits for you', 'idle: null'],
  ],
  [
    ['working', 'waiting', 'working', 'idle'],
    ['waiting: waits for you', 'working: null', 'idle: is done'],
  ],
  [['working', 'gone'], ['gone: null']],
  [['working', null, null], ['gone: null']],
  [['waiting', 'unknown', null], ['gone: null']],
  [['idle', 'gone', null], ['gone: null']],
  [['unknown', null], []],
  [['unknown', 'working'], []],
])('%j: %j', (states, news) => {
  expect(told(states)).toEqual(news);
});

it('forgets a pane that is no longer listed', () => {
  const { states } = stateNews(new Map(), [testPane('%1', { state: 'working' })], keyOf);
  expect(stateNews(states, [], keyOf).states.size).toBe(0);
});
