/** Opens the agent with the models and limits of the user's configuration. Loads its modules on first use. */
import path from 'node:path';
import type { RunLoop } from '../../agent/loop/port.ts';
import { lazy } from '../../lib/lazy.ts';
import type { CopanePaths, Env } from '../../platform/paths.ts';
import type { AgentLimits, JobError } from '../../protocol/agent.ts';
import type { Config } from '../../protocol/config.ts';
import { liveConfig } from '../config/live-config.ts';
import type { OpenAgent } from '../host/open-agent.ts';
import type { Log } from '../log/log.ts';

/** API keys of providers, mode 0600, beside the configuration. */
const KEYS_FILE = 'keys.json';

export function keysFileOf({ configFile }: CopanePaths): string {
  return path.join(path.dirname(configFile), KEYS_FILE);
}

export function openConfiguredAgent(paths: CopanePaths, env: Env = process.env): OpenAgent {
  return async (host, home) => {
    const [{ openAgent }, { agentLimitsSchema }] = await Promise.all([
      import('../host/open-agent.ts'),
      import('../../protocol/agent.ts'),
    ]);
    const config = liveConfig(paths.configFile, env);
    const names = Object.keys(agentLimitsSchema.shape) as (keyof AgentLimits)[];
    // Each limit is read from the current configuration.
    const limits: Partial<AgentLimits> = {};
    for (const name of names)
      Object.defineProperty(limits, name, { get: () => config()[name], enumerable: true });
    return openAgent(host, home, {
      limits: limits as AgentLimits,
      mode: () => config().agent_mode,
      runLoop: loopByMode({ paths, env, config, log: home.log }),
    });
  };
}

const COPIES_FOLDER = 'agent-copies';

interface LoopOptions {
  readonly paths: CopanePaths;
  readonly env: Env;
  readonly config: () => Config;
  readonly log: Log;
}

/** Runs a job in its mode. The mode's libraries are loaded with the first such job. */
function loopByMode(setup: LoopOptions): RunLoop {
  const models = lazy(() => modelLoop(setup));
  const agents = lazy(() => acpLoop(setup));
  return async (input, deps) => {
    const ended = await (await (input.mode === 'acp' ? agents() : models()))(input, deps);
    return ended.ok || input.mode === 'acp' || ended.error.code !== 'not_configured'
      ? ended
      : { ok: false, error: await withOffer(ended.error, setup.env) };
  };
}

/** Adds an offer to use an installed AI CLI to the error that no model is configured. */
async function withOffer(error: JobError, env: Env): Promise<JobError> {
  const { installedAgent } = await import('./installed-agent.ts');
  const name = installedAgent(env);
  if (name === null) return error;
  const offer = `${name} is installed and can be the agent: run it with --mode acp, or set "agent_mode": "acp".`;
  return { ...error, hint: [offer, error.hint].filter(Boolean).join(' ') };
}

async function modelLoop({ paths, env, config, log }: LoopOptions): Promise<RunLoop> {
  const [{ createLoop }, { agentFileMaps, openFileMaps }] = await Promise.all([
    import('../../agent/loop/loop.ts'),
    import('../file-maps.ts'),
  ]);
  return createLoop({
    models: config,
    env,
    keysFile: keysFileOf(paths),
    dataDir: paths.dataDir,
    now: Date.now,
    maps: agentFileMaps(
      openFileMaps(env, (message) => log.warn('a map was not kept', { message })).maps,
      ({ message }) => log.warn('a file was read without its map', { message }),
    ),
  });
}

async function acpLoop({ paths, env, config }: LoopOptions): Promise<RunLoop> {
  const [{ createAcpLoop }, { secretRule }] = await Promise.all([
    import('../../agent/acp/acp-loop.ts'),
    import('../../review/core/secret-files.ts'),
  ]);
  return createAcpLoop({
    command: () => config().agent_acp_command,
    skipIgnored: () => config().agent_skip_ignored,
    isSecret: () => secretRule(config().agent_secret_files),
    env,
    home: path.join(paths.stateDir, COPIES_FOLDER),
    now: Date.now,
  });
}
