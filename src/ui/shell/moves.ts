/** Keeps the marked request in view. Pure. */

import type { Facts } from '../app/handler.ts';
import type { AppState } from '../app/state.ts';
import { listTop } from '../kit/list.ts';
import { requestsInView } from './screen.ts';
import { markedIndex, runningStatus } from './state.ts';

/** The state with the mark in view; the same object when it was. */
export function settleShell(state: AppState, facts: Facts): AppState {
  const status = runningStatus(facts.shell);
  if (state.screen !== 'shell' || status === null) return state;
  const { recent } = status;
  const height = requestsInView(state, status);
  const top = listTop(state.shell.top, markedIndex(state.shell, recent), recent.length, height);
  return top === state.shell.top ? state : { ...state, shell: { ...state.shell, top } };
}
