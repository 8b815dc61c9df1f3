/** What the reader should be told when the leader or an author has something to say. Pure. */

import { type AppFacts, type AppOutcome, done, say } from './model.ts';
import type { NoticeView } from './ports.ts';
import type { AppState } from './state.ts';

/** The state with the news of the present notices compared with `before`. */
export function tellNotices(state: AppState, before: NoticeView, facts: AppFacts): AppOutcome {
  const { notices, error } = facts.notices;
  if (error !== null && error !== before.error) {
    return say(state, facts, 'warn', `${error.author ?? 'An AI'} reports an error: ${error.message}`);
  }
  const fresh = notices.find((notice) => !before.notices.includes(notice));
  return fresh === undefined ? done(state) : say(state, facts, 'warn', fresh);
}
