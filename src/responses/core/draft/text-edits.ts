/** Edits inside lines: typing, erasing, splitting, joining, paste. Null: no change. Typed text is the user's. */
import type { DraftLine } from '../../../protocol/draft.ts';
import { type Cursor, graphemeStops } from './cursor.ts';
import {
  cursorLine,
  type DraftChange,
  type DraftState,
  joinedLine,
  noteLine,
  noteLines,
  splice,
  withText,
} from './model.ts';
import { wordStartBefore } from './motions.ts';

/** What a readline key deletes. */
export type Erasure =
  | 'character-back'
  | 'character'
  | 'word-back'
  | 'blank-word-back'
  | 'to-line-start'
  | 'to-line-end';

/** A change, and the text it deleted. */
export interface Erased {
  readonly change: DraftChange;
  readonly killed: string;
}

/** Lines of text from outside: accepts any line end, and ignores one at the very end. */
export function textLines(text: string): readonly string[] {
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
}

/** Inserts `text`, which has no line end, at the cursor. */
export function insertText(state: DraftState, text: string): DraftChange | null {
  if (text === '') return null;
  const { draft, cursor } = state;
  const line = cursorLine(state);
  if (line === undefined) {
    return {
      lines: [noteLine(draft.nextLineId, text)],
      nextLineId: draft.nextLineId + 1,
      cursor: at(0, text.length),
    };
  }
  const joined = line.text.slice(0, cursor.offset) + text + line.text.slice(cursor.offset);
  return {
    lines: splice(draft.lines, cursor.line, 1, [withText(draft, line, joined)]),
    cursor: at(cursor.line, cursor.offset + text.length),
  };
}

/** Enter: at an edge of the line, a new note above or below it; in the middle, two lines with the same tag. */
export function splitLine(state: DraftState): DraftChange {
  const { draft, cursor } = state;
  const line = cursorLine(state);
  const id = draft.nextLineId;
  const below = at(cursor.line + 1, 0);
  if (line === undefined) return { lines: [noteLine(id, '')], nextLineId: id + 1, cursor: at(0, 0) };
  const [head, tail] = [line.text.slice(0, cursor.offset), line.text.slice(cursor.offset)];
  const isEdge = head === '' || tail === '';
  if (isEdge && line.tag === 'response') {
    const added = noteLine(id, '');
    const pair = tail === '' ? [line, added] : [added, line];
    return { lines: splice(draft.lines, cursor.line, 1, pair), nextLineId: id + 1, cursor: below };
  }
  const halves = [
    { ...line, text: head },
    { ...line, id, text: tail },
  ];
  return { lines: splice(draft.lines, cursor.line, 1, halves), nextLineId: id + 1, cursor: below };
}

/** Pasted text in insert mode. Whole lines are always notes: a response line at the cursor is split around them. */
export function pasteText(state: DraftState, text: string): DraftChange | null {
  const parts = text.replace(/\r\n?/g, '\n').split('\n');
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return insertText(state, first);
  const { draft, cursor } = state;
  const line = cursorLine(state);
  const [head, tail] = [line?.text.slice(0, cursor.offset) ?? '', line?.text.slice(cursor.offset) ?? ''];
  const isResponse = line?.tag === 'response' && line.text.trim() !== '';
  if (line !== undefined && isResponse) return pasteBetweenHalves(state, line, { head, tail, parts });
  const ids = noteLines(draft, parts);
  const lines = ids.map((note, index) => ({
    ...note,
    id: index === 0 && line !== undefined ? line.id : note.id,
    text: (index === 0 ? head : '') + note.text + (index === ids.length - 1 ? tail : ''),
  }));
  return {
    lines: splice(draft.lines, cursor.line, 1, lines),
    nextLineId: draft.nextLineId + lines.length,
    cursor: at(cursor.line + parts.length - 1, last.length),
  };
}

interface Halves {
  readonly head: string;
  readonly tail: string;
  readonly parts: readonly string[];
}

function pasteBetweenHalves(
  { draft, cursor }: DraftState,
  line: DraftLine,
  { head, tail, parts }: Halves,
): DraftChange {
  const pasted = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  const notes = noteLines(draft, pasted);
  const next = draft.nextLineId + notes.length;
  const above = head === '' ? [] : [{ ...line, text: head }];
  const below = tail === '' ? [] : [{ ...line, id: head === '' ? line.id : next, text: tail }];
  return {
    lines: splice(draft.lines, cursor.line, 1, [...above, ...notes, ...below]),
    nextLineId: next + 1,
    cursor: at(cursor.line + above.length + notes.length - 1, notes.at(-1)?.text.length ?? 0),
  };
}

/** Erases text at the cursor; erasing across a line's beginning or end joins two lines. */
export function erase(state: DraftState, what: Erasure): Erased | null {
  const { draft, cursor } = state;
  const line = cursorLine(state);
  if (line === undefined) return null;
  const [from, to] = erasedRange(line.text, cursor.offset, what);
  if (from === to) return joinOver(state, what);
  const text = line.text.slice(0, from) + line.text.slice(to);
  return {
    change: {
      lines: splice(draft.lines, cursor.line, 1, [withText(draft, line, text)]),
      cursor: at(cursor.line, from),
    },
    killed: line.text.slice(from, to),
  };
}

function erasedRange(text: string, offset: number, what: Erasure): readonly [from: number, to: number] {
  const stops = graphemeStops(text);
  switch (what) {
    case 'character-back':
      return [stops.findLast((stop) => stop < offset) ?? offset, offset];
    case 'character':
      return [offset, stops.find((stop) => stop > offset) ?? offset];
    case 'word-back':
      return [wordStartBefore(text, offset, 'word'), offset];
    case 'blank-word-back':
      return [wordStartBefore(text, offset, 'blank'), offset];
    case 'to-line-start':
      return [0, offset];
    case 'to-line-end':
      return [offset, text.length];
  }
}

function joinOver({ draft, cursor }: DraftState, what: Erasure): Erased | null {
  const isForward = what === 'character' || what === 'to-line-end';
  const upper = isForward ? cursor.line : cursor.line - 1;
  const [a, b] = [draft.lines[upper], draft.lines[upper + 1]];
  if (a === undefined || b === undefined) return null;
  const joined = joinedLine(a, b, a.text + b.text);
  return {
    change: { lines: splice(draft.lines, upper, 2, [joined]), cursor: at(upper, a.text.length) },
    killed: '\n',
  };
}

/** `J`: joins the lines `first` to `last`, with one blank in place of indentation and line ends. */
export function joinLines({ draft }: DraftState, first: number, last: number): DraftChange | null {
  let joined = draft.lines[first];
  if (joined === undefined || draft.lines[first + 1] === undefined || last <= first) return null;
  let offset = joined.text.length;
  const until = Math.min(last, draft.lines.length - 1);
  for (const next of draft.lines.slice(first + 1, until + 1)) {
    const [head, tail]: [string, string] = [joined.text.trimEnd(), next.text.trimStart()];
    const gap = head === '' || tail === '' ? '' : ' ';
    offset = head.length;
    joined = joinedLine(joined, next, (head === '' ? joined.text : head) + gap + tail);
  }
  return { lines: splice(draft.lines, first, until - first + 1, [joined]), cursor: at(first, offset) };
}

/** `x`: `count` characters under and after the cursor. */
export function deleteCharacters(state: DraftState, count: number): DraftChange | null {
  const { draft, cursor } = state;
  const line = cursorLine(state);
  if (line === undefined || line.text === '') return null;
  const stops = graphemeStops(line.text);
  const end = stops[Math.min(stops.indexOf(cursor.offset) + count, stops.length - 1)] ?? line.text.length;
  const text = line.text.slice(0, cursor.offset) + line.text.slice(end);
  return { lines: splice(draft.lines, cursor.line, 1, [withText(draft, line, text)]), cursor };
}

const at = (line: number, offset: number): Cursor => ({ line, offset });
