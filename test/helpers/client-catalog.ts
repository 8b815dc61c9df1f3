/**
 * The real AI CLIs that tests run against: packages, versions, and where they are installed. They are large, so they
 * are in a cache folder outside the repository; `npm run setup:clients` fills it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { copanePaths, type Env } from '../../src/platform/paths.ts';
import type { CliId } from '../../src/protocol/cli-id.ts';

/** Each pinned program. `claude-old` draws on the main screen, `claude` on the alternate screen; `pi-new` has another publisher. */
export type ClientName =
  | 'claude'
  | 'claude-old'
  | 'codex'
  | 'opencode'
  | 'pi'
  | 'pi-new'
  | 'gemini'
  | 'aider';

export interface ClientSpec {
  readonly name: ClientName;
  readonly cli: CliId;
  readonly registry: 'npm' | 'pypi';
  readonly packageName: string;
  readonly version: string;
  /** The command inside `node_modules/.bin` or the virtual environment's `bin`. */
  readonly command: string;
}

/** Pinned exactly: a screen rule and a recording only hold for the version that drew it. */
export const CLIENTS: readonly ClientSpec[] = [
  npm('claude', 'claude', '@anthropic-ai/claude-code', '2.1.332', 'claude'),
  npm('claude-old', 'claude', '@anthropic-ai/claude-code', '2.1.197', 'claude'),
  npm('codex', 'codex', '@openai/codex', '0.171.0', 'codex'),
  npm('opencode', 'opencode', 'opencode-ai', '1.18.33', 'opencode'),
  npm('pi', 'pi', '@mariozechner/pi-coding-agent', '0.73.1', 'pi'),
  npm('pi-new', 'pi', '@earendil-works/pi-coding-agent', '1.6.0', 'pi'),
  npm('gemini', 'gemini', '@google/gemini-cli', '0.61.0', 'gemini'),
  {
    name: 'aider',
    cli: 'aider',
    registry: 'pypi',
    packageName: 'aider-chat',
    version: '0.86.2',
    command: 'aider',
  },
];

/** Adapters through which AI CLIs speak ACP; each includes its AI CLI, except that of pi. */
export const ADAPTERS = [
  { packageName: '@agentclientprotocol/claude-agent-acp', version: '0.101.0', command: 'claude-agent-acp' },
  { packageName: '@agentclientprotocol/codex-acp', version: '2.6.0', command: 'codex-acp' },
  { packageName: 'pi-acp', version: '0.0.34', command: 'pi-acp' },
] as const;

/** The program of an adapter; null when it is not installed. */
export function adapterCommand(command: (typeof ADAPTERS)[number]['command']): string | null {
  const found = ADAPTERS.find((adapter) => adapter.command === command);
  const dir = path.join(clientsRoot(), `${command}-${found?.version}`);
  return existsSync(path.join(dir, '.installed')) ? path.join(dir, 'node_modules/.bin', command) : null;
}

function npm(
  name: ClientName,
  cli: CliId,
  packageName: string,
  version: string,
  command: string,
): ClientSpec {
  return { name, cli, registry: 'npm', packageName, version, command };
}

/** The pinned client of that name. */
export function clientSpec(name: ClientName): ClientSpec {
  const spec = CLIENTS.find((candidate) => candidate.name === name);
  if (spec === undefined) throw new Error(`no such client: ${name}`);
  return spec;
}

/** `$COPANE_CLIENTS`, else `clients` in copane's cache folder. */
export function clientsRoot(env: Env = process.env): string {
  return env.COPANE_CLIENTS || path.join(copanePaths(env).cacheDir, 'clients');
}

/** The folder of one client at its pinned version. */
export function clientDir(spec: ClientSpec, env: Env = process.env): string {
  return path.join(clientsRoot(env), `${spec.name}-${spec.version}`);
}

/** The client's command; it exists only after `npm run setup:clients`. */
export function clientCommand(spec: ClientSpec, env: Env = process.env): string {
  const bin = spec.registry === 'npm' ? 'node_modules/.bin' : 'bin';
  return path.join(clientDir(spec, env), bin, spec.command);
}

/** Whether the client is installed; a test that needs it skips and says so when it is not. */
export function isInstalled(name: ClientName, env: Env = process.env): boolean {
  const spec = clientSpec(name);
  return existsSync(clientCommand(spec, env)) && existsSync(path.join(clientDir(spec, env), '.installed'));
}
