/** Checks in advance whether the configuration names a model that the agent can use. */
import type { Failure } from '../../lib/result.ts';
import type { Config } from '../../protocol/config.ts';
import type { NotReady } from '../../ui/agent/port.ts';

type ModelKeys = Pick<
  Config,
  'agent_mode' | 'agent_local_model' | 'agent_remote_model' | 'agent_acp_command'
>;

const NO_AGENT: Failure = {
  code: 'not_found',
  message: 'No agent that speaks ACP is installed.',
  hint: 'Install one, such as Gemini CLI or opencode, or name its command in agent_acp_command.',
};

/** The path of the configuration, and what is wrong with it, as sentences. */
export interface ConfigOrigin {
  readonly file: string;
  readonly problems: readonly string[];
}

/** Why no job can run; null if one can. `installed`: an installed AI CLI that could be the agent. */
export function agentNotReady(
  config: ModelKeys,
  installed: string | null,
  origin: ConfigOrigin,
): NotReady | null {
  const missing = whatIsMissing(config, installed, origin);
  return missing === null || installed === null ? missing : { ...missing, offer: installed };
}

function whatIsMissing(
  config: ModelKeys,
  installed: string | null,
  { file, problems }: ConfigOrigin,
): Failure | null {
  const { agent_mode: mode, agent_local_model: local, agent_remote_model: remote } = config;
  if (mode === 'acp') return (config.agent_acp_command ?? installed) ? null : NO_AGENT;
  const missing =
    mode === 'local'
      ? local === null
      : mode === 'remote'
        ? remote === null
        : local === null && remote === null;
  if (!missing) return null;
  const key = mode === 'remote' ? 'agent_remote_model' : 'agent_local_model';
  const [problem] = problems;
  return {
    code: 'not_found',
    message: 'No model is configured for the agent.',
    hint:
      problem === undefined
        ? `Set ${key} in ${file}${mode === 'remote' ? ', or agent_mode to local and agent_local_model' : ''}.`
        : `The configuration has an error: ${problem}`,
  };
}
