/** The Review screen's interface to the application. */
import { areaOf } from '../kit/layout.ts';
import { planMenu } from '../kit/menu.ts';
import { menuView, type OverlayView } from '../kit/overlay.ts';
import type { Size } from '../kit/row.ts';
import type { Screen } from '../kit/screen.ts';
import type { Theme } from '../kit/theme/theme.ts';
import { changeComment, commentCommands } from './comment-commands.ts';
import type { ReviewAction } from './keys.ts';
import { done, type ReviewEffect, type ReviewFacts, type ReviewModel, type ReviewOverlay } from './model.ts';
import { reviewSpot } from './mouse.ts';
import { settleReview } from './moves.ts';
import {
  acceptReviewSearch,
  backInReview,
  reviewCommands,
  reviewDiffCommands,
  reviewFilesCommands,
  reviewLinesCommands,
  reviewListCommands,
} from './review-commands.ts';
import { chooseStart, startRows } from './start-menu.ts';
import { hunkToExplain } from './state.ts';
import { planReview } from './view.ts';

function contextsOf({ review }: ReviewModel): readonly string[] {
  if (review.suggestion === null) return ['review-list', 'review', 'app'];
  if (review.anchor !== null) return ['review-lines', 'review', 'app'];
  return [review.focus === 'files' ? 'review-files' : 'review-diff', 'review', 'app'];
}

function startView(cursor: number, size: Size, theme: Theme): OverlayView {
  const entries = startRows();
  const rows = planMenu(entries, cursor, size, theme);
  return menuView('Review', rows, { total: entries.length, cursor });
}

const isOfTurns = (_: ReviewModel, { review }: ReviewFacts) => review.open?.turns !== undefined;
const hasScopes = (state: ReviewModel, facts: ReviewFacts) =>
  isOfTurns(state, facts) ||
  (state.review.widened !== null && state.review.widened.all === facts.review.open?.id);
const hasSuggestions = ({ review }: ReviewModel, facts: ReviewFacts) =>
  review.suggestion !== null || facts.review.suggestions.length > 0;

export const reviewScreen: Screen<ReviewAction, ReviewModel, ReviewFacts, ReviewEffect, ReviewOverlay> = {
  tables: {
    review: reviewCommands,
    'review-list': reviewListCommands,
    'review-files': reviewFilesCommands,
    'review-diff': reviewDiffCommands,
    'review-lines': reviewLinesCommands,
    comment: commentCommands,
    prompt: { 'prompt/accept': acceptReviewSearch },
    menu: { 'menu/choose': chooseStart },
  },
  contextsOf,
  plan: planReview,
  settle: settleReview,
  spotAt: reviewSpot,
  typeText: (state, _, text, how) => {
    if (state.overlay?.kind !== 'comment') return null;
    return done(changeComment(state, { type: how === 'paste' ? 'draft/paste' : 'draft/type', text }));
  },
  back: backInReview,
  leave: (state) => state,
  modeOf: ({ review }) => (review.anchor === null ? null : 'SELECT'),
  isUseful: {
    'review/open': hasSuggestions,
    'review/discard': hasSuggestions,
    'review/to-draft': isOfTurns,
    'review/say-why': (state, { review }) => hunkToExplain(state, review) !== null,
    'review/scope': hasScopes,
    'agent/save': (_, { review }) => review.open?.write === 'on-save' && review.open.decidedCount > 0,
    // An empty screen shows a line that would fill it: only there does copying deserve a place in the footer.
    copy: (_, { review }) => review.suggestions.length === 0 && !review.isLooking && review.problem === null,
  },
  overlays: {
    kinds: ['comment', 'start-review'],
    contextOf: ({ kind }) => (kind === 'start-review' ? 'menu' : kind),
    extentOf: ({ kind }, { size }) =>
      kind === 'start-review'
        ? { total: startRows().length, page: Math.max(1, areaOf(size).rows - 1) }
        : null,
    // The comment box is below the diff.
    view: (overlay, _, __, size, theme) =>
      overlay.kind === 'start-review' ? startView(overlay.cursor, size, theme) : null,
  },
};
