/** Finds an installed AI CLI that can be the agent, and configures it as the agent. */
import { installedAgents } from '../../agent/acp/known-agents.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { copanePaths, type Env, homeFolder } from '../../platform/paths.ts';
import { setValue } from '../init/edit/json-edit.ts';
import { readUserFile, writeUserFile } from '../init/user-files.ts';

export const installedAgent = (env: Env): string | null => installedAgents(env)[0]?.name ?? null;

/** Makes it the agent in the user's configuration; returns its name. */
export function takeInstalledAgent(env: Env): Result<string> {
  const [agent] = installedAgents(env);
  if (agent === undefined) return fail('not_found', 'No AI CLI that speaks ACP is installed.');
  const read = readUserFile(copanePaths(env).configFile, homeFolder(env));
  if (!read.ok) return read;
  const mode = setValue(read.value.text, ['agent_mode'], 'acp');
  if (!mode.ok) return mode;
  const changed = setValue(mode.value, ['agent_acp_command'], agent.command);
  if (!changed.ok) return changed;
  const written = writeUserFile(read.value, changed.value);
  return written.ok ? ok(agent.name) : written;
}
