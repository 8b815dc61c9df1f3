/** Commands of the list of turns: move the mark, read on Enter. */

import { listTop } from '../kit/list.ts';
import { listHeight } from './frames.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
} from './model.ts';
import { focusOn, selectedIndex } from './state.ts';

/** Marks the turn at `index`; the newest is followed rather than pinned. */
export function markTurn(state: ResponsesModel, facts: ResponsesFacts, index: number): ResponsesModel {
  const { turns } = facts.view;
  if (turns.length === 0) return state;
  const at = Math.max(0, Math.min(index, turns.length - 1));
  const { responses } = state;
  const turnId = at === 0 && responses.focus === 'list' ? null : (turns[at]?.id ?? null);
  const top = listTop(responses.listTop, at, turns.length, listHeight(state, facts));
  if (turnId === responses.turnId && top === responses.listTop) return state;
  return { ...state, responses: { ...responses, turnId, listTop: top } };
}

function move(
  delta: (state: ResponsesModel, facts: ResponsesFacts, total: number) => number,
): ResponsesHandler {
  return (state, facts) => {
    const index = selectedIndex(state.responses, facts.view.turns);
    return done(markTurn(state, facts, index + delta(state, facts, facts.view.turns.length)));
  };
}

const page = (state: ResponsesModel, facts: ResponsesFacts) => Math.max(1, listHeight(state, facts) - 1);

export const listCommands: ResponsesHandlers = {
  'move/down': move(() => 1),
  'move/up': move(() => -1),
  'move/page-down': move(page),
  'move/page-up': move((state, facts) => -page(state, facts)),
  'move/half-down': move((state, facts) => Math.max(1, Math.floor(page(state, facts) / 2))),
  'move/half-up': move((state, facts) => -Math.max(1, Math.floor(page(state, facts) / 2))),
  'move/first': move((_, __, total) => -total),
  'move/last': move((_, __, total) => total),
  'edge/first': move((_, __, total) => -total),
  'edge/last': move((_, __, total) => total),
  'list/open': (state, facts) =>
    done({ ...state, responses: focusOn(state.responses, 'reading', facts.view.turns) }),
};
