/** How an AI CLI starts copane's MCP server. */
import type { InitPlace } from './integration.ts';

export const MCP_NAME = 'copane';

/** Variables that name copane's folders: an AI CLI may pass only some of its own variables to a server. */
const HANDED_ON = ['COPANE_SOCKET', 'COPANE_NODE', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR'];

export interface McpEntry {
  readonly command: string;
  readonly args: readonly string[];
  /** Absent if none of the variables is set. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The command, arguments and variables. `author` is the name under which it publishes. */
export function mcpEntry({ program, env }: InitPlace, author: string): McpEntry {
  const set = HANDED_ON.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  const entry = { command: program, args: ['mcp', '--as', author] };
  return set.length === 0 ? entry : { ...entry, env: Object.fromEntries(set) };
}
