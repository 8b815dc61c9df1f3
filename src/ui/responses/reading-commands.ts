/** Commands of the response in view: movement, parts, selection. */

import { done, type Facts, type Handler, type Handlers } from '../app/handler.ts';
import type { AppState } from '../app/state.ts';
import { readingFrame } from './frames.ts';
import { moveReading, type ReadingMove } from './reading.ts';
import { focusOn, placeIn, type ReadingPlace, selectedTurn, withPlace } from './state.ts';

/** Changes the place in the marked response. */
export function changePlace(
  state: AppState,
  facts: Facts,
  change: (place: ReadingPlace) => ReadingPlace,
): AppState {
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null) return state;
  const next = withPlace(state.responses, turn.id, change(placeIn(state.responses, turn.id)));
  return next === state.responses ? state : { ...state, responses: next };
}

/** Moves in the marked response. */
export function moveInResponse(state: AppState, facts: Facts, move: ReadingMove): AppState {
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null) return state;
  const frame = readingFrame(state, facts, turn);
  return changePlace(state, facts, (place) => moveReading(place, move, frame));
}

const move =
  (by: ReadingMove): Handler =>
  (state, facts) =>
    done(moveInResponse(state, facts, by));

const backToList: Handler = (state, facts) =>
  done({ ...state, responses: focusOn(state.responses, 'list', facts.view.turns) });

export const readingCommands: Handlers = {
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

export const readingVisualCommands: Handlers = {
  ...readingCommands,
  'visual/leave': (state, facts) =>
    done(changePlace(state, facts, (place) => (place.anchor === null ? place : { ...place, anchor: null }))),
};
