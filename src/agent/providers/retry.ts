/** Retries a limited number of times if that can help, after the pause that the provider asks for. */
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Result } from '../../lib/result.ts';
import {
  type AgentProvider,
  failStep,
  type ProviderFailure,
  type ProviderFailureKind,
  type StepResult,
} from './provider.ts';

/** The limit of requests for one step, including the first. */
const ATTEMPTS_MAX = 4;
const FIRST_WAIT_MS = 300;
/** The longest pause that a provider may ask for; a longer one is reported to the user. */
export const WAIT_MAX_MS = 60_000;

const WORTH_IT: ReadonlySet<ProviderFailureKind> = new Set([
  'rate_limited',
  'unavailable',
  'unreachable',
  'cut',
]);

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const realSleep: Sleep = (ms, signal) => sleepFor(ms, undefined, { signal });

/** The same provider with retries. */
export function withRetries(inner: AgentProvider, sleep: Sleep = realSleep): AgentProvider {
  return {
    ...inner,
    runStep: async (request, options) => {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await inner.runStep(request, options);
        if (outcome.ok || !WORTH_IT.has(outcome.error.kind) || attempt === ATTEMPTS_MAX) return outcome;
        const waitMs = outcome.error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
        if (waitMs > WAIT_MAX_MS) return tooLong(outcome.error, waitMs);
        options.onWait?.(outcome.error, waitMs);
        if (!(await slept(sleep, waitMs, options.signal)))
          return failStep('cancelled', 'The job was cancelled.');
      }
    },
  };
}

async function slept(sleep: Sleep, waitMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(waitMs, signal);
    return !signal.aborted;
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    return false;
  }
}

function tooLong(failure: ProviderFailure, waitMs: number): Result<StepResult, ProviderFailure> {
  const message = `${failure.message} It asks for a pause of ${Math.ceil(waitMs / 1000)} s.`;
  return { ok: false, error: { ...failure, message } };
}
