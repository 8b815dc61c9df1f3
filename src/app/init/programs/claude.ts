/** Claude Code: hooks in the user's settings, the MCP server in the user scope. */
import path from 'node:path';
import { jsonEntry } from '../edit/json-entry.ts';
import { hookPart } from '../hook-part.ts';
import type { InitPlace, Integration } from '../integration.ts';
import { MCP_NAME, mcpEntry } from '../mcp-entry.ts';

const HOOK_TIMEOUT_S = 5;

/** Only two kinds of notification are questions; other hooks cover the rest. */
const EVENTS = {
  SessionStart: undefined,
  UserPromptSubmit: undefined,
  PermissionRequest: undefined,
  Notification: 'permission_prompt|elicitation_dialog',
  Stop: undefined,
  SessionEnd: undefined,
};

/** The user-wide state file: beside the configuration folder, or inside it if that was moved. */
function stateFile({ env, home }: InitPlace): string {
  return path.join(env.CLAUDE_CONFIG_DIR || home, '.claude.json');
}

export const claude: Integration = {
  name: 'claude',
  summary: 'exact states and answers by hooks, suggestions by MCP',
  parts: (place) => [
    hookPart(place, {
      file: path.join(place.env.CLAUDE_CONFIG_DIR || path.join(place.home, '.claude'), 'settings.json'),
      cli: 'claude',
      title: 'Claude Code',
      events: EVENTS,
      timeout: HOOK_TIMEOUT_S,
    }),
    {
      kind: 'file',
      name: 'mcp',
      file: stateFile(place),
      about: 'an MCP server through which Claude Code offers changes for review, in every project',
      ...jsonEntry(['mcpServers', MCP_NAME], { type: 'stdio', ...mcpEntry(place, 'claude') }),
    },
  ],
  next: 'It applies to sessions that start from now on.',
};
