import { INSERT_EDITS } from '../kit/editor.ts';
import { draftAction } from './draft-commands.ts';
import { moveDraftRows } from './draft-rows.ts';
import { done, type ResponsesHandler, type ResponsesHandlers } from './model.ts';
import { keepsResponse, leaveNote, movesOut } from './note-commands.ts';

const rows =
  (delta: number): ResponsesHandler =>
  (state, facts) =>
    done(moveDraftRows(state, facts, delta));

const edits = Object.fromEntries(
  Object.entries(INSERT_EDITS).map(([name, action]): [string, ResponsesHandler] => [
    name,
    keepsResponse(draftAction(action)),
  ]),
);

export const insertCommands: ResponsesHandlers = {
  ...edits,
  'insert/leave': (state) => done(leaveNote(state)),
  'insert/newline': draftAction({ type: 'draft/newline' }),
  'insert/up': movesOut(-1, rows(-1)),
  'insert/down': movesOut(1, rows(1)),
};
