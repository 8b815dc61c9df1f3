/** Everything that only a leader needs, loaded when a client wants to lead. */
import type { Result } from '../../lib/result.ts';
import { randomId } from '../../platform/crypto.ts';
import type { CopanePaths } from '../../platform/paths.ts';
import type { SocketServerOptions } from '../../server/socket-server.ts';
import { openConfiguredAgent } from '../agent/configured-agent.ts';
import type { Handlers } from '../host/handler.ts';
import { handlers } from '../host/handlers/index.ts';
import type { Host } from '../host/host.ts';
import { type Leader, type LeaderService, startLeader } from '../host/leader.ts';
import type { OpenAgent } from '../host/open-agent.ts';
import { type Log, SILENT_LOG } from '../log/log.ts';

export interface LeadOptions {
  readonly paths: CopanePaths;
  readonly version: string;
  readonly services?: readonly LeaderService[];
  /** Omitted: the handlers of `app/host/handlers`. */
  readonly makeHandlers?: (host: Host) => Handlers;
  readonly log?: Log;
  /** Omitted: the agent of the user's configuration. */
  readonly openAgent?: OpenAgent;
  readonly now?: () => number;
  /** Handles connections to the host's socket that do not speak JSON lines. */
  readonly onOther?: SocketServerOptions['onOther'];
}

/** Takes the lead; null if another process has it. */
export function startLeading(options: LeadOptions): Promise<Result<Leader | null>> {
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
