/** Commands of the list of turns: move the mark, read on Enter. */

import { listTop } from '../kit/list.ts';
import { type MoveRows, moveCommands } from '../kit/moves.ts';
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

const move =
  (rows: MoveRows): ResponsesHandler =>
  (state, facts) => {
    const page = Math.max(1, listHeight(state, facts) - 1);
    const index = selectedIndex(state.responses, facts.view.turns);
    return done(markTurn(state, facts, index + rows(page, facts.view.turns.length)));
  };

export const listCommands: ResponsesHandlers = {
  ...moveCommands(move),
  'edge/first': move((_, total) => -total),
  'edge/last': move((_, total) => total),
  'list/open': (state, facts) =>
    done({ ...state, responses: focusOn(state.responses, 'reading', facts.view.turns) }),
};
