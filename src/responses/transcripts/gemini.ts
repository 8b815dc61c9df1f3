/**
 * Gemini CLI's sessions: `tmp/<project>/chats/session-*.jsonl` under its home, a log of operations (replace, rewind,
 * set all); older versions: one `.json` document. Removed records are not read. The program trims an answer and removes
 * joiners and HTML comments before it writes it; only its checkpoints contain the model's exact text.
 */
import path from 'node:path';
import { planByGemini } from './asked.ts';
import {
  filesIn,
  homeOf,
  MAX_CANDIDATES,
  namesIn,
  newestFirst,
  refTo,
  smallFile,
  spellingsOf,
  whyUnreadable,
} from './files.ts';
import { asArray, asObject, asString, asTime, type JsonObject, parseJson } from './json.ts';
import { type Dialect, JsonlSession, type Reading } from './jsonl-session.ts';
import { JsonlTail, type TailLimits } from './jsonl-tail.ts';
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';
import type { Problems } from './problems.ts';
import { RereadLines, type WholeRead } from './reread-lines.ts';
import { factsOf, only, type ToolFact, type TurnFacts, type WithFacts } from './tool-facts.ts';
import { type PlanChange, TurnBuilder } from './turn-builder.ts';

const MAX_PROJECTS_FILE_BYTES = 4 * 1024 * 1024;

interface Message {
  readonly id: string;
  readonly role: 'prompt' | 'result' | 'answer' | 'cancelled' | 'error' | 'none';
  readonly text: string;
  readonly calls: boolean;
  readonly at: number | null;
  readonly plans: readonly PlanAct[];
}

/** A plan's file was written, or the user answered the plan. */
type PlanAct =
  | { readonly kind: 'written'; readonly id: string; readonly change: PlanChange }
  | { readonly kind: 'answered'; readonly id: string; readonly words: string };

export type GeminiRecord =
  | { readonly kind: 'message'; readonly message: Message; readonly text: string }
  | { readonly kind: 'all'; readonly messages: readonly Message[] }
  | { readonly kind: 'rewind'; readonly id: string };

/** Texts that the program sends as the user: in a separate message, or beside the user's text. */
const CONTEXT =
  /^\s*<(session_context|hook_context|state_snapshot|untrusted_context)>|^This is the Gemini CLI\./;
/** The id of a typed prompt; the program's messages have a hash of their text. */
const TYPED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** One line of the log, or the whole document of an older version. */
export function parseGeminiRecord(value: unknown, problems: Problems): GeminiRecord | null {
  const record = asObject(value);
  const rewind = asString(record?.$rewindTo);
  if (rewind !== null) return { kind: 'rewind', id: rewind };
  const all = asObject(record?.$set)?.messages ?? record?.messages;
  if (Array.isArray(all))
    return { kind: 'all', messages: all.flatMap((raw) => toMessage(asObject(raw)) ?? []) };
  if (
    record === null ||
    (record.$set === undefined && record.sessionId === undefined && record.type === undefined)
  )
    problems.unknownType(undefined);
  const message = toMessage(record);
  return message === null ? null : { kind: 'message', message, text: message.text };
}

function toMessage(raw: JsonObject | null): Message | null {
  const id = asString(raw?.id);
  const type = asString(raw?.type);
  if (raw === null || id === null || type === null) return null;
  const parts = partsOf(raw.content);
  const at = asTime(raw.timestamp);
  const called = [
    ...asArray(raw.toolCalls).map(asObject),
    ...parts.map((part) => asObject(part.functionCall)),
  ].filter((call) => call !== null);
  const calls = called.length > 0;
  const plans = [...called.flatMap(planWritten), ...parts.flatMap(planAnswered)];
  if (type === 'user') {
    const isResult = parts.length > 0 && parts.every((part) => part.functionResponse !== undefined);
    const shown = raw.displayContent === undefined ? parts : partsOf(raw.displayContent);
    const all = shown.flatMap((part) => asString(part.text) ?? []);
    const own = all.filter((text) => !CONTEXT.test(text));
    const texts = own.length === 0 && TYPED_ID.test(id) ? all : own;
    const role = isResult ? 'result' : texts.length > 0 ? 'prompt' : 'none';
    return { id, role, text: texts.join('\n'), calls, at, plans };
  }
  const text = parts.flatMap((part) => (part.thought === true ? [] : (asString(part.text) ?? []))).join('');
  if (type === 'gemini') return { id, role: 'answer', text, calls, at, plans };
  if (type === 'info' && /^Request cancelled/.test(text))
    return { id, role: 'cancelled', text, calls, at, plans };
  return { id, role: type === 'error' ? 'error' : 'none', text, calls, at, plans };
}

function planWritten(call: JsonObject): PlanAct[] {
  const change = planByGemini(asString(call.name) ?? '', asObject(call.args) ?? {});
  const isDone = call.status === undefined || call.status === 'success';
  return change === null || !isDone ? [] : [{ kind: 'written', id: asString(call.id) ?? '', change }];
}

const FEEDBACK = /^Plan rejected\. User feedback: ([\s\S]*?)\n\nThe plan is stored at: /;

function planAnswered(part: JsonObject): PlanAct[] {
  const result = asObject(part.functionResponse);
  const output = asString(asObject(result?.response)?.output) ?? '';
  if (result?.name !== 'exit_plan_mode' || !/^Plan (?:approved|rejected)/.test(output)) return [];
  return [{ kind: 'answered', id: asString(result.id) ?? '', words: FEEDBACK.exec(output)?.[1] ?? '' }];
}

/** Content is a string, one part or a list of both. */
function partsOf(content: unknown): readonly JsonObject[] {
  const list = Array.isArray(content) ? content : [content];
  return list.flatMap((part): JsonObject[] => {
    const object = typeof part === 'string' ? { text: part } : asObject(part);
    return object === null ? [] : [object];
  });
}

/** The turns after all operations. */
export function readGemini(records: readonly WithFacts<GeminiRecord>[], complete: boolean): Reading {
  const { messages, facts, fromStart, isSure } = replay(records, complete);
  const builder = new TurnBuilder(fromStart);
  for (const message of messages.values()) {
    tell(builder, message);
    builder.facts(facts.get(message.id) ?? []);
  }
  // The question about a plan is written after its answer.
  builder.planShown('unknown');
  return { ...builder.finish(), queued: [], reach: fromStart ? 'start' : isSure ? 'more' : 'unsure' };
}

interface Replayed {
  readonly messages: ReadonlyMap<string, Message>;
  /** By message: a rewritten message has its facts again. */
  readonly facts: TurnFacts;
  readonly fromStart: boolean;
  readonly isSure: boolean;
}

function replay(records: readonly WithFacts<GeminiRecord>[], complete: boolean): Replayed {
  const messages = new Map<string, Message>();
  const facts = new Map<string, readonly ToolFact[]>();
  let fromStart = complete;
  let isSure = true;
  let failed: Message | null = null;
  for (const record of records) {
    for (const [id, ofMessage] of Map.groupBy(factsOf(record), messageOf)) facts.set(id, ofMessage);
    if (record.kind === 'message') {
      // After a failed request the prompt is removed, and the error recorded.
      if (record.message.role === 'error' && failed !== null) messages.set(failed.id, failed);
      failed = null;
      messages.set(record.message.id, record.message);
    } else if (record.kind === 'all') {
      const before = [...messages.values()];
      const isFewer = promptsIn(record.messages) < promptsIn(before);
      failed = isFewer ? (before.findLast(({ role }) => role === 'prompt') ?? null) : null;
      messages.clear();
      for (const message of record.messages) messages.set(message.id, message);
      fromStart = true;
      isSure = true;
    } else if (record.kind === 'rewind') {
      // A rewind to a message outside the log removes everything. We may not have read that message.
      if (!messages.has(record.id)) isSure = fromStart;
      cutFrom(messages, record.id);
    }
  }
  return { messages, facts, fromStart, isSure };
}

function promptsIn(messages: readonly Message[]): number {
  return messages.filter(({ role }) => role === 'prompt').length;
}

function cutFrom(messages: Map<string, Message>, id: string): void {
  let cuts = !messages.has(id);
  for (const key of [...messages.keys()]) {
    cuts ||= key === id;
    if (cuts) messages.delete(key);
  }
}

function tell(builder: TurnBuilder, message: Message): void {
  switch (message.role) {
    case 'prompt':
      builder.planShown();
      builder.prompt(message);
      break;
    case 'answer':
      // A call is written after it ran: until then the text looks final.
      builder.text(message.text, 'unknown');
      if (message.calls) builder.tool();
      for (const plan of message.plans)
        if (plan.kind === 'written') builder.planWritten(`plan:${plan.id}`, plan.change, message.at);
      break;
    case 'result':
      builder.toolResult();
      for (const plan of message.plans) {
        if (plan.kind === 'written') continue;
        builder.planShown();
        builder.planAnswered({ id: `answer:${plan.id}`, text: plan.words, at: message.at });
      }
      break;
    case 'cancelled':
      builder.interrupt();
      break;
    case 'error':
      builder.warn(message.text);
      builder.end();
      break;
    case 'none':
      break;
  }
}

const geminiDialect: Dialect<GeminiRecord> = {
  parse: parseGeminiRecord,
  read: readGemini,
  facts: geminiFacts,
  idOf: (record) =>
    record.kind === 'message' && record.message.role === 'prompt' ? record.message.id : null,
};

/** The reader of Gemini CLI's sessions. */
export function createGeminiReader(limits: TailLimits = {}): TranscriptReader {
  return {
    cli: 'gemini',
    find: findSessions,
    trouble: async (place) => {
      const projects = await projectsOf(place);
      const chats = projects.map((folder) => path.join(folder, 'chats'));
      return whyUnreadable([...projects.map(path.dirname), ...projects, ...chats]);
    },
    open: (ref, open) => {
      const isDocument = ref.path.endsWith('.json');
      const source = isDocument ? new RereadLines(ref.path, readDocument) : new JsonlTail(ref.path, limits);
      return new JsonlSession(ref, geminiDialect, source, open);
    },
  };
}

async function projectsOf({ cwd, env }: TranscriptPlace): Promise<readonly string[]> {
  const home = path.join(env.GEMINI_CLI_HOME || homeOf(env), '.gemini');
  return projectFolders(home, await spellingsOf(cwd));
}

async function findSessions(place: TranscriptPlace): Promise<readonly TranscriptRef[]> {
  const projects = await projectsOf(place);
  const lists = await Promise.all(
    projects.map((folder) => filesIn(path.join(folder, 'chats'), isSessionName)),
  );
  return newestFirst(lists.flat())
    .slice(0, place.limit ?? MAX_CANDIDATES)
    .map((file) => refTo(file, 'gemini', file.name.replace(/\.jsonl?$/, '')));
}

const isSessionName = (name: string): boolean => /^session-.*\.jsonl?$/.test(name);

/** By the registry, the marker file in each folder, and the hash of older versions. */
async function projectFolders(home: string, spellings: readonly string[]): Promise<readonly string[]> {
  const root = path.join(home, 'tmp');
  const registry = asObject(
    parseJson((await smallFile(path.join(home, 'projects.json'), MAX_PROJECTS_FILE_BYTES)) ?? ''),
  );
  const named = spellings.flatMap((folder) => asString(asObject(registry?.projects)?.[folder]) ?? []);
  // Loaded here: no other command needs it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const hashed = spellings.map((folder) => createHash('sha256').update(folder).digest('hex'));
  const marked = await Promise.all(
    (await namesIn(root)).map(async (name) => {
      const owner = await smallFile(path.join(root, name, '.project_root'), MAX_PROJECTS_FILE_BYTES);
      return owner !== null && spellings.includes(owner.trim()) ? [name] : [];
    }),
  );
  return [...new Set([...named, ...hashed, ...marked.flat()])].map((name) => path.join(root, name));
}

/** Limit of a document; beyond it the screen is read. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Reads the document as one line. */
const readDocument: WholeRead = async (file) => {
  const text = await smallFile(file, MAX_DOCUMENT_BYTES);
  if (text === null) return { unavailable: `${file} is too large or cannot be read` };
  const torn = parseJson(text) === undefined;
  return { lines: [{ kind: 'line', text }], pending: null, complete: true, torn };
};

const TOOLS = new Set(['replace', 'edit', 'write_file', 'run_shell_command']);
const DISPLAY_FIELDS = ['filePath', 'originalContent', 'newContent', 'isNewFile', 'diffStat'];

/** One fact per call, with its result. Empty for lines of another kind. */
function geminiFacts(value: unknown): readonly ToolFact[] {
  const record = asObject(value);
  const all = asObject(record?.$set)?.messages ?? record?.messages;
  const messages = Array.isArray(all) ? all : [record];
  return messages.flatMap((each) => {
    const message = asObject(each);
    return asArray(message?.toolCalls).flatMap((call) => fromCall(asObject(call), message));
  });
}

const messageOf = (fact: ToolFact): string => asString(fact.value.message) ?? '';

/** A call has the time of its end; its message has the time of the model's answer. */
function fromCall(call: JsonObject | null, message: JsonObject | null): readonly ToolFact[] {
  const name = asString(call?.name) ?? '';
  if (call === null || !TOOLS.has(name)) return [];
  const shown = asObject(call.resultDisplay);
  const value = {
    message: asString(message?.id) ?? '',
    askedAt: asTime(message?.timestamp),
    args: call.args,
    status: call.status,
    shown: shown === null ? null : only(shown, DISPLAY_FIELDS),
  };
  return [{ kind: 'result', id: asString(call.id) ?? '', name, at: asTime(call.timestamp), value }];
}
