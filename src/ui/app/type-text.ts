/** Typed and pasted text: where someone writes; elsewhere a paste says where it can go. */
import type { TypedHow } from '../kit/screen.ts';
import { type AppFacts, type AppOutcome, done, say } from './model.ts';
import { screenOf } from './screens.ts';
import type { AppState } from './state.ts';

/** A search or palette line does not grow beyond this. */
export const QUERY_MAX_CHARACTERS = 500;

/** Takes text that no key matched. */
export function typeText(state: AppState, text: string, how: TypedHow, facts: AppFacts): AppOutcome {
  const { overlay } = state;
  if (overlay?.kind === 'prompt' || overlay?.kind === 'palette') {
    const query = (overlay.query + text.replace(/\s*\n\s*/g, ' ')).slice(0, QUERY_MAX_CHARACTERS);
    return done({
      ...state,
      overlay: overlay.kind === 'prompt' ? { ...overlay, query } : { ...overlay, query, cursor: 0 },
    });
  }
  const typed = screenOf(state)?.typeText(state, facts, text, how) ?? null;
  if (typed !== null) return typed;
  if (how === 'type' || overlay !== null) return done(state);
  return say(
    state,
    facts,
    'info',
    'Pasted text goes into the draft: Tab there, or o for a note, and paste again.',
  );
}
