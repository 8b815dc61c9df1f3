/** How an AI CLI starts our MCP server. */
import type { InitPlace } from './integration.ts';

export const MCP_NAME = 'copane';

/** Variables that name copane's folders: an AI CLI may pass a server only a few of its own variables. */
const HANDED_ON = ['COPANE_SOCKET', 'COPANE_NODE', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];

export interface McpEntry {
  readonly command: string;
  readonly args: readonly string[];
  /** Absent when there is nothing to hand on. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Command, arguments, and the variables that are set here. `author` is the name under which it publishes. */
export function mcpEntry({ program, env }: InitPlace, author: string): McpEntry {
  const set = HANDED_ON.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  const entry = { command: program, args: ['mcp', '--as', author] };
  return set.length === 0 ? entry : { ...entry, env: Object.fromEntries(set) };
}
