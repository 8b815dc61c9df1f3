/** How a screen's handlers and effects end: with a next state, a message, or tracked work. */
import { type Result, sentence, withStop } from '../../lib/result.ts';
import type { CommonModel, Outcome, Tone } from './model.ts';

/** `P`: the ports that the screen's effects use. */
export interface EffectContext<M, F, E, P> {
  readonly ports: P;
  /** Gives the terminal to `run` and takes it back. */
  readonly handOver: <T>(run: () => Promise<T>) => Promise<T>;
  readonly apply: (change: (state: M, facts: F) => Outcome<M, E>) => void;
}

/** How a screen's handlers and effects end. */
export interface ScreenEnds<M, F, E> {
  /** The next state and its effects. */
  readonly done: (state: M, ...effects: readonly E[]) => Outcome<M, E>;
  /** The next state with a message. */
  readonly say: (
    state: M,
    facts: { readonly now: number },
    tone: Tone,
    text: string,
    ...effects: readonly E[]
  ) => Outcome<M, E>;
  /** Says what failed and what to do next. */
  readonly sayFailure: (state: M, facts: F, result: Result<unknown>) => Outcome<M, E>;
  /** Waits for work, shown as in progress unless `what` is null; says why it failed. */
  readonly track: <T>(
    context: Pick<EffectContext<M, F, E, unknown>, 'apply'>,
    what: string | null,
    work: Promise<Result<T>>,
    after: (state: M, facts: F, value: T) => Outcome<M, E>,
  ) => Promise<void>;
}

/** How long a toast stays, by tone. */
const TOAST_MS: Readonly<Record<Tone, number>> = { info: 4000, ok: 4000, warn: 8000, error: 12_000 };

/** Makes these for a screen's model, facts and effects. */
export function screenEnds<
  M extends CommonModel<unknown>,
  F extends { readonly now: number },
  E,
>(): ScreenEnds<M, F, E> {
  const done = (state: M, ...effects: readonly E[]): Outcome<M, E> => ({ state, effects });
  const say: ScreenEnds<M, F, E>['say'] = (state, { now }, tone, text, ...effects) =>
    done({ ...state, toast: { tone, text, until: now + TOAST_MS[tone], isFolded: false } }, ...effects);
  const sayFailure = (state: M, facts: F, result: Result<unknown>): Outcome<M, E> => {
    if (result.ok) return done(state);
    const { message, hint } = result.error;
    // Not every message ends as a sentence.
    const words = hint === undefined ? message : `${withStop(message)} ${hint}`;
    return say(state, facts, 'error', sentence(words));
  };
  return {
    done,
    say,
    sayFailure,
    track: async (context, what, work, after) => {
      if (what !== null)
        context.apply((state, facts) => done({ ...state, busy: { what, since: facts.now } }));
      const result = await work;
      context.apply((state, facts) => {
        const settled: M = what === null ? state : { ...state, busy: null };
        return result.ok ? after(settled, facts, result.value) : sayFailure(settled, facts, result);
      });
    },
  };
}
