/** Parses configuration from text and environment. A mistake affects only its key. Values record their origin. Pure. */

import type { Node } from 'jsonc-parser';
import { readJsoncTree } from '../../lib/jsonc-tree.ts';
import { nearest } from '../../lib/nearest.ts';
import type { Env } from '../../platform/paths.ts';
import { CONFIG_KEYS, type Config, type ConfigKey, configSchema } from '../../protocol/config.ts';
import { editorVariable } from './unconfigured.ts';

type Origin =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  | { readonly kind: 'env'; readonly name: string };

/** An ignored part of the configuration, and why. */
export interface ConfigProblem {
  /** The file, or the variable's name with a `$`. */
  readonly where: string;
  /** Null for a variable. */
  readonly position: Position | null;
  readonly message: string;
  readonly hint: string | null;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<ConfigKey, Origin>>;
  readonly problems: readonly ConfigProblem[];
}

export interface ConfigInput {
  readonly file: string;
  /** Null if there is no file. */
  readonly text: string | null;
  readonly env: Env;
  /** The file exists but cannot be read. */
  readonly failure?: string;
}

/** The user's list of files to hide from models. If it cannot be read, every file is hidden, as any might be on it. */
const SECRETS = 'agent_secret_files';
const ALL_FILES: readonly string[] = ['**'];
const BLIND = 'until then, the agent reads no file';

interface Draft {
  readonly values: Map<ConfigKey, unknown>;
  readonly origins: Map<ConfigKey, Origin>;
  readonly problems: ConfigProblem[];
  /** Keys that were set but could not be read. */
  readonly lost: Set<string>;
}

/** `file:line:column: message (hint)`, a format that editors can jump to. */
export function formatProblem({ where, position, message, hint }: ConfigProblem): string {
  const at = position === null ? where : `${where}:${position.line}:${position.column}`;
  return hint === null ? `${at}: ${message}` : `${at}: ${message} (${hint})`;
}

/** Merges the file and the environment; the environment wins. */
export function parseConfig(input: ConfigInput): LoadedConfig {
  const draft: Draft = { values: new Map(), origins: new Map(), problems: [], lost: new Set() };
  if (input.text !== null) readFile(draft, input.file, input.text);
  readEnvironment(draft, input.env);
  if (input.failure !== undefined) {
    const message = `cannot be read: ${input.failure}`;
    draft.problems.push({ where: input.file, position: null, message, hint: `the defaults apply; ${BLIND}` });
    draft.lost.add(SECRETS);
  }
  if (draft.lost.has(SECRETS)) {
    draft.values.set(SECRETS, ALL_FILES);
    draft.origins.delete(SECRETS);
  }
  return {
    config: configSchema.parse(Object.fromEntries(draft.values)),
    origins: Object.fromEntries(
      CONFIG_KEYS.map((key) => [key, draft.origins.get(key) ?? { kind: 'default' }]),
    ) as Record<ConfigKey, Origin>,
    problems: draft.problems.toSorted((a, b) => (a.position?.line ?? 0) - (b.position?.line ?? 0)),
  };
}

function readFile(draft: Draft, file: string, text: string): void {
  // Replaces a byte-order mark with a space, which keeps columns correct.
  const clean = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const { root, errors } = readJsoncTree(clean);
  const report = (offset: number, message: string, hint: string | null) => {
    draft.problems.push({ where: file, position: positionAt(clean, offset), message, hint });
  };
  const properties = propertiesOf(root);
  // A truncated text, or one in another encoding, may have contained the list.
  if (errors.length > 0 || (properties === null && root !== null)) draft.lost.add(SECRETS);
  const applies = root === null ? 'the defaults apply' : 'the rest of the file applies';
  for (const { offset, what } of errors) report(offset, what, `${applies}; ${BLIND}`);
  if (properties === null) {
    const hint = `write { "key": value }; ${BLIND}`;
    if (root !== null) report(root.offset, 'the configuration must be one object', hint);
    return;
  }
  const seen = new Set<string>();
  for (const property of properties) {
    if (seen.has(property.name))
      report(property.nameOffset, `"${property.name}" is set twice`, 'the last one applies');
    seen.add(property.name);
    takeProperty(draft, { file, text: clean, property, report });
  }
}

interface FileProperty {
  readonly file: string;
  readonly text: string;
  readonly property: Property;
  readonly report: (offset: number, message: string, hint: string | null) => void;
}

/** The keys that begin with the same word, or all keys if none does. */
function keysLike(name: string): string {
  const word = `${name.split('_')[0]}_`;
  const alike = CONFIG_KEYS.filter((key) => key.startsWith(word));
  return `keys: ${(alike.length > 0 ? alike : CONFIG_KEYS).join(', ')}`;
}

function takeProperty(draft: Draft, { file, text, property, report }: FileProperty): void {
  const { name, nameOffset, valueNode } = property;
  if (name === '$schema') return;
  if (!isConfigKey(name)) {
    const close = nearest(name, CONFIG_KEYS);
    const isList = close === SECRETS || JSON.stringify(property.value).includes(`"${SECRETS}"`);
    if (isList) draft.lost.add(SECRETS);
    const hint = close === null ? keysLike(name) : `did you mean "${close}"?`;
    report(nameOffset, `unknown key "${name}"`, isList ? `${hint}; ${BLIND}` : hint);
    return;
  }
  const value = name === 'keys' ? goodChords(property, report) : property.value;
  const parsed = configSchema.shape[name].safeParse(value);
  if (!parsed.success) {
    draft.lost.add(name);
    const hint = name === SECRETS ? BLIND : valueHint(value, parsed.error);
    report(valueNode.offset, `"${name}": ${wordsFor(parsed.error)}`, hint);
    return;
  }
  draft.values.set(name, parsed.data);
  draft.origins.set(name, { kind: 'file', file, line: positionAt(text, nameOffset).line });
}

/** The valid entries of `keys`; reports each invalid one as its own problem. */
function goodChords(property: Property, report: FileProperty['report']): unknown {
  const entries = propertiesOf(property.valueNode);
  if (entries === null) return property.value;
  const good = entries.filter((entry) => {
    const parsed = configSchema.shape.keys.safeParse({ [entry.name]: entry.value });
    if (!parsed.success) {
      report(
        entry.valueNode.offset,
        `"keys.${entry.name}" must be a key chord or a list of them`,
        'for example "ctrl+s"',
      );
    }
    return parsed.success;
  });
  return Object.fromEntries(good.map(({ name, value }) => [name, value]));
}

function readEnvironment(draft: Draft, env: Env): void {
  for (const key of CONFIG_KEYS) {
    const name = `COPANE_${key.toUpperCase()}`;
    const text = env[name];
    if (text === undefined || text === '' || key === 'keys') continue;
    takeVariable(draft, name, key, text === 'true' || text === 'false' ? text === 'true' : text);
  }
  if (draft.values.get('editor') == null) takeEditor(draft, env);
  takeCustomary(draft, env, 'SUGGESTION_MANAGER_HOST', 'tcp_host');
  if (takeCustomary(draft, env, 'SUGGESTION_MANAGER_PORT', 'tcp_port')) draft.values.set('tcp', true);
}

/** Applies a variable that existing tools define; returns whether it is used. */
function takeCustomary(draft: Draft, env: Env, name: string, key: ConfigKey): boolean {
  const text = env[name];
  return text !== undefined && text !== '' && takeVariable(draft, name, key, text);
}

/** Sets a key from a variable; reports and ignores an invalid value. */
function takeVariable(draft: Draft, name: string, key: ConfigKey, value: unknown): boolean {
  const parsed = configSchema.shape[key].safeParse(value);
  if (parsed.success) {
    draft.values.set(key, parsed.data);
    draft.origins.set(key, { kind: 'env', name });
  } else {
    draft.lost.add(key);
    draft.problems.push({
      where: `$${name}`,
      position: null,
      message: wordsFor(parsed.error),
      hint: key === SECRETS ? BLIND : valueHint(value, parsed.error),
    });
  }
  return parsed.success;
}

/** Uses `$VISUAL` and `$EDITOR` unless copane's own variable is set. */
function takeEditor(draft: Draft, env: Env): void {
  const name = editorVariable(env);
  if (name === undefined) return;
  draft.values.set('editor', env[name]);
  draft.origins.set('editor', { kind: 'env', name });
}

function isConfigKey(name: string): name is ConfigKey {
  return (CONFIG_KEYS as readonly string[]).includes(name);
}

type SchemaError = NonNullable<ReturnType<typeof configSchema.safeParse>['error']>;

function wordsFor(error: { readonly issues: SchemaError['issues'] }): string {
  return error.issues[0]?.message ?? 'wrong value';
}

function valueHint(value: unknown, error: { readonly issues: SchemaError['issues'] }): string | null {
  const [issue] = error.issues;
  if (typeof value !== 'string' || issue?.code !== 'invalid_value') return null;
  const close = nearest(value, issue.values.map(String));
  return close === null ? null : `did you mean "${close}"?`;
}

interface Position {
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** One `"name": value` of an object. */
interface Property {
  readonly name: string;
  readonly value: unknown;
  readonly nameOffset: number;
  readonly valueNode: Node;
}

/** The properties of an object in source order, duplicates included; null if it is not an object. */
function propertiesOf(node: Node | null): readonly Property[] | null {
  if (node?.type !== 'object') return null;
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined) return [];
    return [
      { name: String(name.value), value: plainValue(value), nameOffset: name.offset, valueNode: value },
    ];
  });
}

/** The value of a node. `__proto__` becomes an ordinary own property. */
function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  const entries = propertiesOf(node) ?? [];
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

/** Line and column of an offset; CR LF counts as one line break. */
function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}
