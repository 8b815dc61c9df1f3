/** The draft as a pure reducer; returns the same object if nothing changed. One run of inserts is one undo step. */
import { assertNever } from '../../lib/result.ts';
import type { Draft } from '../../protocol/draft.ts';
import { type Cursor, clampCursor, type DraftMode } from './draft/cursor.ts';
import { record, redo, undo } from './draft/history.ts';
import {
  appendNotes,
  changeLine,
  deleteLines,
  insertNotes,
  openLine,
  putLines,
  removeLines,
  type Side,
} from './draft/line-edits.ts';
import { mergeText } from './draft/merge.ts';
import { type DraftChange, type DraftState, selectedRange } from './draft/model.ts';
import { type Motion, move } from './draft/motions.ts';
import { clearPulled, partId, pull } from './draft/pulls.ts';
import {
  deleteCharacters,
  type Erasure,
  erase,
  insertText,
  joinLines,
  pasteText,
  splitLine,
  textLines,
} from './draft/text-edits.ts';
import { type BufferLine, countNotes, type ExtractedNotes, extractNotes } from './notes.ts';

export { type DraftState, EMPTY_DRAFT, openDraft, selectedRange } from './draft/model.ts';
export { humanLines, turnOfPull } from './draft/pulls.ts';

/** The largest count before a motion. */
const MOTION_MAX_COUNT = 10_000;

/** Where insert mode begins. */
type InsertAt = 'cursor' | 'after' | 'line-start' | 'line-end';

export type DraftAction =
  | { readonly type: 'draft/move'; readonly motion: Motion; readonly count?: number }
  /** To a position that the caller computed: a visual row, a mouse click, a search hit. */
  | { readonly type: 'draft/cursor'; readonly cursor: Cursor }
  | { readonly type: 'draft/mode'; readonly mode: DraftMode }
  | { readonly type: 'draft/insert'; readonly at: InsertAt }
  /** An empty note beside the line, in insert mode. */
  | { readonly type: 'draft/open'; readonly side: Side }
  | { readonly type: 'draft/change-line' }
  | { readonly type: 'draft/type'; readonly text: string }
  | { readonly type: 'draft/newline' }
  | { readonly type: 'draft/erase'; readonly what: Erasure }
  /** Inserts the text erased last. */
  | { readonly type: 'draft/yank-killed' }
  | { readonly type: 'draft/delete-characters'; readonly count?: number }
  /** The selected lines, or `count` lines from the cursor. */
  | { readonly type: 'draft/delete-lines'; readonly count?: number }
  | { readonly type: 'draft/copy-lines'; readonly count?: number }
  | { readonly type: 'draft/put'; readonly side: Side }
  | { readonly type: 'draft/join' }
  /** Text from outside. */
  | { readonly type: 'draft/paste'; readonly text: string }
  /** `newest`: no response in the draft is newer. */
  | {
      readonly type: 'draft/pull';
      readonly turnId: string;
      readonly lines: readonly string[];
      readonly newest?: boolean;
    }
  /** Some lines of a response; `first` is the row of the first one, from 0. */
  | {
      readonly type: 'draft/pull-part';
      readonly turnId: string;
      readonly first: number;
      readonly lines: readonly string[];
      readonly newest?: boolean;
    }
  /** Lines of a response as notes. */
  | { readonly type: 'draft/pull-plain'; readonly lines: readonly string[] }
  | { readonly type: 'draft/clear-pulled' }
  /** Notes at the end; cursor and mode stay. */
  | { readonly type: 'draft/append'; readonly text: string }
  | { readonly type: 'draft/remove-lines'; readonly indices: readonly number[] }
  /** The draft's text as edited in `$EDITOR`. */
  | { readonly type: 'draft/merge-text'; readonly text: string }
  /** The draft as another client stored it. */
  | { readonly type: 'draft/replace'; readonly draft: Draft }
  | { readonly type: 'draft/undo' }
  | { readonly type: 'draft/redo' };

/** The state after `action`. */
export function reduceDraft(state: DraftState, action: DraftAction): DraftState {
  switch (action.type) {
    case 'draft/move':
      return moved(state, action.motion, action.count ?? 1);
    case 'draft/cursor':
      return placed(state, action.cursor);
    case 'draft/mode':
      return inMode(state, action.mode);
    case 'draft/insert':
      return inserting(state, action.at);
    case 'draft/type':
    case 'draft/newline':
    case 'draft/erase':
    case 'draft/yank-killed':
      return typed(state, action);
    case 'draft/undo':
    case 'draft/redo':
      return travelled(state, action.type === 'draft/undo' ? undo : redo);
    case 'draft/copy-lines':
      return copied(state, action.count ?? 1);
    case 'draft/open':
      return inserting(opened(state, openLine(state, action.side)), 'cursor');
    case 'draft/change-line':
      return inserting(opened(copied(state, 1), changeLine(state)), 'cursor');
    case 'draft/paste':
      return pasted(state, action.text);
    default:
      return reduceWhole(state, action);
  }
}

/** Changes of whole lines, each one undo step. */
function reduceWhole(state: DraftState, action: WholeAction): DraftState {
  switch (action.type) {
    case 'draft/delete-characters':
      return stepped(state, deleteCharacters(state, action.count ?? 1));
    case 'draft/delete-lines': {
      const { first, last } = rangeOf(state, action.count ?? 1);
      return stepped(copied(state, action.count ?? 1), deleteLines(state, first, last));
    }
    case 'draft/put':
      return stepped(state, putLines(state, action.side));
    case 'draft/join': {
      const { first, last } = selectedRange(state);
      return stepped(state, joinLines(state, first, Math.max(last, first + 1)));
    }
    case 'draft/pull':
    case 'draft/pull-part': {
      const { turnId, lines, newest = false } = action;
      const id =
        action.type === 'draft/pull' ? turnId : partId(turnId, action.first, action.first + lines.length - 1);
      return stepped(state, pull(state, { id, lines, isNewest: newest }));
    }
    case 'draft/pull-plain':
      return stepped(state, insertNotes(state, action.lines));
    case 'draft/clear-pulled':
      return stepped(state, clearPulled(state));
    case 'draft/append':
      return action.text === '' ? state : stepped(state, appendNotes(state, textLines(action.text)));
    case 'draft/remove-lines':
      return stepped(state, removeLines(state, action.indices));
    case 'draft/merge-text':
      return stepped(state, mergeText(state, action.text === '' ? [] : textLines(action.text)));
    case 'draft/replace':
      return replaced(state, action.draft);
    default:
      return assertNever(action);
  }
}

type WholeAction = Exclude<
  DraftAction,
  {
    type:
      | 'draft/move'
      | 'draft/cursor'
      | 'draft/mode'
      | 'draft/insert'
      | 'draft/type'
      | 'draft/newline'
      | 'draft/erase'
      | 'draft/yank-killed'
      | 'draft/undo'
      | 'draft/redo'
      | 'draft/copy-lines'
      | 'draft/open'
      | 'draft/change-line'
      | 'draft/paste';
  }
>;

/** The part of the draft to send, and the lines to ask about. */
export function extractDraftNotes({ lines, pulls }: Draft): ExtractedNotes {
  const buffer = lines.map(
    (line): BufferLine => ({ text: line.text, mark: line.tag, changed: line.changed }),
  );
  return extractNotes(buffer, pulls, { marks: 'firm' });
}

/** Counts non-empty notes by the tags of their lines alone: cheap enough for every frame. */
export function countDraftNotes({ lines }: Draft): number {
  return countNotes(lines.map(({ tag, text }) => (tag === 'note' ? text : null)));
}

export const draftText = ({ lines }: Draft): string => lines.map((line) => line.text).join('\n');

function moved(state: DraftState, motion: Motion, count: number): DraftState {
  let to = { cursor: state.cursor, goal: state.goal };
  for (let left = Math.min(count, MOTION_MAX_COUNT); left > 0; left -= 1) {
    to = move(state.draft, to.cursor, motion, { goal: to.goal, mode: state.mode });
  }
  const cursor = clampCursor(state.draft, to.cursor, state.mode);
  if (samePlace(cursor, state.cursor)) return to.goal === state.goal ? state : { ...state, goal: to.goal };
  return { ...closed(state), cursor, goal: to.goal };
}

function placed(state: DraftState, wanted: Cursor): DraftState {
  const cursor = clampCursor(state.draft, wanted, state.mode);
  return samePlace(cursor, state.cursor) ? state : { ...closed(state), cursor, goal: null };
}

function inMode(state: DraftState, mode: DraftMode): DraftState {
  if (mode === state.mode) return state;
  const from = closed(state);
  // As in vi: leaving insert mode moves onto the last typed character.
  const isLeaving = state.mode === 'insert' && mode === 'normal';
  const cursor = isLeaving
    ? move(from.draft, from.cursor, 'left', { goal: null, mode: 'normal' }).cursor
    : from.cursor;
  return {
    ...from,
    mode,
    anchor: mode === 'visual' ? cursor.line : null,
    cursor: clampCursor(from.draft, cursor, mode),
    goal: null,
  };
}

function inserting(state: DraftState, at: InsertAt): DraftState {
  const next: DraftState =
    state.mode === 'insert' ? state : { ...state, mode: 'insert', anchor: null, goal: null };
  if (at === 'cursor') return next;
  const motion = { after: 'right', 'line-start': 'first-character', 'line-end': 'line-end' } as const;
  if (at === 'after' && (next.draft.lines[next.cursor.line]?.text ?? '') === '') return next;
  return {
    ...next,
    cursor: move(next.draft, next.cursor, motion[at], { goal: null, mode: 'insert' }).cursor,
  };
}

type TypingAction = Extract<
  DraftAction,
  { type: 'draft/type' | 'draft/newline' | 'draft/erase' | 'draft/yank-killed' }
>;

/** A key in insert mode. In normal mode `draft/erase` is a separate step. */
function typed(state: DraftState, action: TypingAction): DraftState {
  switch (action.type) {
    case 'draft/type':
      return running(state, insertText(state, action.text));
    case 'draft/newline':
      return running(state, splitLine(state));
    case 'draft/yank-killed':
      return running(state, state.killed === '\n' ? splitLine(state) : insertText(state, state.killed));
    case 'draft/erase': {
      const erased = erase(state, action.what);
      if (erased === null) return state;
      const next = running(state, erased.change);
      // A single character is not worth restoring.
      return action.what.startsWith('character') ? next : { ...next, killed: erased.killed };
    }
    default:
      return assertNever(action);
  }
}

function pasted(state: DraftState, text: string): DraftState {
  if (text === '') return state;
  if (state.mode === 'insert') return running(state, pasteText(state, text));
  return stepped(state, insertNotes(state, textLines(text)));
}

function copied(state: DraftState, count: number): DraftState {
  const { first, last } = rangeOf(state, count);
  const register = state.draft.lines.slice(first, last + 1);
  if (register.length === 0) return state;
  return state.mode === 'visual'
    ? {
        ...state,
        register,
        mode: 'normal',
        anchor: null,
        cursor: clampCursor(state.draft, { line: first, offset: 0 }, 'normal'),
      }
    : { ...state, register };
}

function rangeOf(state: DraftState, count: number): { readonly first: number; readonly last: number } {
  if (state.anchor !== null) return selectedRange(state);
  const last = Math.min(state.cursor.line + count, state.draft.lines.length) - 1;
  return { first: state.cursor.line, last };
}

/** A change within the insert run; begins one if none is open. */
function running(state: DraftState, change: DraftChange | null): DraftState {
  if (change === null) return state;
  if (state.mode !== 'insert') return stepped(state, change);
  const run = state.run ?? { draft: state.draft, cursor: state.cursor };
  return { ...changed(state, change), run };
}

/** A change that begins an insert run. */
function opened(state: DraftState, change: DraftChange | null): DraftState {
  if (change === null) return state;
  const from = closed(state);
  return {
    ...changed({ ...from, mode: 'insert', anchor: null }, change),
    run: { draft: from.draft, cursor: from.cursor },
  };
}

/** A change that is one undo step. It ends the selection. */
function stepped(state: DraftState, change: DraftChange | null): DraftState {
  if (change === null) return state;
  const from = closed(state);
  const mode = from.mode === 'visual' ? 'normal' : from.mode;
  const next = changed({ ...from, mode, anchor: null }, change);
  return { ...next, history: record(from.history, from, next) };
}

function changed(state: DraftState, { lines, pulls, nextLineId, cursor }: DraftChange): DraftState {
  const draft: Draft = {
    // Never modified in place; the stored type is a plain array.
    lines: (lines as Draft['lines'] | undefined) ?? state.draft.lines,
    pulls: pulls ?? state.draft.pulls,
    nextLineId: nextLineId ?? state.draft.nextLineId,
  };
  return { ...state, draft, cursor: clampCursor(draft, cursor ?? state.cursor, state.mode), goal: null };
}

/** Ends the insert run and makes it one step. */
function closed(state: DraftState): DraftState {
  return state.run === null
    ? state
    : { ...state, run: null, history: record(state.history, state.run, state) };
}

function travelled(state: DraftState, travel: typeof undo): DraftState {
  const from = closed(state);
  const to = travel(from.history, from.draft);
  if (to === null) return from;
  const mode = from.mode === 'visual' ? 'normal' : from.mode;
  const { draft, cursor } = to.moment;
  return {
    ...from,
    mode,
    anchor: null,
    goal: null,
    history: to.history,
    draft,
    cursor: clampCursor(draft, cursor, mode),
  };
}

function replaced(state: DraftState, draft: Draft): DraftState {
  if (draft === state.draft) return state;
  const id = state.draft.lines[state.cursor.line]?.id;
  const line = draft.lines.findIndex((each) => each.id === id);
  return stepped(state, {
    ...draft,
    cursor: line < 0 ? state.cursor : { line, offset: state.cursor.offset },
  });
}

const samePlace = (a: Cursor, b: Cursor): boolean => a.line === b.line && a.offset === b.offset;
