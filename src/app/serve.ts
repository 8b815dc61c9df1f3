/** `copane serve`: leads without a screen, for a service manager or an editor. Ends on a signal. */
import type { Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import { loadConfig } from './config/load-config.ts';
import { formatProblem } from './config/parse-config.ts';
import { shutdownOf } from './host/shutdown.ts';
import { openHost } from './host-access.ts';
import { createLog } from './log/create-log.ts';
import { leaderServices, type OpenFront } from './services.ts';

export interface ServeOptions {
  readonly say: (line: string) => void;
  /** Open the TCP port regardless of the configuration. */
  readonly tcp: boolean;
  /** The process ends when this stream ends: its starter is gone. Null: it ends only on a signal. */
  readonly stdin: NodeJS.ReadableStream | null;
  readonly openFront: OpenFront;
}

/** Serves until told to end, and ends the process itself. Fails if it can neither lead nor connect. */
export async function serve(env: Env, { say, tcp, stdin, openFront }: ServeOptions): Promise<Result<never>> {
  const paths = copanePaths(env);
  const loaded = loadConfig(paths.configFile, env);
  const config = { ...loaded.config, tcp: tcp ? true : loaded.config.tcp };
  for (const problem of loaded.problems) say(`copane: ${formatProblem(problem)}`);
  const log = createLog({ stateDir: paths.stateDir, level: config.log_level });
  const shutdown = shutdownOf({ what: 'the host', stateDir: paths.stateDir, log, say });
  const onNotice = (message: string) => say(`copane: ${message}`);
  const services = leaderServices({ env, config, log, onNotice, openFront: () => openFront(null) });
  const host = await openHost(env, { log, onNotice, ...services });
  if (!host.ok) {
    shutdown.detach();
    return host;
  }
  shutdown.add('host', 'host', () => host.value.close());
  stdin?.resume().once('end', () => void shutdown.exit(0));
  const { state } = host.value;
  const leads = state.kind === 'connected' && state.leader;
  say(
    leads
      ? `copane: Serving on ${paths.socketFile}`
      : 'copane: Another copane leads; taking over when it ends',
  );
  if (!leads && config.tcp === true)
    say('copane: Until then the TCP port is open only if the other one opened it');
  // A client without requests does not keep the event loop alive.
  setInterval(() => undefined, 2 ** 30);
  return new Promise<never>(() => undefined);
}
