/** Why an attempt failed, as a job's error, and whether another model may do better. Pure. */
import type { Failure } from '../../lib/result.ts';
import type { JobError, JobErrorCode } from '../../protocol/agent.ts';
import type { ProviderFailure, ProviderFailureKind } from '../providers/provider.ts';
import type { FallbackTrigger } from '../providers/routing.ts';

export interface AttemptFailure {
  readonly error: JobError;
  /** Null if no other model can fix it. */
  readonly trigger: FallbackTrigger | null;
}

export function failure(
  code: JobErrorCode,
  message: string,
  options: { readonly hint?: string; readonly trigger?: FallbackTrigger } = {},
): AttemptFailure {
  return { error: { code, message, hint: options.hint ?? null }, trigger: options.trigger ?? null };
}

interface Meaning {
  readonly code: JobErrorCode;
  readonly hint?: string;
  readonly trigger?: FallbackTrigger;
}

const MEANINGS: Readonly<Record<ProviderFailureKind, Meaning>> = {
  cancelled: { code: 'cancelled' },
  timeout: {
    code: 'timeout',
    trigger: 'timeout',
    hint: 'Raise agent_remote_timeout_ms or agent_local_timeout_ms, or use a faster model.',
  },
  rate_limited: { code: 'rate_limited', hint: 'Run it again later.' },
  unavailable: { code: 'provider', hint: 'Run it again later.' },
  unreachable: { code: 'provider', hint: 'Check that its server is running and that its address is right.' },
  cut: { code: 'provider', hint: 'Run it again.' },
  context_overflow: {
    code: 'context_overflow',
    trigger: 'context_overflow',
    hint: 'Remove context rows, or use a model with a larger context.',
  },
  unauthorized: { code: 'unauthorized', hint: 'Check the key of the model.' },
  malformed: { code: 'invalid_output', trigger: 'schema' },
  rejected: { code: 'provider' },
  not_a_model: {
    code: 'provider',
    hint: 'Check the address of the model in the configuration: for most servers it ends with /v1.',
  },
  not_recorded: { code: 'provider', hint: 'Record it again.' },
};

/** A step that failed permanently. */
export function providerFailure({ kind, message }: ProviderFailure): AttemptFailure {
  const { code, ...rest } = MEANINGS[kind];
  return failure(code, message, rest);
}

/** A model that could not be set up. */
export function setupFailure({ message, hint }: Failure): AttemptFailure {
  return failure('not_configured', message, hint === undefined ? {} : { hint });
}
