/** Commands of the response in view: movement, parts, selection. */

import { readingFrame } from './frames.ts';
import type { ResponsesModel } from './model.ts';
import { done, type ResponsesFacts, type ResponsesHandler, type ResponsesHandlers } from './model.ts';
import { moveReading, type ReadingMove } from './reading.ts';
import { focusOn, placeIn, type ReadingPlace, selectedTurn, withPlace } from './state.ts';

/** Changes the place in the marked response. */
export function changePlace(
  state: ResponsesModel,
  facts: ResponsesFacts,
  change: (place: ReadingPlace) => ReadingPlace,
): ResponsesModel {
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null) return state;
  const next = withPlace(state.responses, turn.id, change(placeIn(state.responses, turn.id)));
  return next === state.responses ? state : { ...state, responses: next };
}

/** Moves in the marked response. */
export function moveInResponse(
  state: ResponsesModel,
  facts: ResponsesFacts,
  move: ReadingMove,
): ResponsesModel {
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null) return state;
  const frame = readingFrame(state, facts, turn);
  return changePlace(state, facts, (place) => moveReading(place, move, frame));
}

const move =
  (by: ReadingMove): ResponsesHandler =>
  (state, facts) =>
    done(moveInResponse(state, facts, by));

const backToList: ResponsesHandler = (state, facts) =>
  done({ ...state, responses: focusOn(state.responses, 'list', facts.view.turns) });

export const readingCommands: ResponsesHandlers = {
  'move/down': move({ by: 'rows', count: 1 }),
  'move/up': move({ by: 'rows', count: -1 }),
  'move/page-down': move({ by: 'pages', count: 1 }),
  'move/page-up': move({ by: 'pages', count: -1 }),
  'move/half-down': move({ by: 'pages', count: 0.5 }),
  'move/half-up': move({ by: 'pages', count: -0.5 }),
  'move/first': move({ to: 'first' }),
  'move/last': move({ to: 'last' }),
  'part/next': move({ by: 'part', count: 1 }),
  'part/previous': move({ by: 'part', count: -1 }),
  'visual/start': (state, facts) =>
    done(changePlace(state, facts, (place) => ({ ...place, anchor: place.cursor.line }))),
  'focus/back': backToList,
  'reading/back': backToList,
};

export const readingVisualCommands: ResponsesHandlers = {
  ...readingCommands,
  'visual/leave': (state, facts) =>
    done(changePlace(state, facts, (place) => (place.anchor === null ? place : { ...place, anchor: null }))),
};
