/** What running an effect needs: the ports, the surface around it, and a way to show that something is under way. */
import type { Result } from '../../lib/result.ts';
import { done, type Facts, type Outcome, say } from './handler.ts';
import type { UiPorts } from './ports.ts';
import type { AppState } from './state.ts';

export interface EffectContext {
  readonly ports: UiPorts;
  readonly host: {
    readonly quit: () => void;
    readonly redraw: () => void;
    readonly handOver: <T>(run: () => Promise<T>) => Promise<T>;
  };
  /** Applies a change to the state as it is then. */
  readonly apply: (change: (state: AppState, facts: Facts) => Outcome) => void;
}

/** Shows that something is under way until it settles. */
export async function track<T>(
  context: EffectContext,
  what: string,
  work: Promise<Result<T>>,
  after: (state: AppState, facts: Facts, value: T) => Outcome,
): Promise<void> {
  context.apply((state, facts) => done({ ...state, busy: { what, since: facts.now } }));
  const result = await work;
  context.apply((state, facts) => {
    const settled: AppState = { ...state, busy: null };
    return result.ok ? after(settled, facts, result.value) : sayFailure(settled, facts, result);
  });
}

/** Says what failed, and what helps. */
export function sayFailure(state: AppState, facts: Facts, result: Result<unknown>): Outcome {
  if (result.ok) return done(state);
  const { message, hint } = result.error;
  // Some messages end as a sentence, some do not.
  const words = hint === undefined ? message : `${message.replace(/\.$/, '')}. ${hint}`;
  return say(state, facts, 'error', words);
}
