/** The Responses screen's own state: the marked turn, places in responses, searches. Turns and drafts are not in it. */
import type { RowPosition } from '../../lib/text-layout.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { DraftState } from '../../responses/core/draft.ts';
import type { Focus } from './layout.ts';
import type { ReadingForm } from './reading-doc.ts';

export interface ReadingPlace {
  readonly cursor: RowPosition;
  readonly top: RowPosition;
  /** First line of the selection; null if nothing is selected. */
  readonly anchor: number | null;
  /** The cursor stays at the end as the response grows. */
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
  /** How to show a response: rendered as Markdown, or as written. */
  readonly form: ReadingForm;
  readonly focus: Focus;
  /** Which one to show if only response or draft fits: the one last focused. */
  readonly lower: 'reading' | 'draft';
  /** The draft has its own pane; null until the user decides: then it has one once there are notes. */
  readonly isDraftOpen: boolean | null;
  /** The marked turn; null follows the newest. */
  readonly turnId: string | null;
  readonly listTop: number;
  readonly places: Readonly<Record<string, ReadingPlace>>;
  readonly search: Search | null;
  readonly draftTop: RowPosition;
  /** The column that vertical movement in the draft aims for, while the cursor is where it was put. */
  readonly draftAim: { readonly cursor: DraftState['cursor']; readonly column: number } | null;
  /** Draft lines being sent to a pane: they stay in the draft until they arrive, and are sent once. */
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

/** The marked turn's index; -1 if there are none. If it is gone, the newest. */
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

/** The reader's place in a turn. */
export function placeIn(state: ResponsesState, turnId: string): ReadingPlace {
  return state.places[turnId] ?? FIRST_PLACE;
}

/** The state with a new place in a turn. */
export function withPlace(state: ResponsesState, turnId: string, place: ReadingPlace): ResponsesState {
  if (placeIn(state, turnId) === place) return state;
  return { ...state, places: { ...state.places, [turnId]: place } };
}

/** Moves the focus. Reading pins the turn, so that a new response does not push it away. */
export function focusOn(state: ResponsesState, focus: Focus, turns: readonly Turn[]): ResponsesState {
  const index = selectedIndex(state, turns);
  const pinned = focus === 'list' ? (index <= 0 ? null : state.turnId) : (turns[index]?.id ?? null);
  const lower = focus === 'list' ? state.lower : focus;
  const isDraftOpen = focus === 'draft' ? true : state.isDraftOpen;
  const next: ResponsesState = { ...state, focus, lower, isDraftOpen, turnId: pinned };
  const isSame = state.focus === focus && state.turnId === pinned && state.lower === lower;
  return isSame && state.isDraftOpen === isDraftOpen ? state : next;
}
