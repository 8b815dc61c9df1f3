import { INSERT_EDITS } from '../kit/editor.ts';
import { draftAction } from './draft-commands.ts';
import { moveDraftRows } from './draft-rows.ts';
import { done, type ResponsesHandler, type ResponsesHandlers } from './model.ts';

const rows =
  (delta: number): ResponsesHandler =>
  (state, facts) =>
    done(moveDraftRows(state, facts, delta));

const edits = Object.fromEntries(
  Object.entries(INSERT_EDITS).map(([name, action]): [string, ResponsesHandler] => [
    name,
    draftAction(action),
  ]),
);

export const insertCommands: ResponsesHandlers = {
  ...edits,
  'insert/leave': draftAction({ type: 'draft/mode', mode: 'normal' }),
  'insert/newline': draftAction({ type: 'draft/newline' }),
  'insert/up': rows(-1),
  'insert/down': rows(1),
};
