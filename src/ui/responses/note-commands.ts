/** Notes in place: between the lines of the response. The draft stores them, but nothing else of it is shown. */
import { placeOfNote } from './answer-notes.ts';
import { changeDraft, moveDraftTo } from './draft-commands.ts';
import { readingFrame } from './frames.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOutcome,
  say,
} from './model.ts';
import { moveReading, rowAtCursor } from './reading.ts';
import { changePlace } from './reading-commands.ts';
import { focusOn, placeIn, selectedTurn } from './state.ts';

/** Whether a note is being written between the lines of the response. */
export function isWritingInPlace({ responses, draft }: ResponsesModel): boolean {
  return responses.focus === 'reading' && draft.mode === 'insert';
}

/** The draft line of the note under the reader's cursor; null on a response line. */
function noteAtCursor({ responses, ...state }: ResponsesModel, facts: ResponsesFacts): number | null {
  const turn = selectedTurn(responses, facts.view.turns);
  if (turn === null) return null;
  const frame = readingFrame({ ...state, responses }, facts, turn);
  return rowAtCursor(placeIn(responses, turn.id), frame)?.note ?? null;
}

const onNote =
  (use: (state: ResponsesModel, note: number) => ResponsesModel): ResponsesHandler =>
  (state, facts) => {
    const note = noteAtCursor(state, facts);
    if (note !== null) return done(use(state, note));
    return say(state, facts, 'info', `No note on this line. ${facts.keyOf('draft/note-below')} writes one.`);
  };

export const noteCommands: ResponsesHandlers = {
  'note/edit': onNote((state, note) =>
    changeDraft(moveDraftTo(state, note), { type: 'draft/insert', at: 'line-end' }),
  ),
  'note/delete': onNote((state, note) => changeDraft(state, { type: 'draft/remove-lines', indices: [note] })),
};

/** Ends writing; an empty note is removed. */
export function leaveNote(state: ResponsesModel): ResponsesModel {
  const { draft } = changeDraft(state, { type: 'draft/mode', mode: 'normal' });
  const left = { ...state, draft };
  const isEmpty = draft.draft.lines[draft.cursor.line]?.text.trim() === '';
  if (!isWritingInPlace(state) || !isOnNote(left) || !isEmpty) return left;
  return changeDraft(left, { type: 'draft/remove-lines', indices: [draft.cursor.line] });
}

/** Ignores an edit that would change a response line, such as Backspace at the start of a note. */
export function keepsResponse(edit: ResponsesHandler): ResponsesHandler {
  return (state, facts) => {
    const edited = edit(state, facts);
    if (!isWritingInPlace(state)) return edited;
    const isKept = isOnNote(edited.state) && responseLines(edited.state) === responseLines(state);
    return isKept ? edited : done(state);
  };
}

const isOnNote = ({ draft: { draft, cursor } }: ResponsesModel): boolean =>
  draft.lines[cursor.line]?.tag === 'note';

const responseLines = ({ draft }: ResponsesModel): number =>
  draft.draft.lines.filter(({ tag }) => tag === 'response').length;

/** Up and down in a note; beyond its first and last row, the cursor moves into the response. */
export function movesOut(rows: -1 | 1, move: ResponsesHandler): ResponsesHandler {
  return (state, facts) => {
    const moved = move(state, facts);
    if (!isWritingInPlace(state)) return moved;
    const isOut = !isOnNote(moved.state) || moved.state.draft.cursor === state.draft.cursor;
    return isOut ? readOn(state, facts, rows) : moved;
  };
}

function readOn(state: ResponsesModel, facts: ResponsesFacts, count: number): ResponsesOutcome {
  const turn = selectedTurn(state.responses, facts.view.turns);
  const left = leaveNote(state);
  if (turn === null) return done(left);
  const frame = readingFrame(left, facts, turn);
  return done(changePlace(left, facts, (place) => moveReading(place, { by: 'rows', count }, frame)));
}

/** Puts the reader's cursor on the note being written; opens the draft if the response in view lacks that note. */
export function settleNote(state: ResponsesModel, facts: ResponsesFacts): ResponsesModel {
  if (!isWritingInPlace(state)) return state;
  const turn = selectedTurn(state.responses, facts.view.turns);
  const frame = turn === null ? null : readingFrame(state, facts, turn);
  const at = frame === null ? null : placeOfNote(frame.doc, frame, state.draft.cursor);
  if (at === null) return { ...state, responses: focusOn(state.responses, 'draft', facts.view.turns) };
  const { line, row } = at;
  return changePlace(state, facts, (place) =>
    place.cursor.line === line && place.cursor.row === row
      ? place
      : { ...place, cursor: { line, row }, atEnd: false },
  );
}
