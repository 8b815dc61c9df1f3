/** Providers of the agent over real HTTP, pointed at a scripted model. */
import { createProvider } from '../../src/agent/providers/models.ts';
import type { AgentProvider } from '../../src/agent/providers/provider.ts';
import type { AgentModels, ProviderKind } from '../../src/protocol/agent-models.ts';
import { configSchema } from '../../src/protocol/config.ts';

/** The address of each provider on a scripted model. */
const PATHS: Readonly<Record<ProviderKind, string>> = {
  'openai-compatible': '/v1',
  anthropic: '/v1',
  google: '/v1beta',
};

/** Settings for a remote model of this kind at `port`, with changes. */
export function modelsAt(port: number, kind: ProviderKind, changes: Partial<AgentModels> = {}): AgentModels {
  return {
    ...configSchema.parse({}),
    agent_remote_provider: kind,
    agent_remote_url: `http://127.0.0.1:${port}${PATHS[kind]}`,
    agent_remote_model: 'scripted',
    agent_local_url: `http://127.0.0.1:${port}/v1`,
    agent_local_model: 'scripted-local',
    ...changes,
  };
}

/** The remote provider; fails the test where there is none. */
export async function remoteProvider(
  models: AgentModels,
  env: Readonly<Record<string, string>> = {},
): Promise<AgentProvider> {
  const made = await createProvider('remote', {
    models,
    env,
    keysFile: '/nonexistent/keys.json',
    dataDir: '/nonexistent/data',
    now: Date.now,
  });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}
