/** Gemini CLI: hooks and the MCP server, both in the user's settings. */
import path from 'node:path';
import { jsonEntry } from '../edit/json-entry.ts';
import { hookPart } from '../hook-part.ts';
import type { Integration } from '../integration.ts';
import { MCP_NAME, mcpEntry } from '../mcp-entry.ts';

const HOOK_TIMEOUT_MS = 5000;

const EVENTS = {
  SessionStart: undefined,
  BeforeAgent: undefined,
  Notification: undefined,
  AfterAgent: undefined,
  SessionEnd: undefined,
};

export const gemini: Integration = {
  name: 'gemini',
  summary: 'exact states and answers by hooks, suggestions by MCP',
  parts: (place) => {
    const file = path.join(place.env.GEMINI_CLI_HOME || place.home, '.gemini/settings.json');
    return [
      hookPart(place, { file, cli: 'gemini', title: 'Gemini CLI', events: EVENTS, timeout: HOOK_TIMEOUT_MS }),
      {
        kind: 'file',
        name: 'mcp',
        file,
        about: 'an MCP server through which Gemini CLI offers changes for review',
        ...jsonEntry(['mcpServers', MCP_NAME], { ...mcpEntry(place, 'gemini') }),
      },
    ];
  },
  next: 'It applies to sessions that start from now on.',
};
