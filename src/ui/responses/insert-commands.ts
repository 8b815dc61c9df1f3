import { insertCommandsBy } from '../kit/editor.ts';
import { draftAction } from './draft-commands.ts';
import { moveDraftRows } from './draft-rows.ts';
import { done, type ResponsesHandler, type ResponsesHandlers } from './model.ts';
import { keepsResponse, leaveNote, movesOut } from './note-commands.ts';

const rows =
  (delta: number): ResponsesHandler =>
  (state, facts) =>
    done(moveDraftRows(state, facts, delta));

export const insertCommands: ResponsesHandlers = {
  ...insertCommandsBy((action) => keepsResponse(draftAction(action))),
  'insert/leave': (state) => done(leaveNote(state)),
  'insert/newline': draftAction({ type: 'draft/newline' }),
  'insert/up': movesOut(-1, rows(-1)),
  'insert/down': movesOut(1, rows(1)),
};
