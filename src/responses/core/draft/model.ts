/** The draft as a value: tagged lines, a cursor, a mode, and the undo data. Never modified in place. */
import type { Draft, DraftLine } from '../../../protocol/draft.ts';
import type { Cursor, DraftMode } from './cursor.ts';
import type { History, Moment } from './history.ts';

export interface DraftState {
  /** The stored part. The same object while text and tags are unchanged. */
  readonly draft: Draft;
  readonly mode: DraftMode;
  readonly cursor: Cursor;
  /** The column, in graphemes, that vertical moves aim for; null until there is one. */
  readonly goal: number | null;
  /** Where the selection began; null outside `visual`. */
  readonly anchor: number | null;
  readonly history: History;
  /** The start of the open insert run, which is one undo step. */
  readonly run: Moment | null;
  /** Deleted or copied lines, with their tags. */
  readonly register: readonly DraftLine[];
  /** Text erased by a readline key. */
  readonly killed: string;
}

/** The parts of a stored draft that a change sets; the others stay. */
export interface DraftChange {
  readonly lines?: readonly DraftLine[];
  readonly pulls?: Draft['pulls'];
  readonly nextLineId?: number;
  readonly cursor?: Cursor;
}

export const EMPTY_DRAFT: Draft = { lines: [], pulls: [], nextLineId: 1 };
const HOME: Cursor = { line: 0, offset: 0 };

/** A newly opened draft: nothing to undo, cursor at the top. */
export function openDraft(draft: Draft = EMPTY_DRAFT): DraftState {
  return {
    draft,
    mode: 'normal',
    cursor: HOME,
    goal: null,
    anchor: null,
    history: { past: [], future: [] },
    run: null,
    register: [],
    killed: '',
  };
}

export const cursorLine = ({ draft, cursor }: DraftState): DraftLine | undefined => draft.lines[cursor.line];

/** First and last selected line; the cursor's line if nothing is selected. */
export function selectedRange({ cursor, anchor }: DraftState): {
  readonly first: number;
  readonly last: number;
} {
  const other = anchor ?? cursor.line;
  return { first: Math.min(other, cursor.line), last: Math.max(other, cursor.line) };
}

/** A note of the user. */
export function noteLine(id: number, text: string): DraftLine {
  return { id, text, tag: 'note', changed: false, origin: null };
}

/** Notes for each of `texts`, numbered from the draft's next id. */
export function noteLines(draft: Draft, texts: readonly string[]): readonly DraftLine[] {
  return texts.map((text, at) => noteLine(draft.nextLineId + at, text));
}

/** `lines` with `count` of them from `at` replaced. */
export function splice(
  lines: readonly DraftLine[],
  at: number,
  count: number,
  added: readonly DraftLine[],
): readonly DraftLine[] {
  return lines.slice(0, at).concat(added, lines.slice(at + count));
}

/** `line` with another text. A response line is `changed` unless it has its pulled text, and a note if empty. */
export function withText(draft: Draft, line: DraftLine, text: string): DraftLine {
  if (text === line.text) return line;
  if (line.tag === 'note') return { ...line, text };
  if (line.text.trim() === '' && text.trim() !== '') return { ...noteLine(line.id, text) };
  return { ...line, text, changed: text !== pulledText(draft, line) };
}

/** The pulled text of a response line; null for a note, or if the pull is gone. */
function pulledText(draft: Draft, line: DraftLine): string | null {
  const { origin } = line;
  if (origin === null) return null;
  return draft.pulls.find((pull) => pull.turnId === origin.turnId)?.lines[origin.row] ?? null;
}

/** The tag of two joined lines: a blank line does not count; a response line joined with a note is a changed line. */
export function joinedLine(a: DraftLine, b: DraftLine, text: string): DraftLine {
  if (a.text.trim() === '') return { ...b, id: a.id, text };
  if (b.text.trim() === '') return { ...a, text };
  if (a.tag === 'note' && b.tag === 'note') return { ...a, text };
  const isPure = a.tag === 'response' && b.tag === 'response';
  return {
    ...a,
    text,
    tag: 'response',
    changed: !isPure || a.changed || b.changed,
    origin: a.origin ?? b.origin,
  };
}
