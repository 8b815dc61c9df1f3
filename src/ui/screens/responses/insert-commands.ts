/** Commands of insert mode: the keys that readline users know. */
import { done, type Handler, type Handlers } from '../../commands/handler.ts';
import { draftAction } from './draft-commands.ts';
import { moveDraftRows } from './draft-rows.ts';

const rows =
  (delta: number): Handler =>
  (state, facts) =>
    done(moveDraftRows(state, facts, delta));

export const insertCommands: Handlers = {
  'insert/leave': draftAction({ type: 'draft/mode', mode: 'normal' }),
  'insert/newline': draftAction({ type: 'draft/newline' }),
  'insert/tab': draftAction({ type: 'draft/type', text: '\t' }),
  'insert/left': draftAction({ type: 'draft/move', motion: 'left' }),
  'insert/right': draftAction({ type: 'draft/move', motion: 'right' }),
  'insert/up': rows(-1),
  'insert/down': rows(1),
  'insert/line-start': draftAction({ type: 'draft/move', motion: 'line-start' }),
  'insert/line-end': draftAction({ type: 'draft/move', motion: 'line-end' }),
  'insert/word': draftAction({ type: 'draft/move', motion: 'word' }),
  'insert/word-back': draftAction({ type: 'draft/move', motion: 'word-back' }),
  'insert/delete-back': draftAction({ type: 'draft/erase', what: 'character-back' }),
  'insert/delete': draftAction({ type: 'draft/erase', what: 'character' }),
  'insert/delete-word': draftAction({ type: 'draft/erase', what: 'blank-word-back' }),
  'insert/delete-to-end': draftAction({ type: 'draft/erase', what: 'to-line-end' }),
  'insert/delete-to-start': draftAction({ type: 'draft/erase', what: 'to-line-start' }),
  'insert/yank': draftAction({ type: 'draft/yank-killed' }),
};
