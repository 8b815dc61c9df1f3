/** Runs a job: chooses a model, and switches to another one according to the rules. Writes no file, keeps no record. */
import { fail, type Result } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import type { AgentModels } from '../../protocol/agent-models.ts';
import { secretRule } from '../../review/core/secret-files.ts';
import { createProvider } from '../providers/models.ts';
import type { AgentProvider } from '../providers/provider.ts';
import { type EndedAttempt, nextRoute, type Route, type Side } from '../providers/routing.ts';
import type { FileMapPort } from '../tools/tool.ts';
import { Attempt } from './attempt.ts';
import { AttemptClock } from './clock.ts';
import { type AttemptFailure, failure, setupFailure } from './failure.ts';
import type { Ended } from './judge.ts';
import type { LoopDeps, LoopInput, RunLoop } from './port.ts';
import type { Answered } from './prompt.ts';

/** The setup shared by all jobs. */
export interface LoopSetup {
  /** Called for each job, so that a changed configuration applies. */
  readonly models: () => AgentModels;
  readonly env: Env;
  readonly keysFile: string;
  /** The folder of models that copane loads itself. */
  readonly dataDir: string;
  readonly now: () => number;
  readonly maps: FileMapPort | null;
  /** Replaces the configured models: recordings, tests. */
  readonly provider?: (side: Side) => Promise<Result<AgentProvider>>;
}

type Try = Extract<Route, { readonly kind: 'try' }>;
const MINUTE_MS = 60_000;

/** Creates the loop for the configured models. */
export function createLoop(setup: LoopSetup): RunLoop {
  return async (input, deps) => {
    const { mode } = input;
    if (mode === 'acp') throw new Error("an agent of the user's own does such a job");
    const models = setup.models();
    const answered: Answered[] = [];
    const ended: EndedAttempt[] = [];
    let last: AttemptFailure = failure('internal', 'No attempt was made.');
    for (;;) {
      const route = nextRoute(mode, models, ended);
      if (route.kind === 'stop') return { ok: false, error: last.error };
      const outcome = await tryOnce({ setup, models, input, deps, route, answered, before: ended });
      if (outcome.ok) return outcome;
      last = outcome.error;
      ended.push({ side: route.side, trigger: deps.signal.aborted ? null : last.trigger });
    }
  };
}

interface OneTry {
  readonly setup: LoopSetup;
  readonly models: AgentModels;
  readonly input: LoopInput;
  readonly deps: LoopDeps;
  readonly route: Try;
  readonly answered: Answered[];
  readonly before: readonly EndedAttempt[];
}

async function tryOnce(one: OneTry): Promise<Ended> {
  const { setup, input, deps, route } = one;
  if (deps.signal.aborted) return { ok: false, error: CANCELLED };
  const provider = await providerFor(one);
  if (!provider.ok) return { ok: false, error: setupFailure(provider.error) };
  tellChoice(one, provider.value);
  const limitMs = Math.min(
    route.timeLimitMs ?? Number.POSITIVE_INFINITY,
    input.limits.max_job_minutes * MINUTE_MS,
  );
  const clock = new AttemptClock(limitMs, deps.signal, setup.now);
  const attempt = new Attempt({
    input,
    deps,
    clock,
    provider: provider.value,
    tools: {
      env: setup.env,
      skipIgnored: one.models.agent_skip_ignored,
      isSecret: secretRule(one.models.agent_secret_files),
    },
    maps: setup.maps,
    now: setup.now,
    answered: one.answered,
  });
  try {
    const outcome = await attempt.run();
    return outcome.ok || !clock.signal.aborted ? outcome : attempt.failed(stopped(clock, limitMs));
  } catch (thrown) {
    if (!clock.signal.aborted) throw thrown;
    return attempt.failed(stopped(clock, limitMs));
  } finally {
    clock.stop();
    provider.value.close?.();
  }
}

async function providerFor({ setup, models, route, before }: OneTry): Promise<Result<AgentProvider>> {
  const { env, keysFile, dataDir, now } = setup;
  const made = await (setup.provider?.(route.side) ??
    createProvider(route.side, { models, env, keysFile, dataDir, now }));
  if (made.ok || before.length === 0) return made;
  const { code, message, hint } = made.error;
  return fail(code, `It was to go on because ${route.reason}, but: ${message}`, hint);
}

function tellChoice({ deps, route, before }: OneTry, provider: AgentProvider): void {
  const from = before.at(-1)?.side;
  const { reason } = route;
  if (from !== undefined && from !== route.side) {
    const summary = `${from} → ${route.side}: ${reason}`;
    deps.emit({ type: 'provider.fallback', data: { summary, from, to: route.side, reason } });
  }
  const { name, model } = provider;
  const summary = `${name} ${model}: ${reason}`;
  deps.emit({ type: 'provider.selected', data: { summary, provider: name, model, reason } });
}

/** The failure of an aborted attempt: the job was cancelled, or its time was up. */
function stopped(clock: AttemptClock, limitMs: number): AttemptFailure {
  if (!clock.isExpired) return CANCELLED;
  const hint = 'Ask for less at a time, or raise max_job_minutes.';
  const options = { trigger: 'timeout', hint } as const;
  return failure('timeout', `The model worked for more than ${limitMs / 1000} s.`, options);
}

const CANCELLED = failure('cancelled', 'The job was cancelled.');
