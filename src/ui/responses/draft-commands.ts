/** The draft's commands in normal and visual mode: keys to actions of the one draft reducer. */

import { type DraftAction, draftText, reduceDraft } from '../../responses/core/draft.ts';
import { moveCommands } from '../kit/moves.ts';
import { count } from '../kit/time.ts';
import { draftFrame, moveDraftRows } from './draft-rows.ts';
import { draftSelection } from './draft-state.ts';
import {
  done,
  type ResponsesFacts,
  type ResponsesHandler,
  type ResponsesHandlers,
  type ResponsesModel,
  type ResponsesOutcome,
  say,
} from './model.ts';
import { openPreview } from './preview-commands.ts';
import { focusOn } from './state.ts';

/** The state after draft actions. */
export function changeDraft(state: ResponsesModel, ...actions: readonly DraftAction[]): ResponsesModel {
  const draft = actions.reduce(reduceDraft, state.draft);
  return draft === state.draft ? state : { ...state, draft };
}

export const draftAction =
  (...actions: readonly DraftAction[]): ResponsesHandler =>
  (state) =>
    done(changeDraft(state, ...actions));

const rows =
  (delta: (height: number) => number): ResponsesHandler =>
  (state, facts) =>
    done(moveDraftRows(state, facts, delta(draftFrame(state, facts).height)));

/** Moves the cursor to a line. */
export function moveDraftTo(state: ResponsesModel, line: number): ResponsesModel {
  return changeDraft(state, { type: 'draft/cursor', cursor: { line, offset: 0 } });
}

/** Adds text that was typed or pasted while the draft has the focus. */
export function typeInDraft(state: ResponsesModel, text: string, how: 'type' | 'paste'): ResponsesOutcome {
  return done(
    changeDraft(state, how === 'paste' ? { type: 'draft/paste', text } : { type: 'draft/type', text }),
  );
}

/** Removes sent notes from the draft; response lines stay. Undo restores them. */
export function withoutSent(
  state: ResponsesModel,
  lineIds: readonly number[],
  clearPulled: boolean,
): ResponsesModel {
  const ids = new Set(lineIds);
  const indices = state.draft.draft.lines.flatMap((line, index) => (ids.has(line.id) ? [index] : []));
  const cleared = changeDraft(state, { type: 'draft/remove-lines', indices });
  return clearPulled ? changeDraft(cleared, { type: 'draft/clear-pulled' }) : cleared;
}

/** Announces the undo: the previous action's message may still be shown but is no longer true. */
const undone =
  (action: DraftAction, words: string, nothing: string): ResponsesHandler =>
  (state, facts) => {
    const next = changeDraft(state, action);
    return say(next, facts, 'info', next.draft.draft === state.draft.draft ? nothing : words);
  };

const movement: ResponsesHandlers = {
  ...moveCommands((by) => rows((height) => by(Math.max(1, height - 1), height))),
  'move/first': draftAction({ type: 'draft/move', motion: 'first-line' }),
  'move/last': draftAction({ type: 'draft/move', motion: 'last-line' }),
  'move/left': draftAction({ type: 'draft/move', motion: 'left' }),
  'move/right': draftAction({ type: 'draft/move', motion: 'right' }),
  'move/word': draftAction({ type: 'draft/move', motion: 'word' }),
  'move/word-back': draftAction({ type: 'draft/move', motion: 'word-back' }),
  'move/word-end': draftAction({ type: 'draft/move', motion: 'word-end' }),
  'move/line-start': draftAction({ type: 'draft/move', motion: 'line-start' }),
  'move/first-character': draftAction({ type: 'draft/move', motion: 'first-character' }),
  'move/line-end': draftAction({ type: 'draft/move', motion: 'line-end' }),
  'move/paragraph': draftAction({ type: 'draft/move', motion: 'paragraph' }),
  'move/paragraph-back': draftAction({ type: 'draft/move', motion: 'paragraph-back' }),
};

export const draftCommands: ResponsesHandlers = {
  ...movement,
  'focus/back': (state, facts) => {
    const responses = focusOn(state.responses, 'list', facts.view.turns);
    return done({ ...state, responses: { ...responses, isDraftOpen: false } });
  },
  'visual/start': draftAction({ type: 'draft/mode', mode: 'visual' }),
  'draft/insert': draftAction({ type: 'draft/insert', at: 'cursor' }),
  'draft/append': draftAction({ type: 'draft/insert', at: 'after' }),
  'draft/insert-start': draftAction({ type: 'draft/insert', at: 'line-start' }),
  'draft/append-end': draftAction({ type: 'draft/insert', at: 'line-end' }),
  'draft/note-below': draftAction({ type: 'draft/open', side: 'below' }),
  'draft/note-above': draftAction({ type: 'draft/open', side: 'above' }),
  'draft/change-line': draftAction({ type: 'draft/change-line' }),
  'draft/delete': draftAction({ type: 'draft/delete-characters' }),
  'draft/delete-line': draftAction({ type: 'draft/delete-lines' }),
  'draft/put-below': draftAction({ type: 'draft/put', side: 'below' }),
  'draft/join': draftAction({ type: 'draft/join' }),
  'draft/clear-pulled': undone(
    { type: 'draft/clear-pulled' },
    'Cleared the pulled lines',
    'No pulled lines to clear',
  ),
  'edit/undo': undone({ type: 'draft/undo' }, 'Undone', 'Nothing to undo'),
  'edit/redo': undone({ type: 'draft/redo' }, 'Redone', 'Nothing to redo'),
  copy: (state) => done(state, { kind: 'copy', text: draftText(state.draft.draft), what: 'the draft' }),
  'copy/line': (state) => {
    const { draft, cursor } = state.draft;
    const text = draft.lines[cursor.line]?.text ?? '';
    return done(changeDraft(state, { type: 'draft/copy-lines' }), { kind: 'copy', text, what: 'the line' });
  },
  'edit/external': (state) =>
    done(state, {
      kind: 'edit-draft',
      text: draftText(state.draft.draft),
      line: state.draft.cursor.line + 1,
    }),
};

export const draftVisualCommands: ResponsesHandlers = {
  ...movement,
  'visual/leave': draftAction({ type: 'draft/mode', mode: 'normal' }),
  'draft/delete-selection': draftAction({ type: 'draft/delete-lines' }),
  'draft/send': (state) =>
    done(
      openPreview(changeDraft(state, { type: 'draft/mode', mode: 'normal' }), draftSelection(state.draft)),
    ),
  copy: copySelection,
};

function copySelection(state: ResponsesModel, _facts: ResponsesFacts): ResponsesOutcome {
  const selection = draftSelection(state.draft);
  if (selection === null) return done(state);
  const lines = state.draft.draft.lines.slice(selection.first, selection.last + 1);
  return done(changeDraft(state, { type: 'draft/copy-lines' }), {
    kind: 'copy',
    text: lines.map((line) => line.text).join('\n'),
    what: count(lines.length, 'line'),
  });
}
