/** Commands of insert mode: the keys that readline users know. */
import type { DraftAction } from '../../responses/core/draft.ts';
import { done, type Handler, type Handlers } from '../app/handler.ts';
import type { Action } from '../app/key-table.ts';
import { draftAction } from './draft-commands.ts';
import { moveDraftRows } from './draft-rows.ts';

const rows =
  (delta: number): Handler =>
  (state, facts) =>
    done(moveDraftRows(state, facts, delta));

/** What the keys of insert mode do to a text, wherever one is written. */
export const INSERT_EDITS = {
  'insert/tab': { type: 'draft/type', text: '\t' },
  'insert/left': { type: 'draft/move', motion: 'left' },
  'insert/right': { type: 'draft/move', motion: 'right' },
  'insert/line-start': { type: 'draft/move', motion: 'line-start' },
  'insert/line-end': { type: 'draft/move', motion: 'line-end' },
  'insert/word': { type: 'draft/move', motion: 'word' },
  'insert/word-back': { type: 'draft/move', motion: 'word-back' },
  'insert/delete-back': { type: 'draft/erase', what: 'character-back' },
  'insert/delete': { type: 'draft/erase', what: 'character' },
  'insert/delete-word': { type: 'draft/erase', what: 'blank-word-back' },
  'insert/delete-to-end': { type: 'draft/erase', what: 'to-line-end' },
  'insert/delete-to-start': { type: 'draft/erase', what: 'to-line-start' },
  'insert/yank': { type: 'draft/yank-killed' },
} as const satisfies Partial<Record<Action, DraftAction>>;

const edits = Object.fromEntries(
  Object.entries(INSERT_EDITS).map(([name, action]): [string, Handler] => [name, draftAction(action)]),
);

export const insertCommands: Handlers = {
  ...edits,
  'insert/leave': draftAction({ type: 'draft/mode', mode: 'normal' }),
  'insert/newline': draftAction({ type: 'draft/newline' }),
  'insert/up': rows(-1),
  'insert/down': rows(1),
};
