/** The Review screen as the application joins it. */
import type { Screen } from '../kit/screen.ts';
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
import { planReview } from './view.ts';

function contextsOf({ review }: ReviewModel): readonly string[] {
  if (review.suggestion === null) return ['review-list', 'review', 'app'];
  if (review.anchor !== null) return ['review-lines', 'review', 'app'];
  return [review.focus === 'files' ? 'review-files' : 'review-diff', 'review', 'app'];
}

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
    'agent/save': (_, { review }) => review.open?.write === 'on-save' && review.open.decidedCount > 0,
    // An empty screen shows a line that makes it fill: only there is copying worth a place in the footer.
    copy: (_, { review }) => review.suggestions.length === 0 && !review.isLooking && review.problem === null,
  },
  overlays: {
    kinds: ['comment'],
    contextOf: ({ kind }) => kind,
    extentOf: () => null,
    // The box stands below the diff.
    view: () => null,
  },
};
