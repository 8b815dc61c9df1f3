/** Counts suggestions that need a decision, for the tab, the list, the status line and Neovim. */
import type { SuggestionSummary } from './review.ts';

/** Suggestions with a hunk that is open in the target. `store/waiting-reviews.ts` runs the same query on the database. */
export function countToReview(suggestions: readonly Pick<SuggestionSummary, 'status'>[]): number {
  return suggestions.filter(({ status }) => status === 'pending' || status === 'partial').length;
}

/** Suffix of the record by which a sandbox follows the decisions of its suggestion: it is not reviewed. */
export const TWIN_SUFFIX = '.source';
