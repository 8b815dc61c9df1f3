/** The suggestion server as a service of the leader, and the tokens that open it. */
import os from 'node:os';
import type { Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { Config } from '../protocol/config.ts';
import type { Role } from '../protocol/suggestion-wire.ts';
import type { SocketServerOptions } from '../server/socket-server.ts';
import { SuggestionServer } from '../server/suggestions/server.ts';
import { Tokens } from '../server/suggestions/tokens.ts';
import type { LeaderService } from './host/leader.ts';
import type { Log } from './log/log.ts';

export interface SuggestionOptions {
  readonly env: Env;
  readonly config: Config;
  readonly log: Log;
  /** Tells whoever started the process where the server listens. */
  readonly onNotice: (message: string) => void;
}

export interface SuggestionService {
  readonly service: LeaderService;
  /** Takes connections to the host's socket that speak HTTP. */
  readonly onOther: NonNullable<SocketServerOptions['onOther']>;
}

/** Serves suggestions while this process leads. */
export function suggestionService({ env, config, log, onNotice }: SuggestionOptions): SuggestionService {
  let running: SuggestionServer | null = null;
  // The host's socket stands before the services do.
  let hasStarted = false;
  const early: (() => void)[] = [];
  const settleEarly = () => {
    for (const settle of early.splice(0)) settle();
  };
  return {
    service: {
      name: 'suggestion server',
      start: async (host) => {
        const started = await SuggestionServer.start({
          host,
          tokens: new Tokens(copanePaths(env).stateDir),
          auth: config.auth,
          tcp: config.tcp ? { host: config.tcp_host, port: config.tcp_port } : null,
          home: env.HOME ?? os.homedir(),
          onWarning: (message) => log.warn(message),
          onNotice: (message) => {
            log.info(message);
            onNotice(message);
          },
        });
        if (started.ok) running = started.value;
        else {
          log.error('the suggestion server did not start', { message: started.error.message });
          onNotice(started.error.message);
        }
        hasStarted = true;
        settleEarly();
      },
      stop: async () => {
        const server = running;
        running = null;
        hasStarted = false;
        settleEarly();
        await server?.stop();
      },
    },
    onOther: (socket, firstChunk) => {
      const settle = () => {
        if (running === null) socket.destroy();
        else running.accept(socket, firstChunk);
      };
      if (hasStarted) return settle();
      socket.pause();
      early.push(settle);
    },
  };
}

/** The token of a role, made where there is none; `rotate`: a new one, and the old one opens nothing any more. */
export function suggestionToken(env: Env, role: Role, rotate: boolean): Result<string> {
  const tokens = new Tokens(copanePaths(env).stateDir);
  return rotate ? tokens.rotate(role) : tokens.read(role);
}
