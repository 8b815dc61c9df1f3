/** The context of a screen's effects, and how work under way is shown. */
import { type Result, withStop } from '../../lib/result.ts';
import type { CommonModel, Outcome, Outcomes } from './model.ts';

/** `P` are the ports that the screen's effects use. */
export interface EffectContext<M, F, E, P> {
  readonly ports: P;
  /** Hands the terminal to `run` and takes it back. */
  readonly handOver: <T>(run: () => Promise<T>) => Promise<T>;
  /** Applies a change to the state as it is then. */
  readonly apply: (change: (state: M, facts: F) => Outcome<M, E>) => void;
}

/** How a screen shows that something is under way, and says what failed. */
export interface Tracking<M, F, E> {
  /** Shows that something is under way until it settles. */
  readonly track: <T>(
    context: Pick<EffectContext<M, F, E, unknown>, 'apply'>,
    what: string,
    work: Promise<Result<T>>,
    after: (state: M, facts: F, value: T) => Outcome<M, E>,
  ) => Promise<void>;
  /** Says what failed, and what helps. */
  readonly sayFailure: (state: M, facts: F, result: Result<unknown>) => Outcome<M, E>;
}

/** Makes both for a screen. */
export function tracking<M extends CommonModel<unknown>, F extends { readonly now: number }, E>({
  done,
  say,
}: Outcomes<M, E>): Tracking<M, F, E> {
  const sayFailure = (state: M, facts: F, result: Result<unknown>): Outcome<M, E> => {
    if (result.ok) return done(state);
    const { message, hint } = result.error;
    // Some messages end as a sentence, some do not.
    const words = hint === undefined ? message : `${withStop(message)} ${hint}`;
    return say(state, facts, 'error', words);
  };
  return {
    sayFailure,
    track: async (context, what, work, after) => {
      context.apply((state, facts) => done({ ...state, busy: { what, since: facts.now } }));
      const result = await work;
      context.apply((state, facts) => {
        const settled: M = { ...state, busy: null };
        return result.ok ? after(settled, facts, result.value) : sayFailure(settled, facts, result);
      });
    },
  };
}
