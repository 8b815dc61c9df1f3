/** Which model a job starts with, and whether another one takes over after a failure. Pure. */
import type { ModelMode } from '../../protocol/agent.ts';
import type { AgentModels } from '../../protocol/agent-models.ts';

export type Side = 'local' | 'remote';

/** A failure that another model may avoid. */
export type FallbackTrigger = 'tool_budget' | 'schema' | 'context_overflow' | 'validation' | 'timeout';

export type RoutingRules = Pick<
  AgentModels,
  | 'hybrid_fallback'
  | 'hybrid_max_local_attempts'
  | 'hybrid_remote_on_schema_fail'
  | 'hybrid_remote_on_context_overflow'
  | 'hybrid_remote_on_timeout_ms'
>;

/** What comes next. */
export type Route =
  | {
      readonly kind: 'try';
      readonly side: Side;
      readonly reason: string;
      readonly timeLimitMs: number | null;
    }
  | { readonly kind: 'stop' };

export interface EndedAttempt {
  readonly side: Side;
  /** Null if no other model can fix the failure. */
  readonly trigger: FallbackTrigger | null;
}

const TRIGGER_WORDS: Readonly<Record<FallbackTrigger, string>> = {
  tool_budget: 'the local model used up its tool calls without a usable edit',
  schema: 'the local model did not produce a valid proposal',
  context_overflow: "the job exceeds the local model's context",
  validation: "the local model's edits could not be used",
  timeout: 'the local model took too long',
};

/** The next attempt, given those before it. */
export function nextRoute(mode: ModelMode, rules: RoutingRules, ended: readonly EndedAttempt[]): Route {
  const last = ended.at(-1);
  if (last === undefined) return firstRoute(mode, rules);
  if (mode !== 'hybrid_auto' || last.side === 'remote' || last.trigger === null) return { kind: 'stop' };
  // Asking the same again does not enlarge a context.
  const mayRepeat = last.trigger !== 'context_overflow' && last.trigger !== 'timeout';
  if (mayRepeat && ended.length < rules.hybrid_max_local_attempts) {
    const reason = `${TRIGGER_WORDS[last.trigger]}; once more`;
    return { kind: 'try', side: 'local', reason, timeLimitMs: rules.hybrid_remote_on_timeout_ms };
  }
  if (!rules.hybrid_fallback || !isAllowed(last.trigger, rules)) return { kind: 'stop' };
  return { kind: 'try', side: 'remote', reason: TRIGGER_WORDS[last.trigger], timeLimitMs: null };
}

function firstRoute(mode: ModelMode, rules: RoutingRules): Route {
  if (mode !== 'hybrid_auto') {
    return { kind: 'try', side: mode, reason: `agent_mode is ${mode}`, timeLimitMs: null };
  }
  const timeLimitMs = rules.hybrid_fallback ? rules.hybrid_remote_on_timeout_ms : null;
  return {
    kind: 'try',
    side: 'local',
    reason: 'agent_mode is hybrid_auto: the local model first',
    timeLimitMs,
  };
}

function isAllowed(trigger: FallbackTrigger, rules: RoutingRules): boolean {
  switch (trigger) {
    case 'schema':
      return rules.hybrid_remote_on_schema_fail;
    case 'context_overflow':
      return rules.hybrid_remote_on_context_overflow;
    case 'timeout':
      return rules.hybrid_remote_on_timeout_ms !== null;
    case 'tool_budget':
    case 'validation':
      return true;
  }
}
