/** What the reader should be told when suggestions changed: one has arrived. Pure. */
import { keyOf } from '../keys/keymap.ts';
import { firstLine } from '../plan/review-files.ts';
import { count } from '../plan/time.ts';
import type { ReviewView } from '../ports.ts';
import type { AppState } from './app-state.ts';
import { done, type Facts, type Outcome, say } from './handler.ts';

/** The state with the news of the present suggestions compared with `before`. */
export function tellReviewNews(state: AppState, before: ReviewView, facts: Facts): Outcome {
  const { suggestions } = facts.review;
  if (before.isLooking || suggestions === before.suggestions) return done(state);
  const known = new Set(before.suggestions.map(({ id }) => id));
  const fresh = suggestions.find(({ id }) => !known.has(id));
  if (fresh === undefined) return done(state);
  const name = firstLine(fresh);
  const size = `${count(fresh.hunkCount, 'hunk')} in ${count(fresh.files.length, 'file')}`;
  const where =
    state.screen === 'review' ? '' : `: ${keyOf(facts.keymap, 'screen/review') ?? 'Review'} shows it`;
  return say(
    state,
    facts,
    'info',
    `Suggestion ready: ${name === '' ? 'no description' : name} (${size})${where}`,
  );
}
