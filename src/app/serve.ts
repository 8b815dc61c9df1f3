/** `copane serve`: leads without a screen, for a service manager. Ends by a signal. */
import { errorMessage, type Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import { loadConfig } from './config/load-config.ts';
import { createShutdown, type ShutdownProcess } from './host/shutdown.ts';
import { openHost } from './host-access.ts';
import { createLog } from './log/create-log.ts';
import { leaderServices } from './services.ts';

/** Serves until it is told to end; ends the process itself. Fails when it can neither lead nor join. */
export async function serve(env: Env, say: (line: string) => void): Promise<Result<never>> {
  const paths = copanePaths(env);
  const { config } = loadConfig(paths.configFile, env);
  const log = createLog({ stateDir: paths.stateDir, level: config.log_level });
  const shutdown = createShutdown({
    process: process as ShutdownProcess,
    reportDefect: (thrown) => {
      log.crash('the host ended by a defect', thrown);
      say(`copane: ended by a defect: ${errorMessage(thrown)}. The log in ${paths.stateDir} says more.`);
    },
    onDisposeError: (name, message) => log.error(`closing ${name} failed`, { message }),
  });
  shutdown.add('log', 'log', () => log.flush());
  const host = await openHost(env, { log, services: leaderServices(env, log) });
  if (!host.ok) {
    shutdown.detach();
    return host;
  }
  shutdown.add('host', 'host', () => host.value.close());
  const { state } = host.value;
  const leads = state.kind === 'connected' && state.leader;
  say(
    leads
      ? `copane: serving on ${paths.socketFile}`
      : 'copane: another copane leads; taking over when it ends',
  );
  // A client without requests keeps nothing alive by itself.
  setInterval(() => undefined, 2 ** 30);
  return new Promise<never>(() => undefined);
}
