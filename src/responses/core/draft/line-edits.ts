/** Edits of whole lines: new notes, delete, copy, put. A tag moves with its line; lines from outside are notes. */
import type { DraftLine } from '../../../protocol/draft.ts';
import {
  cursorLine,
  type DraftChange,
  type DraftState,
  noteLine,
  noteLines,
  selectedRange,
  splice,
} from './model.ts';

export type Side = 'above' | 'below';

/** An empty note beside the cursor's line. */
export function openLine({ draft, cursor }: DraftState, side: Side): DraftChange {
  const index = draft.lines.length === 0 ? 0 : cursor.line + (side === 'below' ? 1 : 0);
  const note = noteLine(draft.nextLineId, '');
  return {
    lines: splice(draft.lines, index, 0, [note]),
    nextLineId: draft.nextLineId + 1,
    cursor: { line: index, offset: 0 },
  };
}

/** Notes below the cursor's line (or the selection): a paste outside insert mode, a pull as plain text. */
export function insertNotes(state: DraftState, texts: readonly string[]): DraftChange | null {
  if (texts.length === 0) return null;
  const { draft } = state;
  const index = draft.lines.length === 0 ? 0 : selectedRange(state).last + 1;
  const notes = noteLines(draft, texts);
  return {
    lines: splice(draft.lines, index, 0, notes),
    nextLineId: draft.nextLineId + notes.length,
    cursor: { line: index + notes.length - 1, offset: 0 },
  };
}

/** Appends notes and leaves the cursor where it is: `copane append`. */
export function appendNotes({ draft }: DraftState, texts: readonly string[]): DraftChange | null {
  if (texts.length === 0) return null;
  const notes = noteLines(draft, texts);
  return { lines: [...draft.lines, ...notes], nextLineId: draft.nextLineId + notes.length };
}

/** Deletes the lines `first` to `last`. */
export function deleteLines({ draft }: DraftState, first: number, last: number): DraftChange | null {
  if (draft.lines[first] === undefined) return null;
  return {
    lines: splice(draft.lines, first, last - first + 1, []),
    cursor: { line: first, offset: 0 },
  };
}

/** Deletes the lines at these indices: sent notes. */
export function removeLines({ draft, cursor }: DraftState, indices: readonly number[]): DraftChange | null {
  const gone = new Set(indices.filter((index) => draft.lines[index] !== undefined));
  if (gone.size === 0) return null;
  const above = [...gone].filter((index) => index < cursor.line).length;
  return {
    lines: draft.lines.filter((_, index) => !gone.has(index)),
    cursor: { line: cursor.line - above, offset: gone.has(cursor.line) ? 0 : cursor.offset },
  };
}

/** `cc`: replaces the line by an empty note, whoever wrote it. */
export function changeLine(state: DraftState): DraftChange | null {
  const line = cursorLine(state);
  if (line === undefined) return null;
  const { draft, cursor } = state;
  return {
    lines: splice(draft.lines, cursor.line, 1, [noteLine(line.id, '')]),
    cursor: { line: cursor.line, offset: 0 },
  };
}

/** Puts the register beside the cursor's line; a copy of a response line is a response line. */
export function putLines({ draft, cursor, register }: DraftState, side: Side): DraftChange | null {
  if (register.length === 0) return null;
  const index = draft.lines.length === 0 ? 0 : cursor.line + (side === 'below' ? 1 : 0);
  const copies = register.map((line, at): DraftLine => ({ ...line, id: draft.nextLineId + at }));
  return {
    lines: splice(draft.lines, index, 0, copies),
    nextLineId: draft.nextLineId + copies.length,
    cursor: { line: index, offset: 0 },
  };
}
