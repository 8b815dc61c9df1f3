/** Makes places valid again after data or size changed: list, response and draft stay where the reader was. */

import { settleAgent } from '../agent/moves.ts';
import { listTop } from '../kit/list.ts';
import { settleDraft } from '../responses/draft-rows.ts';
import { listHeight, readingFrame } from '../responses/frames.ts';
import { settleReading } from '../responses/reading.ts';
import { placeIn, selectedIndex, withPlace } from '../responses/state.ts';
import { settleReview } from '../review/moves.ts';
import { settleShell } from '../shell/moves.ts';
import type { Facts } from './handler.ts';
import type { AppState } from './state.ts';

/** The state with every cursor in the text and in view; the same object when nothing was wrong. */
export function settle(state: AppState, facts: Facts): AppState {
  const responses = settleDraft(settleMarkedTurn(state, facts), facts);
  return settleShell(settleAgent(settleReview(responses, facts), facts), facts);
}

function settleMarkedTurn(state: AppState, facts: Facts): AppState {
  const { turns } = facts.view;
  const index = selectedIndex(state.responses, turns);
  const turn = turns[index];
  if (turn === undefined) return state;
  const top = listTop(state.responses.listTop, index, turns.length, listHeight(state, facts));
  const listed = top === state.responses.listTop ? state.responses : { ...state.responses, listTop: top };
  const place = placeIn(listed, turn.id);
  const responses = withPlace(listed, turn.id, settleReading(place, readingFrame(state, facts, turn)));
  return responses === state.responses ? state : { ...state, responses };
}
