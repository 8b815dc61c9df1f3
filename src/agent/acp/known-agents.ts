/** AI CLIs and adapters that speak the Agent Client Protocol; finds the ones on this machine. */
import { findOnPath } from '../../platform/exec.ts';
import type { Env } from '../../platform/paths.ts';

export interface KnownAgent {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

/** In the order in which they are offered, starting with AI CLIs that need no adapter. */
const KNOWN: readonly KnownAgent[] = [
  { name: 'Gemini CLI', command: ['gemini', '--acp'] },
  { name: 'opencode', command: ['opencode', 'acp'] },
  { name: 'Claude Code', command: ['claude-agent-acp'] },
  { name: 'Claude Code', command: ['claude-code-acp'] },
  { name: 'Codex', command: ['codex-acp'] },
  { name: 'pi', command: ['pi-acp'] },
];

/** AI CLIs that need an adapter, and the adapter's package on npm. */
const BY_ADAPTER: readonly { readonly name: string; readonly program: string; readonly adapter: string }[] = [
  { name: 'Claude Code', program: 'claude', adapter: '@agentclientprotocol/claude-agent-acp' },
  { name: 'Codex', program: 'codex', adapter: '@agentclientprotocol/codex-acp' },
  { name: 'pi', program: 'pi', adapter: 'pi-acp' },
];

/** The agents whose program is on the PATH. */
export function installedAgents(env: Env): readonly KnownAgent[] {
  return KNOWN.filter(({ command: [program] }) => findOnPath(program, env) !== null);
}

/** How to get an agent if none is installed: the adapter of an installed AI CLI; null if there is no such CLI. */
export function adapterHint(env: Env): string | null {
  const here = BY_ADAPTER.find(({ program }) => findOnPath(program, env) !== null);
  return here === undefined
    ? null
    : `${here.name} can be the agent: "npm install -g ${here.adapter}", then set "agent_mode": "acp" in the configuration.`;
}
