/** Moves a review that follows the newest to the latest answer with changes. Pure. */
import type { ResponsesView } from '../responses/port.ts';
import { openSuggestion } from '../review/state.ts';
import type { AppFacts } from './model.ts';
import type { AppEffect, AppState } from './state.ts';

/** Whether the reader looks at a review and follows the newest. */
export const isFollowing = ({ screen, overlay, review }: AppState): boolean =>
  screen === 'review' && overlay === null && review.followed !== null;

/** The effects to run when the view has changed from `before`. */
export function followTurns(
  state: AppState,
  before: ResponsesView,
  { view, review: reviews }: AppFacts,
): readonly AppEffect[] {
  const [newest] = view.turns;
  const shown = openSuggestion(state.review, reviews)?.turns;
  if (!isFollowing(state)) return [];
  // A wider scope includes new turns by itself.
  if (newest === undefined || shown?.from == null || shown.from !== shown.to) return [];
  if (shown.to === newest.id || shown.session.sessionId !== view.changes.session?.sessionId) return [];
  const filesIn = ({ changes }: ResponsesView) => changes.figures.get(newest.id)?.files ?? 0;
  return filesIn(view) > 0 && filesIn(before) === 0 ? [{ kind: 'follow-turn', turn: newest }] : [];
}
