/** The draft in the UI: thin functions over the model in `responses/core`, which alone changes drafts. */
import type { Draft } from '../../protocol/draft.ts';
import {
  countDraftNotes,
  type DraftState,
  humanLines,
  openDraft,
  reduceDraft,
  selectedRange,
} from '../../responses/core/draft.ts';

export type { DraftState } from '../../responses/core/draft.ts';

/** The number of non-blank notes. */
export const noteCount = (state: DraftState): number => countDraftNotes(state.draft);

/** Whether nothing is written and nothing pulled. */
export function isEmptyDraft(state: DraftState): boolean {
  const { lines } = state.draft;
  return lines.length === 0 || (lines.length === 1 && lines[0]?.text === '');
}

/** The selected lines; null outside visual mode. */
export function draftSelection(state: DraftState): { readonly first: number; readonly last: number } | null {
  return state.mode === 'visual' ? selectedRange(state) : null;
}

export const loadDraft = (draft: Draft): DraftState => openDraft(draft);

/** Whether the draft is empty and nobody is typing, so that it may be replaced silently. */
export const isUntouched = (state: DraftState): boolean => isEmptyDraft(state) && state.mode !== 'insert';

/**
 * Appends another draft's notes, each below a quote of the line above it, but none of its response lines. The mode
 * stays: a key meant as text must not become a command.
 */
export function withNotesOf(draft: DraftState, other: DraftState): DraftState {
  if (isEmptyDraft(other)) {
    const end = { line: Math.max(0, draft.draft.lines.length - 1), offset: 0 };
    const atEnd = reduceDraft(draft, { type: 'draft/cursor', cursor: end });
    return other.mode === 'insert' ? reduceDraft(atEnd, { type: 'draft/open', side: 'below' }) : draft;
  }
  const appended = reduceDraft(draft, { type: 'draft/append', text: humanLines(other).join('\n') });
  if (other.mode !== 'insert') return appended;
  const cursor = { line: appended.draft.lines.length - 1, offset: 0 };
  return reduceDraft(reduceDraft(appended, { type: 'draft/cursor', cursor }), {
    type: 'draft/insert',
    at: 'line-end',
  });
}
