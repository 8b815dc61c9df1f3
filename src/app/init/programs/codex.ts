/** Codex: hooks in hooks.json, `notify`, the MCP server. Hooks run only once the user trusts them, `notify` at once. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../../lib/result.ts';
import { readRegularSync } from '../../../platform/regular-file.ts';
import {
  appendTable,
  readToml,
  removeTable,
  removeTopValue,
  setTopValue,
  topValue,
} from '../edit/toml-edit.ts';
import { chainedBehind, hookArgv, isHookCommand } from '../hook-command.ts';
import { hookPart } from '../hook-part.ts';
import type { FilePart, InitPlace, Integration } from '../integration.ts';
import { MCP_NAME, mcpEntry } from '../mcp-entry.ts';

const CONFIG_MAX_BYTES = 4 * 1024 * 1024;

/** Codex allows no more for an "Interrupt" hook, and warns at each start about a higher value. */
const HOOK_TIMEOUT_S = 3;
const EVENTS = {
  SessionStart: undefined,
  UserPromptSubmit: undefined,
  PermissionRequest: undefined,
  Stop: undefined,
  Interrupt: undefined,
};
const COMMENT = '# By "copane init codex"; "copane init codex --remove" takes it out.';
const MCP_TABLE = ['mcp_servers', MCP_NAME];

/** Hooks in config.toml itself: Codex warns at each start if there is a hooks.json beside them. */
function hasInlineHooks(file: string): boolean {
  const read = existsSync(file)
    ? readToml(String(readRegularSync(file, { maxBytes: CONFIG_MAX_BYTES })))
    : null;
  const hooks = read?.ok ? read.value.hooks : undefined;
  return typeof hooks === 'object' && hooks !== null && Object.keys(hooks).some((key) => key !== 'state');
}

/** The arguments of `notify`; empty if it is not set; null if it is not a list of strings. */
function notifyOf(text: string): readonly string[] | null {
  const read = readToml(text);
  const value = read.ok ? read.value.notify : undefined;
  if (value === undefined) return [];
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value : null;
}

function listOf(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function addNotify(text: string | null, place: InitPlace): Result<string> {
  const source = text ?? '';
  const parsed = readToml(source);
  if (!parsed.ok) return parsed;
  const now = notifyOf(source);
  if (now === null) return fail('invalid', 'its "notify" is not a list of words');
  const wanted = hookArgv(place, 'codex-notify', chainedBehind(now) ?? now);
  if (JSON.stringify(now) === JSON.stringify(wanted)) return ok(source);
  return setTopValue(source, 'notify', listOf(wanted), COMMENT);
}

/** What was there before stands there again as it was written, where that is known. */
function removeNotify(text: string, original: string | null): Result<string> {
  const parsed = readToml(text);
  if (!parsed.ok) return parsed;
  const chained = chainedBehind(notifyOf(text) ?? []);
  if (chained === null) return ok(text);
  const before =
    listOf(notifyOf(original ?? '') ?? []) === listOf(chained) ? topValue(original ?? '', 'notify') : null;
  const value = before ?? (chained.length === 0 ? null : listOf(chained));
  return value === null
    ? removeTopValue(text, 'notify', COMMENT)
    : setTopValue(text, 'notify', value, COMMENT);
}

function tableOf(place: InitPlace): string {
  const { command, args, env } = mcpEntry(place, 'codex');
  const pairs = Object.entries(env ?? {}).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const lines = [`command = ${JSON.stringify(command)}`, `args = ${listOf(args)}`];
  if (pairs.length > 0) lines.push(`env = { ${pairs.join(', ')} }`);
  return `${lines.join('\n')}\n`;
}

function addServer(text: string | null, place: InitPlace): Result<string> {
  const source = text ?? '';
  if (source.includes(`[${MCP_TABLE.join('.')}]\n${tableOf(place)}`)) return ok(source);
  const cleared = removeTable(source, MCP_TABLE, COMMENT);
  return cleared.ok ? appendTable(cleared.value, MCP_TABLE, tableOf(place), COMMENT) : cleared;
}

function orNoFile(result: Result<string>, original: string | null): Result<string | null> {
  if (!result.ok) return result;
  return ok(original === null && result.value.trim() === '' ? null : result.value);
}

function configParts(place: InitPlace, file: string): readonly FilePart[] {
  return [
    {
      kind: 'file',
      name: 'notify',
      file,
      about: 'the program that Codex runs after a turn; one that is there already runs behind it as before',
      add: (text) => addNotify(text, place),
      remove: (text, original) => orNoFile(removeNotify(text, original), original),
      isIn: (text) =>
        readToml(text).ok ? chainedBehind(notifyOf(text) ?? []) !== null : isHookCommand(text),
    },
    {
      kind: 'file',
      name: 'mcp',
      file,
      about: 'an MCP server through which Codex offers changes for review',
      add: (text) => addServer(text, place),
      remove: (text, original) => orNoFile(removeTable(text, MCP_TABLE, COMMENT), original),
      isIn: (text) => {
        const read = readToml(text);
        if (!read.ok) return text.includes(`[${MCP_TABLE.join('.')}]`);
        const servers = read.value.mcp_servers;
        return typeof servers === 'object' && servers !== null && MCP_NAME in servers;
      },
    },
  ];
}

export const codex: Integration = {
  name: 'codex',
  summary: 'exact states and answers by hooks and notify, suggestions by MCP',
  parts: (place) => {
    const folder = place.env.CODEX_HOME || path.join(place.home, '.codex');
    const config = path.join(folder, 'config.toml');
    return [
      {
        optional: hasInlineHooks(config),
        ...hookPart(place, {
          file: path.join(folder, 'hooks.json'),
          cli: 'codex',
          title: 'Codex',
          events: EVENTS,
          timeout: HOOK_TIMEOUT_S,
        }),
      },
      ...configParts(place, config),
    ];
  },
  next: 'At its next start Codex asks whether the new hooks may run: trust them there, or it tells only the ends of turns. A background server of Codex that runs already takes them after /daemon.',
};
