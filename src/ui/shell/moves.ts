/** Keeps the marked request in view. Pure. */

import { listTop } from '../kit/list.ts';
import type { ShellFacts, ShellModel } from './model.ts';
import { markedIndex, runningStatus } from './state.ts';
import { requestsInView } from './view.ts';

/** The state with the mark in view; the same object when it was. */
export function settleShell(state: ShellModel, facts: ShellFacts): ShellModel {
  const status = runningStatus(facts.shell);
  if (state.screen !== 'shell' || status === null) return state;
  const { recent } = status;
  const height = requestsInView(state, status);
  const top = listTop(state.shell.top, markedIndex(state.shell, recent), recent.length, height);
  return top === state.shell.top ? state : { ...state, shell: { ...state.shell, top } };
}
