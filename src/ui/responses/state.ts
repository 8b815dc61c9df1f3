/** What the Responses screen remembers: the marked turn, places in responses, searches. Turns and drafts come from outside. */
import type { RowPosition } from '../../lib/text-layout.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { DraftState } from '../../responses/core/draft.ts';
import type { Focus } from './layout.ts';
import type { ReadingForm } from './reading-doc.ts';

export interface ReadingPlace {
  readonly cursor: RowPosition;
  readonly top: RowPosition;
  /** First line of the selection; null when nothing is selected. */
  readonly anchor: number | null;
  /** The cursor stays at the end while the response grows. */
  readonly atEnd: boolean;
}

export const FIRST_PLACE: ReadingPlace = {
  cursor: { line: 0, row: 0 },
  top: { line: 0, row: 0 },
  anchor: null,
  atEnd: false,
};

interface Search {
  readonly query: string;
  /** The pane that was searched. */
  readonly where: Focus;
}

export interface ResponsesState {
  /** How a response is shown: as Markdown is read, or as it is written. */
  readonly form: ReadingForm;
  readonly focus: Focus;
  /** Which of response and draft is shown where only one fits: the one last in focus. */
  readonly lower: 'reading' | 'draft';
  /** The draft has a pane of its own; null while the human has not said: then it has one as soon as it has notes. */
  readonly isDraftOpen: boolean | null;
  /** The marked turn; null follows the newest. */
  readonly turnId: string | null;
  readonly listTop: number;
  readonly places: Readonly<Record<string, ReadingPlace>>;
  readonly search: Search | null;
  readonly draftTop: RowPosition;
  /** The column that moving up and down in the draft aims for, as long as the cursor is where it was put. */
  readonly draftAim: { readonly cursor: DraftState['cursor']; readonly column: number } | null;
  /** Draft lines that are being sent to a pane: they stay in the draft until they have arrived, and go out once. */
  readonly sending: { readonly pane: string | null; readonly lineIds: readonly number[] } | null;
}

export const INITIAL_RESPONSES: ResponsesState = {
  form: 'read',
  focus: 'list',
  lower: 'reading',
  isDraftOpen: null,
  turnId: null,
  listTop: 0,
  places: {},
  search: null,
  draftTop: { line: 0, row: 0 },
  draftAim: null,
  sending: null,
};

/** Index of the marked turn; -1 when there are none. A turn that is gone falls back to the newest. */
export function selectedIndex(state: ResponsesState, turns: readonly Turn[]): number {
  if (turns.length === 0) return -1;
  if (state.turnId === null) return 0;
  const index = turns.findIndex((turn) => turn.id === state.turnId);
  return index === -1 ? 0 : index;
}

/** The marked turn. */
export function selectedTurn(state: ResponsesState, turns: readonly Turn[]): Turn | null {
  return turns[selectedIndex(state, turns)] ?? null;
}

/** Where the reader is in a turn. */
export function placeIn(state: ResponsesState, turnId: string): ReadingPlace {
  return state.places[turnId] ?? FIRST_PLACE;
}

/** The state with another place in a turn. */
export function withPlace(state: ResponsesState, turnId: string, place: ReadingPlace): ResponsesState {
  if (placeIn(state, turnId) === place) return state;
  return { ...state, places: { ...state.places, [turnId]: place } };
}

/** Moves the focus. Reading pins the turn, so that a new response does not push away what is being read. */
export function focusOn(state: ResponsesState, focus: Focus, turns: readonly Turn[]): ResponsesState {
  const index = selectedIndex(state, turns);
  const pinned = focus === 'list' ? (index <= 0 ? null : state.turnId) : (turns[index]?.id ?? null);
  const lower = focus === 'list' ? state.lower : focus;
  const isDraftOpen = focus === 'draft' ? true : state.isDraftOpen;
  const next: ResponsesState = { ...state, focus, lower, isDraftOpen, turnId: pinned };
  const isSame = state.focus === focus && state.turnId === pinned && state.lower === lower;
  return isSame && state.isDraftOpen === isDraftOpen ? state : next;
}
