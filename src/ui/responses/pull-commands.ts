/** Pulling the marked response into the draft, whole, in part or as plain text, and writing a note on a line of it. */
import type { Turn } from '../../protocol/turn.ts';
import { turnOfPull } from '../../responses/core/draft.ts';
import { count } from '../kit/time.ts';
import { rowInTurn } from './answer-notes.ts';
import { changeDraft, moveDraftTo } from './draft-commands.ts';
import { isDraftOpen, isDraftSeen, readingFrame, responsesLayout } from './frames.ts';
import { aiOf, isBeingWritten } from './list-view.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOutcome,
  say,
} from './model.ts';
import { partAt, rowAtCursor, selectedLines } from './reading.ts';
import { changePlace } from './reading-commands.ts';
import { giveFocus } from './responses-commands.ts';
import { placeIn, type ReadingPlace, selectedTurn } from './state.ts';

const NOTHING_TO_PULL = 'Failed to pull response or no response found';
/** Such a response is only a preview: its own text comes with its session file. */
const STILL_WRITTEN = 'The AI is still writing this response. Pull it when it is complete.';

interface Piece {
  readonly turn: Turn;
  readonly lines: readonly string[];
  /** First row of the piece; null for the whole response. */
  readonly first: number | null;
}

/** What `p` refers to now: the selection if there is one, else the whole response. */
function pieceOf(state: ResponsesModel, facts: ResponsesFacts): Piece | null {
  const turn = selectedTurn(state.responses, facts.view.turns);
  if (turn === null || turn.response.trim() === '') return null;
  const lines = facts.docs(turn).raw;
  const selection =
    state.responses.focus === 'reading' ? selectedLines(placeIn(state.responses, turn.id)) : null;
  if (selection === null) return { turn, lines, first: null };
  return { turn, lines: lines.slice(selection.first, selection.last + 1), first: selection.first };
}

function pulled(
  state: ResponsesModel,
  facts: ResponsesFacts,
  { turn, lines, first }: Piece,
): ResponsesOutcome {
  const newest = isNewest(state, facts, turn);
  const next = changeDraft(
    state,
    first === null
      ? { type: 'draft/pull', turnId: turn.id, lines, newest }
      : { type: 'draft/pull-part', turnId: turn.id, first, lines, newest },
  );
  if (next === state) return say(state, facts, 'warn', NOTHING_TO_PULL);
  return say(arrived(next, facts), facts, 'ok', `Pulled ${count(lines.length, 'response line')}`);
}

/** Whether no response in the draft is newer than this turn. One that left the list counts as older. */
function isNewest(state: ResponsesModel, { view }: ResponsesFacts, turn: Turn): boolean {
  const newer = view.turns.slice(
    0,
    view.turns.findIndex(({ id }) => id === turn.id),
  );
  return !state.draft.draft.pulls.some(({ turnId }) => newer.some(({ id }) => id === turnOfPull(turnId)));
}

/** Ends the selection and focuses the draft. */
function arrived(state: ResponsesModel, facts: ResponsesFacts): ResponsesModel {
  const dropped = changePlace(state, facts, (place) =>
    place.anchor === null ? place : { ...place, anchor: null },
  );
  return giveFocus(dropped, facts, 'draft');
}

const withPiece =
  (use: (state: ResponsesModel, facts: ResponsesFacts, piece: Piece) => ResponsesOutcome): ResponsesHandler =>
  (state, facts) => {
    const piece = pieceOf(state, facts);
    if (piece !== null) return use(state, facts, piece);
    const turn = selectedTurn(state.responses, facts.view.turns);
    const isEarly = turn !== null && isBeingWritten(turn, aiOf(facts));
    return say(state, facts, 'warn', isEarly ? STILL_WRITTEN : NOTHING_TO_PULL);
  };

const noteToLine = (side: 'above' | 'below'): ResponsesHandler =>
  withPiece((state, facts, { turn }) => {
    const place = placeIn(state.responses, turn.id);
    const at = rowAtCursor(place, readingFrame(state, facts, turn))?.note ?? indexOfRow(state, turn, place);
    const ready = at === -1 ? withResponse(state, facts, turn) : state;
    const index = at === -1 ? indexOfRow(ready, turn, place) : at;
    const there = index === -1 ? ready : moveDraftTo(ready, index);
    const isSeen = isDraftSeen(responsesLayout(state, facts));
    const noted = changeDraft(isSeen ? arrived(there, facts) : there, { type: 'draft/open', side });
    return done({ ...noted, responses: { ...noted.responses, isDraftOpen: isDraftOpen(state) } });
  });

function withResponse(state: ResponsesModel, facts: ResponsesFacts, turn: Turn): ResponsesModel {
  const { raw } = facts.docs(turn);
  return changeDraft(state, {
    type: 'draft/pull',
    turnId: turn.id,
    lines: raw,
    newest: isNewest(state, facts, turn),
  });
}

/** The cursor line's position in the draft; -1 if it is not there. */
function indexOfRow({ draft }: ResponsesModel, turn: Turn, { cursor }: ReadingPlace): number {
  return draft.draft.lines.findIndex((line) => rowInTurn(line, turn.id) === cursor.line);
}

/** `o` in the list: a note at the draft's cursor. */
const noteInDraft =
  (side: 'above' | 'below'): ResponsesHandler =>
  (state, facts) =>
    done(changeDraft(giveFocus(state, facts, 'draft'), { type: 'draft/open', side }));

export const pullCommands: ResponsesHandlers = {
  'response/pull': withPiece(pulled),
  'response/pull-plain': withPiece((state, facts, { lines }) =>
    say(
      arrived(changeDraft(state, { type: 'draft/pull-plain', lines }), facts),
      facts,
      'ok',
      `Pulled ${count(lines.length, 'line')} as plain text`,
    ),
  ),
  'draft/note-below': noteInDraft('below'),
  'draft/note-above': noteInDraft('above'),
};

/** Only for a response in view. */
export const readingPullCommands: ResponsesHandlers = {
  'response/pull-part': withPiece((state, facts, { turn }) => {
    const doc = facts.docs(turn);
    const { first, last } = partAt(doc, placeIn(state.responses, turn.id).cursor.line);
    const lines = doc.raw.slice(first, last + 1);
    return pulled(state, facts, { turn, lines, first });
  }),
  'draft/note-below': noteToLine('below'),
  'draft/note-above': noteToLine('above'),
};
