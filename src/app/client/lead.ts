/** Leading for a client: everything that only a leader needs, loaded when a client wants to lead and not before. */
import type { Result } from '../../lib/result.ts';
import { randomId } from '../../platform/crypto.ts';
import { openConfiguredAgent } from '../agent/configured-agent.ts';
import { handlers } from '../host/handlers/index.ts';
import { type Leader, startLeader } from '../host/leader.ts';
import { SILENT_LOG } from '../log/log.ts';
import type { ConnectOptions } from './connect.ts';

/** Takes the lead with these options; null when another process has it. */
export function startLeading(options: ConnectOptions): Promise<Result<Leader | null>> {
  return startLeader({
    paths: options.paths,
    version: options.version,
    makeHandlers: options.makeHandlers ?? (() => handlers),
    services: options.services ?? [],
    now: options.now ?? Date.now,
    newClientName: () => `anonymous-${randomId()}`,
    log: options.log ?? SILENT_LOG,
    openAgent: options.openAgent ?? openConfiguredAgent(options.paths),
    onOther: options.onOther,
  });
}
