/** opencode's store of sessions: SQLite since 1.2, JSON folders before. Only reads, and keeps nothing open. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../../lib/result.ts';
import { connect } from '../../store/sqlite.ts';
import { askedByOpencode, planByOpencode } from './asked.ts';
import { fileAt, filesIn, namesIn, smallFile } from './files.ts';
import { asObject, asString, asTime, type JsonObject, parseJson } from './json.ts';
import { type OpencodeMessage, type OpencodePart, type OpencodeRevert, toRevert } from './opencode-turns.ts';
import type { TranscriptOpenOptions } from './port.ts';
import type { ToolFact } from './tool-facts.ts';

/** How long a query waits for a lock of the CLI; then the last result is used. */
const BUSY_TIMEOUT_MS = 100;
const MAX_JSON_BYTES = 16 * 1024 * 1024;

interface OpencodeSessionInfo {
  readonly id: string;
  readonly modifiedAt: number;
  readonly bornAt: number;
}

export interface PageOptions extends TranscriptOpenOptions {
  /** The oldest messages, not the newest. */
  readonly oldestFirst?: boolean;
}

/** Consecutive messages of one session, oldest first. */
export interface OpencodePage {
  readonly messages: readonly OpencodeMessage[];
  readonly revert: OpencodeRevert | null;
  /** Includes the oldest message. */
  readonly complete: boolean;
  /** Rows that could not be parsed. */
  readonly corrupt: number;
}

export interface OpencodeProject {
  readonly id: string;
  readonly folder: string;
}

export interface OpencodeStore {
  /** Changes with the store; null if the store is gone. */
  version(sessionId: string): Promise<string | null>;
  /** Sessions of a folder, newest first, without sub-agents'. */
  sessions(folders: readonly string[], limit: number): Promise<readonly OpencodeSessionInfo[]>;
  /** At most `limit` messages. Throws if the store cannot be read. */
  page(sessionId: string, limit: number, options?: PageOptions): Promise<OpencodePage>;
  /** The session's project; null if unknown, and in stores of older versions. */
  project(sessionId: string): Promise<OpencodeProject | null>;
}

/** The store behind a path: a database file, or the folder of the older versions. */
export function openOpencodeStore(file: string): OpencodeStore {
  return file.endsWith('.db') ? databaseStore(file) : folderStore(file);
}

function databaseStore(file: string): OpencodeStore {
  return {
    async version() {
      const [main, log] = await Promise.all([fileAt(file), fileAt(`${file}-wal`)]);
      return main === null ? null : [main, log].map((at) => `${at?.bytes}:${at?.modifiedAt}`).join(' ');
    },
    async sessions(folders, limit) {
      return withDatabase(file, (database) => querySessions(database, folders, limit));
    },
    async page(sessionId, limit, options) {
      return withDatabase(file, (database) => queryPage(database, { sessionId, limit, ...options }));
    },
    async project(sessionId) {
      return withDatabase(file, (database) => queryProject(database, sessionId));
    },
  };
}

/** A database without a log is idle; opening it as immutable creates no files beside it. */
function withDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const immutable = !existsSync(`${file}-wal`);
  const database = connect(file, { immutable, readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function querySessions(
  database: DatabaseSync,
  folders: readonly string[],
  limit: number,
): readonly OpencodeSessionInfo[] {
  const marks = folders.map(() => '?').join(',');
  const rows = database
    .prepare(
      `SELECT id, time_created, time_updated FROM session
       WHERE directory IN (${marks}) AND parent_id IS NULL ORDER BY time_updated DESC LIMIT ?`,
    )
    .all(...folders, limit);
  return rows.map((row) => ({
    id: String(row.id),
    modifiedAt: Number(row.time_updated),
    bornAt: Number(row.time_created),
  }));
}

const MESSAGES = `SELECT id, time_created, data FROM message WHERE session_id = ? AND json_valid(data)
  ORDER BY time_created DESC, id DESC LIMIT ?`;
/** Selects only what turns need: a tool's output may be megabytes. */
const PARTS = `SELECT id, json_extract(data, '$.type') AS type,
    CASE WHEN json_extract(data, '$.type') = 'text' THEN json_extract(data, '$.text') END AS text,
    json_extract(data, '$.synthetic') AS synthetic, json_extract(data, '$.ignored') AS ignored,
    json_extract(data, '$.metadata.copane') AS copane, json_extract(data, '$.tool') AS tool, json_extract(data, '$.state.status') AS status,
    json_extract(data, '$.state.error') AS error,
    CASE WHEN json_extract(data, '$.state.status') IN ('pending', 'running')
      OR json_extract(data, '$.state.input.filePath') LIKE '%/plans/%.md' THEN json_extract(data, '$.state.input') END AS input
  FROM part WHERE message_id = ? AND json_valid(data) ORDER BY id`;
/** The same with facts about tools, without output and diffs. */
const PARTS_WITH_TOOLS = PARTS.replace(
  '\n  FROM part',
  `, CASE WHEN json_extract(data, '$.type') IN ('tool', 'step-start', 'step-finish')
    THEN json_remove(data, '$.state.output', '$.state.metadata.output', '$.state.metadata.diff', '$.state.metadata.filediff') END AS raw\n  FROM part`,
);
const CORRUPT = `SELECT (SELECT count(*) FROM message WHERE session_id = ?1 AND NOT json_valid(data)) AS corrupt`;

interface PageQuery extends PageOptions {
  readonly sessionId: string;
  readonly limit: number;
}

function queryProject(database: DatabaseSync, sessionId: string): OpencodeProject | null {
  const row = database.prepare('SELECT project_id, directory FROM session WHERE id = ?').get(sessionId);
  return row === undefined ? null : { id: String(row.project_id), folder: String(row.directory) };
}

function queryPage(
  database: DatabaseSync,
  { sessionId, limit, withTools, oldestFirst = false }: PageQuery,
): OpencodePage {
  const session = database.prepare('SELECT revert FROM session WHERE id = ?').get(sessionId);
  if (session === undefined) throw new Error('the session is no longer in the database');
  const order = oldestFirst ? MESSAGES.replaceAll('DESC', 'ASC') : MESSAGES;
  const rows = database.prepare(order).all(sessionId, limit);
  if (!oldestFirst) rows.reverse();
  const parts = database.prepare(withTools ? PARTS_WITH_TOOLS : PARTS);
  const messages = rows.map((row): OpencodeMessage => {
    const id = String(row.id);
    return {
      id,
      createdAt: asTime(row.time_created),
      data: asObject(parseJson(String(row.data))) ?? {},
      parts: parts.all(id).map(toPart),
    };
  });
  const corrupt = Number(database.prepare(CORRUPT).get(sessionId)?.corrupt ?? 0);
  const revert = toRevert(parseJson(asString(session.revert) ?? ''));
  return { messages, revert, complete: rows.length < limit, corrupt };
}

function toPart(row: Record<string, unknown>): OpencodePart {
  const call = {
    tool: asString(row.tool) ?? '',
    status: asString(row.status) ?? '',
    error: asString(row.error) ?? '',
    input: asObject(parseJson(asString(row.input) ?? '')) ?? {},
  };
  return {
    id: String(row.id),
    type: asString(row.type) ?? '',
    text: asString(row.text) ?? '',
    isMachine: row.synthetic === 1 || row.ignored === 1 || row.copane !== null,
    facts: opencodeFacts(parseJson(asString(row.raw) ?? '')),
    ...callFields(call),
  };
}

interface StoredCall {
  readonly tool: string;
  readonly status: string;
  readonly error: string;
  readonly input: JsonObject;
}

function callFields({
  input,
  ...call
}: StoredCall): Omit<OpencodePart, 'id' | 'type' | 'text' | 'isMachine' | 'facts'> {
  const isOver = call.status === 'completed' || call.status === 'error';
  return {
    ...call,
    asked: isOver ? null : askedByOpencode(call.tool, input),
    plan: call.status === 'completed' ? planByOpencode(call.tool, input) : null,
  };
}

/** `storage/{session,message,part}` of the versions before 1.2. */
function folderStore(root: string): OpencodeStore {
  return {
    async version(sessionId) {
      const messages = await filesIn(path.join(root, 'message', sessionId), isJson);
      const newest = messages[0];
      if (newest === undefined) return null;
      const parts = await filesIn(path.join(root, 'part', newest.name.slice(0, -'.json'.length)), isJson);
      return [messages.length, newest.modifiedAt, parts.length, parts[0]?.modifiedAt ?? 0].join(' ');
    },
    sessions: (folders, limit) => folderSessions(root, folders, limit),
    page: (sessionId, limit, options) => folderPage(root, sessionId, limit, options),
    project: () => Promise.resolve(null),
  };
}

const isJson = (name: string): boolean => name.endsWith('.json');

async function jsonFile(file: string): Promise<JsonObject | null> {
  return asObject(parseJson((await smallFile(file, MAX_JSON_BYTES)) ?? ''));
}

async function folderSessions(
  root: string,
  folders: readonly string[],
  limit: number,
): Promise<readonly OpencodeSessionInfo[]> {
  const found: OpencodeSessionInfo[] = [];
  for (const project of await namesIn(path.join(root, 'session'))) {
    for (const file of (await filesIn(path.join(root, 'session', project), isJson)).slice(0, limit)) {
      const session = await jsonFile(file.path);
      const id = asString(session?.id);
      if (id === null || session?.parentID !== undefined) continue;
      if (!folders.includes(asString(session?.directory) ?? '')) continue;
      const time = asObject(session?.time);
      const bornAt = asTime(time?.created) ?? file.bornAt;
      found.push({ id, modifiedAt: asTime(time?.updated) ?? file.modifiedAt, bornAt });
    }
  }
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt).slice(0, limit);
}

async function folderPage(
  root: string,
  sessionId: string,
  limit: number,
  { oldestFirst }: PageOptions = {},
): Promise<OpencodePage> {
  const names = (await namesIn(path.join(root, 'message', sessionId))).filter(isJson).sort();
  if (names.length === 0) throw new Error('the session has no messages');
  const some = oldestFirst ? names.slice(0, limit) : names.slice(-limit);
  const loaded = await Promise.all(some.map((name) => folderMessage(root, sessionId, name)));
  const messages = loaded.filter((message) => message !== null);
  const revert = await folderRevert(root, sessionId);
  return { messages, revert, complete: names.length <= limit, corrupt: loaded.length - messages.length };
}

async function folderRevert(root: string, sessionId: string): Promise<OpencodeRevert | null> {
  for (const project of await namesIn(path.join(root, 'session'))) {
    const session = await jsonFile(path.join(root, 'session', project, `${sessionId}.json`));
    if (session !== null) return toRevert(session.revert);
  }
  return null;
}

async function folderMessage(root: string, sessionId: string, name: string): Promise<OpencodeMessage | null> {
  const data = await jsonFile(path.join(root, 'message', sessionId, name));
  if (data === null) return null;
  const id = name.slice(0, -'.json'.length);
  const folder = path.join(root, 'part', id);
  const names = (await namesIn(folder)).filter(isJson).sort();
  const parts = await Promise.all(names.map((part) => jsonFile(path.join(folder, part))));
  return {
    id,
    createdAt: asTime(asObject(data.time)?.created),
    data,
    parts: parts.flatMap((part, index) => (part === null ? [] : [toFilePart(part, names[index] ?? '')])),
  };
}

function toFilePart(part: JsonObject, name: string): OpencodePart {
  const state = asObject(part.state);
  const call = {
    tool: asString(part.tool) ?? '',
    status: asString(state?.status) ?? '',
    error: asString(state?.error) ?? '',
    input: asObject(state?.input) ?? {},
  };
  return {
    id: name.slice(0, -'.json'.length),
    type: asString(part.type) ?? '',
    text: asString(part.text) ?? '',
    isMachine:
      part.synthetic === true || part.ignored === true || asObject(part.metadata)?.copane !== undefined,
    facts: [],
    ...callFields(call),
  };
}

/** The sentence about a store that could not be read. */
export function storeFailure(thrown: unknown): string {
  return `opencode's store cannot be read: ${errorMessage(thrown)}`;
}

const TOOLS = new Set(['edit', 'write', 'apply_patch', 'multiedit', 'bash', 'task']);
const STEPS = new Set(['step-start', 'step-finish']);

/** A tool part is call and result at once. Empty for other parts. */
function opencodeFacts(value: unknown): readonly ToolFact[] {
  const part = asObject(value);
  const type = asString(part?.type) ?? '';
  if (STEPS.has(type))
    return [{ kind: 'mark', id: '', name: type, at: null, value: { snapshot: part?.snapshot } }];
  const name = asString(part?.tool) ?? '';
  if (type !== 'tool' || !TOOLS.has(name)) return [];
  const state = asObject(part?.state) ?? {};
  const at = asTime(asObject(state.time)?.start);
  return [{ kind: 'result', id: asString(part?.callID) ?? '', name, at, value: state }];
}
