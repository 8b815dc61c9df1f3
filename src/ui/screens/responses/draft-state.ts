/** The draft as the surface sees it: thin words over the model of `responses/core`, which alone changes drafts. */
import type { Draft } from '../../../protocol/draft.ts';
import {
  countNotes,
  type DraftState,
  draftText,
  openDraft,
  reduceDraft,
  selectedRange,
} from '../../../responses/core/draft.ts';

export type { DraftState } from '../../../responses/core/draft.ts';

/** Before the stored draft is there. */
export const INITIAL_DRAFT: DraftState = openDraft();

/** Notes with something in them. */
export function noteCount(state: DraftState): number {
  return countNotes(state.draft);
}

/** True when nothing is written and nothing pulled. */
export function isEmptyDraft(state: DraftState): boolean {
  const { lines } = state.draft;
  return lines.length === 0 || (lines.length === 1 && lines[0]?.text === '');
}

/** The selected lines; null outside visual mode. */
export function draftSelection(state: DraftState): { readonly first: number; readonly last: number } | null {
  return state.mode === 'visual' ? selectedRange(state) : null;
}

/** A stored draft, opened with nothing to undo. */
export function loadDraft(draft: Draft): DraftState {
  return openDraft(draft);
}

/** What somebody else stored, as one step that can be undone. */
export function adoptDraft(state: DraftState, draft: Draft): DraftState {
  return reduceDraft(state, { type: 'draft/replace', draft });
}

/** `loaded` with what was typed before it was there as notes at its end, and the cursor still in them. */
export function withTypedBefore(loaded: DraftState, typed: DraftState): DraftState {
  const appended = reduceDraft(loaded, { type: 'draft/append', text: draftText(typed.draft) });
  const above = appended.draft.lines.length - typed.draft.lines.length;
  const cursor = { line: above + typed.cursor.line, offset: typed.cursor.offset };
  return reduceDraft(reduceDraft(appended, { type: 'draft/mode', mode: typed.mode }), {
    type: 'draft/cursor',
    cursor,
  });
}
