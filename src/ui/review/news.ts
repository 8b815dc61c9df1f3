/** What to tell the reader when suggestions changed: one has arrived. Pure. */

import type { SuggestionSummary } from '../../protocol/review.ts';
import { count } from '../kit/time.ts';
import { firstLine } from './files-view.ts';
import { done, type ReviewFacts, type ReviewModel, type ReviewOutcome, say } from './model.ts';
import type { ReviewView } from './port.ts';

/** The state with news of suggestions since `before`. A review that the user requested is not news. */
export function tellReviewNews(state: ReviewModel, before: ReviewView, facts: ReviewFacts): ReviewOutcome {
  const { suggestions } = facts.review;
  if (before.isLooking || suggestions === before.suggestions) return done(state);
  const known = new Map(before.suggestions.map(({ id, version }) => [id, version]));
  const isOwn = ({ turns, inPlace, author }: SuggestionSummary) =>
    turns !== undefined || (inPlace && author === null);
  const fresh = suggestions.find(
    (one) => !isOwn(one) && (!known.has(one.id) || known.get(one.id) !== one.version),
  );
  if (fresh === undefined) return done(state);
  const name = firstLine(fresh);
  const size = `${count(fresh.hunkCount, 'hunk')} in ${count(fresh.files.length, 'file')}`;
  const version = fresh.version === undefined ? '' : `version ${fresh.version}, `;
  const where = state.screen === 'review' ? '' : `: ${facts.keyOf('screen/review') ?? 'Review'} shows it`;
  return say(
    state,
    facts,
    'info',
    `Suggestion ready: ${name === '' ? 'no description' : name} (${version}${size})${where}`,
  );
}
