/** The agent with the models and limits of the user's configuration. Nothing of it is loaded before it is used. */
import path from 'node:path';
import type { RunLoop } from '../../agent/loop-port.ts';
import { lazy } from '../../lib/lazy.ts';
import type { CopanePaths, Env } from '../../platform/paths.ts';
import { loadConfig } from '../config/load-config.ts';
import type { OpenAgent } from '../host/open-agent.ts';
import type { Log } from '../log/log.ts';

/** Keys of providers, mode 0600, beside the configuration. */
const KEYS_FILE = 'keys.json';

/** Opens the agent for a host with these paths. */
export function openConfiguredAgent(paths: CopanePaths, env: Env = process.env): OpenAgent {
  return async (host, home) => {
    const [{ openAgent }, { agentLimitsSchema }] = await Promise.all([
      import('../host/open-agent.ts'),
      import('../../protocol/agent.ts'),
    ]);
    const { config } = loadConfig(paths.configFile, env);
    const names = Object.keys(agentLimitsSchema.shape) as (keyof typeof agentLimitsSchema.shape)[];
    const limits = agentLimitsSchema.parse(Object.fromEntries(names.map((name) => [name, config[name]])));
    return openAgent(host, home, {
      limits,
      mode: config.agent_mode,
      runLoop: loopByMode(paths, env, home.log),
    });
  };
}

/** Copies of projects that agents of the user's own work in. */
const COPIES_FOLDER = 'agent-copies';

/** What does a job of each mode, with its libraries, comes with the first such job. */
function loopByMode(paths: CopanePaths, env: Env, log: Log): RunLoop {
  const models = lazy(() => modelLoop(paths, env, log));
  const agents = lazy(() => acpLoop(paths, env));
  return async (input, deps) => (await (input.mode === 'acp' ? agents() : models()))(input, deps);
}

async function modelLoop(paths: CopanePaths, env: Env, log: Log): Promise<RunLoop> {
  const [{ createLoop }, { agentFileMaps, openFileMaps }] = await Promise.all([
    import('../../agent/loop.ts'),
    import('../file-maps.ts'),
  ]);
  return createLoop({
    models: () => loadConfig(paths.configFile, env).config,
    env,
    keysFile: path.join(path.dirname(paths.configFile), KEYS_FILE),
    dataDir: paths.dataDir,
    now: Date.now,
    maps: agentFileMaps(openFileMaps(env).maps, ({ message }) =>
      log.warn('a file was read without its map', { message }),
    ),
  });
}

async function acpLoop(paths: CopanePaths, env: Env): Promise<RunLoop> {
  const [{ createAcpLoop }, { secretRule }] = await Promise.all([
    import('../../agent/acp/acp-loop.ts'),
    import('../../agent/tools/kept-back.ts'),
  ]);
  const config = () => loadConfig(paths.configFile, env).config;
  return createAcpLoop({
    command: () => config().agent_acp_command,
    skipIgnored: () => config().agent_skip_ignored,
    isSecret: () => secretRule(config().agent_secret_files),
    env,
    home: path.join(paths.stateDir, COPIES_FOLDER),
    now: Date.now,
  });
}
