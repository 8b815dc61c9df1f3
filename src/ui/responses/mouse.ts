/** The mouse on the Responses screen: marks turns, places cursors, scrolls the pane under it, selects lines. Pure. */
import { visibleRows } from '../../lib/text-layout.ts';
import { GUTTER_CELLS } from '../kit/layout.ts';
import { type Cell, type Spot, within } from '../kit/mouse/spot.ts';
import { changeDraft } from './draft-commands.ts';
import { draftFrame, placeDraftCursor, scrollDraft } from './draft-rows.ts';
import { readingFrame, responsesLayout } from './frames.ts';
import { markTurn } from './list-commands.ts';
import { done, type ResponsesFacts, type ResponsesModel, type ResponsesOutcome } from './model.ts';
import { scrollReading } from './reading.ts';
import { changePlace } from './reading-commands.ts';
import { giveFocus } from './responses-commands.ts';
import { placeIn, type ReadingPlace, selectedIndex, selectedTurn } from './state.ts';

/** What is in a cell of the screen area. */
export function responsesSpot(
  state: ResponsesModel,
  facts: ResponsesFacts,
  cell: Cell,
): Spot<ResponsesOutcome> | null {
  const layout = responsesLayout(state, facts);
  const inList = within(layout.list, cell);
  if (inList !== null) return listSpot(state, facts, inList);
  const inReading = within(layout.reading, cell);
  if (inReading !== null) return readingSpot(state, facts, inReading);
  const inDraft = within(layout.draft, cell);
  return inDraft === null ? null : draftSpot(state, facts, inDraft);
}

/** A click on another screen ends insert mode, so that keys are commands there and after returning. */
export function leaveDraft(state: ResponsesModel): ResponsesModel {
  return changeDraft(state, { type: 'draft/mode', mode: 'normal' });
}

function listSpot(state: ResponsesModel, facts: ResponsesFacts, { y }: Cell): Spot<ResponsesOutcome> {
  const { turns } = facts.view;
  const index = state.responses.listTop + y;
  const wheel = (rows: number) =>
    done(markTurn(state, facts, selectedIndex(state.responses, turns) + Math.sign(rows)));
  const isTurn = y >= 0 && index < turns.length;
  const isAgain = state.responses.focus === 'list' && index === selectedIndex(state.responses, turns);
  return {
    wheel,
    press: () => {
      const focused = giveFocus(leaveDraft(state), facts, isTurn && isAgain ? 'reading' : 'list');
      return done(isTurn && !isAgain ? markTurn(focused, facts, index) : focused);
    },
  };
}

function readingSpot(state: ResponsesModel, facts: ResponsesFacts, { y }: Cell): Spot<ResponsesOutcome> {
  const focused = giveFocus(leaveDraft(state), facts, 'reading');
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null) return { press: () => done(focused) };
  const frame = readingFrame(state, facts, turn);
  const { top } = placeIn(state.responses, turn.id);
  const at = y < 0 ? undefined : visibleRows(frame.doc.lines, frame.spansOf, top, frame.height)[y];
  const put = (change: (place: ReadingPlace) => ReadingPlace) => done(changePlace(focused, facts, change));
  return {
    wheel: (rows) => done(changePlace(state, facts, (place) => scrollReading(place, rows, frame))),
    press: () =>
      at === undefined
        ? done(focused)
        : put((place) => ({ ...place, cursor: at, anchor: null, atEnd: false })),
    drag: () =>
      at === undefined
        ? done(state)
        : put((place) => ({ ...place, cursor: at, anchor: place.anchor ?? place.cursor.line, atEnd: false })),
  };
}

function draftSpot(state: ResponsesModel, facts: ResponsesFacts, { x, y }: Cell): Spot<ResponsesOutcome> {
  const focused = giveFocus(state, facts, 'draft');
  const { spansOf, height } = draftFrame(state, facts);
  const { lines } = state.draft.draft;
  const at = y < 0 ? undefined : visibleRows(lines, spansOf, state.responses.draftTop, height)[y];
  const column = Math.max(0, x - GUTTER_CELLS);
  return {
    wheel: (rows) => done(scrollDraft(state, facts, rows)),
    press: () => {
      if (at === undefined) return done(focused);
      const mode = focused.draft.mode === 'visual' ? 'normal' : focused.draft.mode;
      return done(placeDraftCursor(changeDraft(focused, { type: 'draft/mode', mode }), facts, at, column));
    },
    drag: () =>
      at === undefined || focused.draft.mode === 'insert'
        ? done(state)
        : done(
            placeDraftCursor(changeDraft(focused, { type: 'draft/mode', mode: 'visual' }), facts, at, column),
          ),
  };
}
