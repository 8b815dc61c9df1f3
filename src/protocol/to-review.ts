/** Counts suggestions that need a decision, for the tab, list, status line and Neovim. */
import type { SuggestionSummary } from './review.ts';

/** Number of suggestions with an undecided hunk in the target. `store/waiting-reviews.ts` is the same query in SQL. */
export function countToReview(suggestions: readonly Pick<SuggestionSummary, 'status'>[]): number {
  return suggestions.filter(({ status }) => status === 'pending' || status === 'partial').length;
}

/** Whether a suggestion's folder is the project's, one inside it, or one around it. */
export const isOfProject =
  (project: string) =>
  ({ target }: Pick<SuggestionSummary, 'target'>): boolean =>
    holds(target, project) || holds(project, target);

const holds = (folder: string, inner: string) => folder === inner || inner.startsWith(`${folder}/`);

/** Suffix of the record with which a sandbox follows its suggestion's decisions. It is not reviewed. */
export const TWIN_SUFFIX = '.source';
