/** What the reader should be told when suggestions changed: one has arrived. Pure. */

import { done, type Facts, type Outcome, say } from '../app/handler.ts';
import type { ReviewView } from '../app/ports.ts';
import type { AppState } from '../app/state.ts';
import { keyOf } from '../kit/keys/keymap.ts';
import { count } from '../kit/time.ts';
import { firstLine } from './files-view.ts';

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
