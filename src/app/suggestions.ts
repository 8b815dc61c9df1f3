/** The suggestion server as a service of the leader, and its access tokens. */
import { setImmediate } from 'node:timers/promises';
import { copanePaths, type Env, homeFolder } from '../platform/paths.ts';
import type { Config } from '../protocol/config.ts';
import { topOf } from '../review/vcs/repository-place.ts';
import type { SocketServerOptions } from '../server/socket-server.ts';
import type { OpenMcp, RunFront } from '../server/suggestions/port.ts';
import type { SuggestionServer } from '../server/suggestions/server.ts';
import { Tokens } from '../server/suggestions/tokens.ts';
import type { Host } from './host/host.ts';
import type { LeaderService } from './host/leader.ts';
import type { Log } from './log/log.ts';

export interface SuggestionOptions {
  readonly env: Env;
  readonly config: Config;
  readonly log: Log;
  /** Tells the user where the server listens. */
  readonly onNotice: (message: string) => void;
  /** Loads the runner of commands for `bin/copane`. */
  readonly openFront: () => Promise<RunFront>;
}

export interface SuggestionService {
  readonly service: LeaderService;
  /** Handles connections to the host's socket that speak HTTP. */
  readonly onOther: NonNullable<SocketServerOptions['onOther']>;
}

/** Serves suggestions while this process leads. Without a TCP port the code is loaded on first use. */
export function suggestionService(options: SuggestionOptions): SuggestionService {
  let host: Host | null = null;
  let starting: Promise<SuggestionServer | null> | null = null;
  /** Connections that arrived before the services knew the leader. */
  const early: (() => void)[] = [];
  const server = (leader: Host) => {
    starting ??= startServer(options, leader);
    return starting;
  };
  const settleEarly = () => {
    for (const settle of early.splice(0)) settle();
  };
  return {
    service: {
      name: 'suggestion server',
      start: async (leader) => {
        host = leader;
        if (options.config.tcp !== false) await server(leader);
        settleEarly();
      },
      stop: async () => {
        const started = starting;
        host = null;
        starting = null;
        settleEarly();
        await (await started)?.stop();
      },
    },
    onOther: (socket, firstChunk) => {
      socket.pause();
      const settle = async () => {
        const running = host === null ? null : await server(host);
        if (running === null) socket.destroy();
        else running.accept(socket, firstChunk);
      };
      if (host === null) early.push(() => void settle());
      else void settle();
    },
  };
}

/** The working copy around a folder. A home folder under version control (for dotfiles) is not a project. */
function projectOf(folder: string, home: string): string | null {
  const top = topOf(folder);
  return top === home ? null : top;
}

/** The subject of the server's notices in the host. */
const NOTED = 'suggestion server';

/** MCP needs a library of its own, loaded with the first request. */
const openMcp: OpenMcp = async (services) => {
  // Node loads its fetch when one of its classes is first named: half of the work, in its own event-loop turn.
  void globalThis.Request;
  await setImmediate();
  const { createMcpEndpoint } = await import('../server/mcp/http.ts');
  return createMcpEndpoint(services);
};

async function startServer(
  { env, config, log, onNotice, openFront }: SuggestionOptions,
  host: Host,
): Promise<SuggestionServer | null> {
  const { SuggestionServer } = await import('../server/suggestions/server.ts');
  const started = await SuggestionServer.start({
    host,
    tokens: suggestionTokens(env),
    auth: config.auth,
    tcp: config.tcp !== false ? { host: config.tcp_host, port: config.tcp_port } : null,
    home: homeFolder(env),
    project: projectOf(process.cwd(), homeFolder(env)),
    openMcp,
    runFront: await openFront(),
    onWarning: (message) => log.warn(message),
    onPort: ({ address, openToAll, words }) => {
      host.server = address === null ? null : { address, openToAll };
      // If the user did not request the port, another user may be using it: that is logged once and is no problem.
      host.note(NOTED, address === null && config.tcp === true ? words : null);
      log.info(words);
      onNotice(words);
    },
  });
  if (started.ok) return started.value;
  host.note(NOTED, started.error.message);
  log.error('the suggestion server did not start', { message: started.error.message });
  onNotice(started.error.message);
  return null;
}

export { AUTHOR_NAME, authorOf, DEFAULT_AUTHOR, REVIEWER, type Who } from '../server/suggestions/who.ts';

export const suggestionTokens = (env: Env): Tokens => new Tokens(copanePaths(env).stateDir);
