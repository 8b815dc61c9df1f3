/** Counts suggestions that need a decision, for the tab, list, status line and Neovim. */
import type { SuggestionSummary } from './review.ts';

/** Number of suggestions with an undecided hunk in the target. `store/waiting-reviews.ts` is the same query in SQL. */
export function countToReview(suggestions: readonly Pick<SuggestionSummary, 'status'>[]): number {
  return suggestions.filter(({ status }) => status === 'pending' || status === 'partial').length;
}

/** Suffix of the record with which a sandbox follows its suggestion's decisions. It is not reviewed. */
export const TWIN_SUFFIX = '.source';
