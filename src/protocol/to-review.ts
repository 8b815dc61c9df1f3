/** How many suggestions wait for a decision: the one number of the tab, the list, the status line and Neovim. */
import type { SuggestionSummary } from './review.ts';

/** Those with a hunk that is open in the target. `store/waiting-reviews.ts` asks the database the same. */
export function countToReview(suggestions: readonly Pick<SuggestionSummary, 'status'>[]): number {
  return suggestions.filter(({ status }) => status === 'pending' || status === 'partial').length;
}

/** Ends the id of the record by which the sandbox of a suggestion follows its decisions: nobody reviews that. */
export const TWIN_SUFFIX = '.source';
