import type { RowPosition } from '../../../lib/text-layout.ts';
import type { DraftLine } from '../../../protocol/draft.ts';
export interface DraftState {
  readonly mode: 'normal' | 'insert' | 'visual';
  readonly lines: readonly DraftLine[];
  readonly cursor: { readonly line: number; readonly offset: number };
  readonly anchor: number | null;
  readonly top: RowPosition;
}
export const INITIAL_DRAFT: DraftState = {
  mode: 'normal',
  lines: [],
  cursor: { line: 0, offset: 0 },
  anchor: null,
  top: { line: 0, row: 0 },
};
export function noteCount(draft: DraftState): number {
  return draft.lines.filter((l) => l.tag === 'note' && l.text.trim() !== '').length;
}
export function draftSelection(_: DraftState): { first: number; last: number } | null {
  return null;
}

import type { Draft } from '../../../protocol/draft.ts';

const E: Draft = { lines: [], pulls: [], nextLineId: 1 };
export function draftOf(_: DraftState): Draft {
  return E;
}
export function isEmptyDraft(_: DraftState): boolean {
  return true;
}
export function loadDraft(d: DraftState, _: Draft): DraftState {
  return d;
}
export function adoptDraft(d: DraftState, _: Draft): DraftState {
  return d;
}
export function withNotesOf(d: DraftState, _: DraftState): DraftState {
  return d;
}
