/**
 * Turns a client's output into a fixture: only the session files, with this machine's paths replaced, and everything
 * except prompts and answers cut short (the programs write their whole instructions into every session).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ClientName, clientSpec } from './client-catalog.ts';
import { removeTree } from './remove-tree.ts';
import { type ExpectedTurn, MARKDOWN, SLOW_TEXT } from './transcript-cases.ts';

export const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/transcripts');
/** What the fixtures use in place of the folders of the recording machine. */
export const FIXTURE_PROJECT = '/home/dev/project';
const FIXTURE_HOME = '/home/dev';
/** Longer strings that are not part of the conversation are cut. */
const MAX_OTHER_CHARACTERS = 120;
/** Longer lists are cut, too: tools, skills, agents. */
const MAX_LIST_ITEMS = 6;

/** A session's files, by their path below the home. */
const KEPT = [
  /^\.claude\/projects\/.*\.jsonl$/,
  /^\.codex\/sessions\/.*\.jsonl$/,
  /^\.gemini\/(projects\.json|tmp\/[^/]+\/(\.project_root|chats\/.*))$/,
  /^\.pi\/agent\/sessions\/.*\.jsonl$/,
];

export interface Recording {
  readonly name: ClientName;
  readonly scenario: string;
  /** Contains `home` and `project`. */
  readonly root: string;
  readonly expected: readonly ExpectedTurn[];
}

/** The folder of a recording. */
function fixtureFolder(name: ClientName, scenario: string): string {
  return path.join(FIXTURES, `${name}-${clientSpec(name).version}`, scenario);
}

/** Writes the fixture of one recording, replacing an older one. */
export async function recordFixture({ name, scenario, root, expected }: Recording): Promise<void> {
  const folder = fixtureFolder(name, scenario);
  removeTree(folder);
  const scrub = scrubber(root);
  const home = path.join(root, 'home');
  for (const file of walk(home)) {
    const relative = path.relative(home, file);
    if (!KEPT.some((pattern) => pattern.test(relative))) continue;
    put(path.join(folder, 'home', scrub(relative)), cutFile(readFileSync(file, 'utf8'), scrub));
  }
  moveOffsets(path.join(folder, 'home'));
  const history = path.join(root, 'project/.aider.chat.history.md');
  if (statSync(history, { throwIfNoEntry: false }))
    put(path.join(folder, 'history.md'), scrub(readFileSync(history, 'utf8')));
  const database = path.join(home, '.local/share/opencode/opencode.db');
  if (statSync(database, { throwIfNoEntry: false }))
    put(path.join(folder, 'opencode.json'), scrub(dump(database)));
  put(path.join(folder, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`);
}

/** Codex stores in bytes how much of an older file a conversation keeps; cutting moved them, ordinals stay. */
function moveOffsets(home: string): void {
  const rollouts = [...walk(home)].filter((file) => path.basename(file).startsWith('rollout-')).sort();
  for (const file of rollouts) {
    const text = readFileSync(file, 'utf8');
    const meta =
      /"history_base":\{"thread_id":"([^"]*)","end_ordinal_exclusive":(\d+),"end_byte_offset":\d+\}/.exec(
        text,
      );
    const before = rollouts.filter((other) => other < file && other.includes(meta?.[1] ?? '?')).at(-1);
    if (meta === null || before === undefined) continue;
    const kept = readFileSync(before, 'utf8').split('\n').slice(0, Number(meta[2]));
    const bytes = Buffer.byteLength(kept.map((line) => `${line}\n`).join(''));
    put(file, text.replace(/"end_byte_offset":\d+/, `"end_byte_offset":${bytes}`));
  }
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function* walk(folder: string): Generator<string> {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* walk(file);
    else if (entry.isFile()) yield file;
  }
}

/** Paths as they are, and as clients spell them in folder names. */
function scrubber(root: string): (text: string) => string {
  const pairs: [string, string][] = [
    [path.join(root, 'project'), FIXTURE_PROJECT],
    [path.join(root, 'home'), FIXTURE_HOME],
  ];
  const spelled = pairs.flatMap(([from, to]): [string, string][] => [
    [from, to],
    [from.replace(/[^A-Za-z0-9-]/g, '-'), to.replace(/[^A-Za-z0-9-]/g, '-')],
    [from.slice(1).replaceAll('/', '-'), to.slice(1).replaceAll('/', '-')],
    [from.slice(1), to.slice(1)],
  ]);
  return (text) =>
    spelled
      .reduce((result, [from, to]) => result.replaceAll(from, to), text)
      .replace(/\/[\w./-]*\/clients\/[\w.-]+\/(node_modules\/\.bin|bin)\//g, '/usr/local/bin/')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8000');
}

function cutFile(text: string, scrub: (text: string) => string): string {
  const lines = scrub(text).split('\n');
  return lines.map((line) => (line.startsWith('{') ? cutLine(line) : line)).join('\n');
}

function cutLine(line: string): string {
  try {
    return JSON.stringify(cut(JSON.parse(line)));
  } catch {
    return line;
  }
}

function cut(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return isConversation(value) ? value : shorten(value);
  if (Array.isArray(value)) {
    const kept = key === 'messages' || key === 'content' ? value : value.slice(0, MAX_LIST_ITEMS);
    return kept.map((item) => cut(item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, name)]));
}

function isConversation(text: string): boolean {
  return (
    Object.values(MARKDOWN).includes(text) ||
    SLOW_TEXT.startsWith(text) ||
    /^\s*(<pasted_content [^>]*>\s*)?(Case|Extra) /.test(text)
  );
}

function shorten(text: string): string {
  return text.length <= MAX_OTHER_CHARACTERS ? text : `${text.slice(0, MAX_OTHER_CHARACTERS)}…`;
}

/** The tables of opencode's sessions, as rows. */
function dump(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const tables = ['session', 'message', 'part'].map((table) => ({
    table,
    columns: database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map((column) => String(column.name)),
    rows: database.prepare(`SELECT * FROM ${table} ORDER BY id`).all(),
  }));
  database.close();
  return `${JSON.stringify(tables, null, 1)}\n`;
}
