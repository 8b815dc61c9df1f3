/** Gemini CLI: hooks and the MCP server, both in the user's settings. */
import path from 'node:path';
import { addHooks, hasHooks, removeHooks } from '../edit/hook-settings.ts';
import { jsonEntry } from '../edit/json-entry.ts';
import { hookCommand, isHookCommand } from '../hook-command.ts';
import type { InitPlace, Integration } from '../integration.ts';
import { MCP_NAME, mcpEntry } from '../mcp-entry.ts';

const HOOK_TIMEOUT_MS = 5000;

const EVENTS = {
  SessionStart: undefined,
  BeforeAgent: undefined,
  Notification: undefined,
  AfterAgent: undefined,
  SessionEnd: undefined,
};

function settingsOf(place: InitPlace) {
  return {
    events: EVENTS,
    command: hookCommand(place, 'gemini'),
    timeout: HOOK_TIMEOUT_MS,
    isOurs: isHookCommand,
  };
}

export const gemini: Integration = {
  name: 'gemini',
  summary: 'exact states and answers by hooks, suggestions by MCP',
  parts: (place) => {
    const file = path.join(place.env.GEMINI_CLI_HOME || place.home, '.gemini/settings.json');
    return [
      {
        kind: 'file',
        name: 'hooks',
        file,
        about: 'hooks that tell the companion what Gemini CLI does; your own hooks stay',
        add: (text) => addHooks(text, settingsOf(place)),
        remove: (text, original) => removeHooks(text, original, settingsOf(place)),
        isIn: (text) => hasHooks(text, settingsOf(place)),
      },
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
