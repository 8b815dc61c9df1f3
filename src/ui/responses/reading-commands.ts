/** Commands of the response in view: movement, parts, selection. */

import { readingFrame } from './frames.ts';
import { markTurn } from './list-commands.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
} from './model.ts';
import { moveReading, type ReadingMove, scrollReading } from './reading.ts';
import { focusOn, placeIn, type ReadingPlace, selectedIndex, selectedTurn, withPlace } from './state.ts';

/** Changes the position in the marked response. */
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

const scroll =
  (rows: number): ResponsesHandler =>
  (state, facts) => {
    const shown = selectedTurn(state.responses, facts.view.turns);
    if (shown === null) return done(state);
    const frame = readingFrame(state, facts, shown);
    return done(changePlace(state, facts, (place) => scrollReading(place, rows, frame)));
  };

/** Goes to another response and keeps the focus. */
const turn =
  (step: number): ResponsesHandler =>
  (state, facts) =>
    done(markTurn(state, facts, selectedIndex(state.responses, facts.view.turns) + step));

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
  'edge/first': move({ to: 'first' }),
  'edge/last': move({ to: 'last' }),
  'reading/scroll-down': scroll(1),
  'reading/scroll-up': scroll(-1),
  'turn/next': turn(1),
  'turn/previous': turn(-1),
  'part/next': move({ by: 'part', count: 1 }),
  'part/previous': move({ by: 'part', count: -1 }),
  'visual/start': (state, facts) =>
    done(changePlace(state, facts, (place) => ({ ...place, anchor: place.cursor.line }))),
  'reading/form': (state) =>
    done({
      ...state,
      responses: { ...state.responses, form: state.responses.form === 'read' ? 'source' : 'read' },
    }),
  'focus/back': backToList,
  'reading/back': backToList,
};

export const readingVisualCommands: ResponsesHandlers = {
  ...readingCommands,
  'visual/leave': (state, facts) =>
    done(changePlace(state, facts, (place) => (place.anchor === null ? place : { ...place, anchor: null }))),
};
