/** Everything that only a leader needs, loaded when a client wants to lead. */
import type { Result } from '../../lib/result.ts';
import { randomId } from '../../platform/crypto.ts';
import { openConfiguredAgent } from '../agent/configured-agent.ts';
import { loadConfig } from '../config/load-config.ts';
import { handlers } from '../host/handlers/index.ts';
import { type Leader, type LeaderOptions, startLeader } from '../host/leader.ts';
import { createLog } from '../log/create-log.ts';

export { leaderServices } from '../services.ts';

/** Omitted: the host's own handlers, the configured agent, no services; the log has what went wrong. */
export type LeadOptions = Pick<LeaderOptions, 'paths' | 'version'> &
  Partial<Omit<LeaderOptions, 'paths' | 'version' | 'newClientName'>>;

/** Takes the lead; null if another process has it. */
export function startLeading(options: LeadOptions): Promise<Result<Leader | null>> {
  return startLeader({
    makeHandlers: () => handlers,
    services: [],
    now: Date.now,
    newClientName: () => `anonymous-${randomId()}`,
    log: createLog({ stateDir: options.paths.stateDir, level: levelOf(options) }),
    openAgent: openConfiguredAgent(options.paths),
    ...options,
  });
}

/** A command that leads for a while says nothing of what goes well. */
function levelOf({ paths }: LeadOptions): 'warn' | 'error' | 'silent' {
  const { log_level } = loadConfig(paths.configFile, process.env).config;
  return log_level === 'error' || log_level === 'silent' ? log_level : 'warn';
}
