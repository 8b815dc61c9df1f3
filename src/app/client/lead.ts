/** Everything that only a leader needs, loaded when a client wants to lead. */
import type { Result } from '../../lib/result.ts';
import { randomId } from '../../platform/crypto.ts';
import { openConfiguredAgent } from '../agent/configured-agent.ts';
import { handlers } from '../host/handlers/index.ts';
import { type Leader, type LeaderOptions, startLeader } from '../host/leader.ts';
import { SILENT_LOG } from '../log/log.ts';

/** Omitted: the host's own handlers, the configured agent, no services and no log. */
export type LeadOptions = Pick<LeaderOptions, 'paths' | 'version'> &
  Partial<Omit<LeaderOptions, 'paths' | 'version' | 'newClientName'>>;

/** Takes the lead; null if another process has it. */
export function startLeading(options: LeadOptions): Promise<Result<Leader | null>> {
  return startLeader({
    makeHandlers: () => handlers,
    services: [],
    now: Date.now,
    newClientName: () => `anonymous-${randomId()}`,
    log: SILENT_LOG,
    openAgent: openConfiguredAgent(options.paths),
    ...options,
  });
}
