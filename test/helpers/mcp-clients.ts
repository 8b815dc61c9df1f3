/** How each real AI CLI learns of an MCP server, by the test's configuration, and its names for the tools. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'smol-toml';
import type { ClientName } from './client-catalog.ts';
import type { ScriptedTool } from './scripted-model/script.ts';

export type McpClientName = Extract<ClientName, 'claude' | 'codex' | 'gemini' | 'opencode'>;

interface Place {
  readonly home: string;
  readonly project: string;
}

/** How a client reaches the server: a command that it starts, or an address. */
export type McpServerEntry =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

interface McpClient {
  /** Arguments beyond an ordinary start's: no tool needs a human's permission. */
  readonly args: (place: Place) => readonly string[];
  /** Adds the server to the client's configuration. */
  readonly configure: (place: Place, server: McpServerEntry) => void;
  readonly env?: Readonly<Record<string, string>>;
  /** A call of one of the server's tools, as this client offers it to a model. */
  readonly tool: (name: string, input: ScriptedTool['input']) => ScriptedTool;
  /** A shell command, by the client's own tool. */
  readonly shell: (command: string) => ScriptedTool;
}

function patchJson(file: string, change: (value: Record<string, unknown>) => Record<string, unknown>): void {
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8'))), null, 2));
}

export const MCP_CLIENTS: Readonly<Record<McpClientName, McpClient>> = {
  claude: {
    args: () => ['--allowedTools', 'mcp__copane,Bash'],
    configure: ({ home }, server) =>
      patchJson(path.join(home, '.claude.json'), (value) => ({
        ...value,
        mcpServers: { copane: { type: 'url' in server ? 'http' : 'stdio', ...server } },
      })),
    // Otherwise the model must search for tools before it can call them.
    env: { ENABLE_TOOL_SEARCH: 'false' },
    tool: (name, input) => ({ name: `mcp__copane__${name}`, input }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Edit' } }),
  },
  codex: {
    args: () => ['--ask-for-approval', 'never', '--sandbox', 'danger-full-access'],
    configure: ({ home }, server) => {
      const file = path.join(home, '.codex/config.toml');
      const fields = 'url' in server ? { url: server.url, http_headers: server.headers } : server;
      const entry = stringify({ mcp_servers: { copane: fields } });
      writeFileSync(file, `${readFileSync(file, 'utf8')}${entry}\n`);
    },
    tool: (name, input) => ({ name, namespace: 'mcp__copane', input }),
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
  },
  gemini: {
    args: () => [],
    configure: ({ home }, server) =>
      patchJson(path.join(home, '.gemini/settings.json'), (value) => ({
        ...value,
        tools: { allowed: ['run_shell_command'] },
        mcpServers: {
          copane:
            'url' in server
              ? { httpUrl: server.url, headers: server.headers, trust: true }
              : { ...server, trust: true },
        },
      })),
    tool: (name, input) => ({ name: `mcp_copane_${name}`, input }),
    shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Edit' } }),
  },
  opencode: {
    args: () => [],
    configure: ({ project }, server) =>
      patchJson(path.join(project, 'opencode.json'), (value) => ({
        ...value,
        permission: 'allow',
        mcp: {
          copane: {
            ...('url' in server
              ? { type: 'remote', ...server }
              : { type: 'local', command: [server.command, ...server.args] }),
            enabled: true,
          },
        },
      })),
    tool: (name, input) => ({ name: `copane_${name}`, input }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'Edit' } }),
  },
};
