/** What changed in the states of AI panes, and which of that is worth a call to the human. Pure. */
import type { AiPane, AiState } from '../../protocol/pane.ts';

export interface StateNews {
  readonly pane: AiPane;
  readonly state: KnownState;
  /** What to call the human with; null for a change that needs nobody. */
  readonly call: 'waits for you' | 'is done' | null;
}

type KnownState = Exclude<AiState, 'unknown'>;

/** Each pane with its last state that was known; a gap in what is known is no change. */
export type KnownStates = ReadonlyMap<string, { readonly pane: AiPane; readonly state: KnownState }>;

/**
 * A pane that is seen for the first time has no news, and one that is listed no more has ended. `keyOf`: one string for a
 * pane.
 */
export function stateNews(
  before: KnownStates,
  panes: readonly AiPane[],
  keyOf: (pane: AiPane) => string,
): { readonly states: KnownStates; readonly news: readonly StateNews[] } {
  const states = new Map<string, { readonly pane: AiPane; readonly state: KnownState }>();
  const news: StateNews[] = [];
  for (const pane of panes) {
    const known = before.get(keyOf(pane))?.state;
    const state = pane.state === 'unknown' ? known : pane.state;
    if (state === undefined) continue;
    states.set(keyOf(pane), { pane, state });
    if (known !== undefined && known !== state) news.push({ pane, state, call: callOf(known, state) });
  }
  for (const [key, { pane, state }] of before)
    if (!states.has(key) && state !== 'gone') news.push({ pane, state: 'gone', call: null });
  return { states, news };
}

/** Answering a question ends nothing: a pane is done only when its work ends. */
function callOf(before: KnownState, now: KnownState): StateNews['call'] {
  if (now === 'waiting') return 'waits for you';
  return before === 'working' && now === 'idle' ? 'is done' : null;
}
