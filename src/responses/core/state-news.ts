/** Finds changes in the states of AI panes, and which of them to notify the user about. Pure. */
import type { AiPane, AiState } from '../../protocol/pane.ts';

export interface StateNews {
  readonly pane: AiPane;
  readonly state: KnownState;
  /** The notification; null for a change without one. */
  readonly call: 'waits for you' | 'is done' | null;
}

type KnownState = Exclude<AiState, 'unknown'>;

/** Each pane with its last known state; an unknown state is no change. */
export type KnownStates = ReadonlyMap<string, { readonly pane: AiPane; readonly state: KnownState }>;

/** A new pane has no news; one that is no longer listed has ended. `keyOf` identifies a pane. */
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

/** A pane is done when its work ends, not when a question is answered. */
function callOf(before: KnownState, now: KnownState): StateNews['call'] {
  if (now === 'waiting') return 'waits for you';
  return before === 'working' && now === 'idle' ? 'is done' : null;
}
