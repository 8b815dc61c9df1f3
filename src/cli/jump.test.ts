import { expect, it } from 'vitest';
import type { AiState } from '../protocol/pane.ts';
import { nextPane } from './jump.ts';

function panes(...states: readonly AiState[]) {
  return states.map((state, at) => ({
    state,
    identity: { socketPath: '/tmp/s', serverPid: 1, paneId: `%${at}`, panePid: at },
  }));
}

it.each([
  [['idle', 'working', 'waiting'], '%0', '%2'],
  [['waiting', 'idle', 'waiting'], '%2', '%0'],
  [['waiting', 'idle', 'idle'], '%0', '%1'],
  [['idle', 'idle'], '%1', '%0'],
  [['idle'], '%0', null],
  [['idle'], '%9', '%0'],
  [[], '%0', null],
] as const)('%j from %s: %s', (states, here, next) => {
  expect(nextPane(panes(...states), here)).toBe(next);
});
