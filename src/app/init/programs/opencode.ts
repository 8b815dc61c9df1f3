/** opencode: our plugin, which provides the tools and reports states; or only the MCP server, on request. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { jsonEntry } from '../edit/json-entry.ts';
import { ownFile } from '../edit/own-file.ts';
import type { InitPlace, Integration } from '../integration.ts';
import { MCP_NAME, mcpEntry } from '../mcp-entry.ts';

const CONFIG_NAMES = ['opencode.jsonc', 'opencode.json'];

function configFolder({ env, home }: InitPlace): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'opencode');
}

/** The existing configuration file, or else the one to create. */
function configFile(place: InitPlace): string {
  const files = CONFIG_NAMES.map((name) => path.join(configFolder(place), name));
  return files.find((file) => existsSync(file)) ?? files[1] ?? '';
}

export const opencode: Integration = {
  name: 'opencode',
  summary: 'states, suggestions and feedback by a plugin',
  parts: (place) => {
    const { command, args, env } = mcpEntry(place, 'opencode');
    return [
      {
        kind: 'file',
        name: 'plugin',
        file: path.join(configFolder(place), 'plugins/copane.js'),
        about:
          'loads the plugin of copane: tools to offer changes for review, your decisions as messages, exact states',
        ...ownFile(place, 'integrations/opencode/plugin.js', 'opencode'),
      },
      {
        kind: 'file',
        name: 'mcp',
        file: configFile(place),
        optional: true,
        about: 'an MCP server with the same tools, if you prefer it to the plugin',
        ...jsonEntry(['mcp', MCP_NAME], {
          type: 'local',
          command: [command, ...args],
          enabled: true,
          ...(env === undefined ? {} : { environment: env }),
        }),
      },
    ];
  },
  next: 'It applies to sessions that start from now on.',
};
