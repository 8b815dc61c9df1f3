/** Codex's sessions: `sessions/YYYY/MM/DD/rollout-*.jsonl` or `.zst`, with each prompt and answer up to three times. */
import path from 'node:path';
import { wordList } from '../../lib/word-list.ts';
import { systemProcesses } from '../../platform/process-tree.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import { withoutEditorContext } from '../core/same-text.ts';
import { askedByCodex } from './asked.ts';
import { codexFacts } from './codex-facts.ts';
import { RolloutLines } from './codex-lines.ts';
import {
  type FoundFile,
  fileAt,
  headOf,
  homeOf,
  MAX_CANDIDATES,
  namesIn,
  newestFirst,
  refTo,
  spellingsOf,
  whyUnreadable,
} from './files.ts';
import { asArray, asObject, asString, asTime, type JsonObject, parseJson } from './json.ts';
import { type Dialect, JsonlSession, type Reading } from './jsonl-session.ts';
import type { TailLimits } from './jsonl-tail.ts';
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';
import type { Problems } from './problems.ts';
import { factsOf, type WithFacts } from './tool-facts.ts';
import { TurnBuilder } from './turn-builder.ts';
import { firstPackedLine, zstLines } from './zst-lines.ts';

/** Most rollouts whose times are read, newest days first. */
const MAX_ROLLOUTS = 3000;
/** Most rollouts, newest first, whose first record is read for its folder. */
const MAX_HEADS = 200;
/** The first record contains the model's instructions and may be long; the fields we need are near its start. */
const HEAD_BYTES = 16 * 1024;
const ROLLOUT = /^rollout-.*\.jsonl(\.zst)?$/;

/** Which of the records of one prompt or answer this is. */
type Witness = 'item' | 'event' | 'raw';

export type CodexRecord =
  | {
      readonly kind: 'prompt' | 'answer';
      readonly witness: Witness;
      readonly id: string;
      readonly text: string;
      readonly at: number | null;
    }
  /** The plan in an answer, enclosed in tags. */
  | { readonly kind: 'plan'; readonly id: string; readonly text: string; readonly at: number | null }
  | { readonly kind: 'call'; readonly id: string; readonly asked: AskedCall | null }
  | { readonly kind: 'result'; readonly id: string }
  | { readonly kind: 'break' | 'started' | 'interrupted' }
  /** `text`: what the conversation was shortened to. */
  | { readonly kind: 'compacted'; readonly text: string }
  | { readonly kind: 'done'; readonly last: string | null; readonly error: string | null }
  | { readonly kind: 'rollback'; readonly turns: number };

type CodexPlan = Extract<CodexRecord, { kind: 'plan' }>;

const TOP_TYPES = new Set([
  ...wordList('session_meta turn_context compacted world_state token_usage_record ghost_snapshot state'),
  ...['history_item', 'inter_agent_communication', 'metadata'],
]);
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call']);
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output', 'tool_search_output']);
/** Texts of the program in user messages, all of it: a user may write about them. */
const CONTEXT =
  /^\s*(?:<(skill|[a-z]+_[a-z_]+)>[\s\S]*<\/\1>\s*$|<\/?image\b[^>]*>\s*$|# AGENTS\.md instructions for .*\s+<INSTRUCTIONS>|Another language model started to solve this problem and produced a summary)/;

/** One line of a rollout. */
export function parseCodexRecord(value: unknown, problems: Problems): CodexRecord | null {
  const record = asObject(value);
  const payload = asObject(record?.payload);
  const at = asTime(record?.timestamp);
  if (record?.type === 'event_msg') return fromEvent(payload, at);
  if (record?.type === 'response_item') return fromItem(payload, at);
  if (record?.type === 'compacted') return { kind: 'compacted', text: asString(payload?.message) ?? '' };
  // The first versions did not wrap items.
  if (record?.type === 'message') return fromItem(record, at);
  if (typeof record?.type !== 'string' || !TOP_TYPES.has(record.type)) {
    problems.unknownType(record?.type);
  }
  return null;
}

function fromEvent(event: JsonObject | null, at: number | null): CodexRecord | null {
  switch (event?.type) {
    case 'user_message':
      return {
        kind: 'prompt',
        witness: 'event',
        id: `event-${at}`,
        text: withoutEditorContext(asString(event.message) ?? ''),
        at,
      };
    case 'agent_message':
      return { kind: 'answer', witness: 'event', id: '', text: asString(event.message) ?? '', at };
    case 'item_completed':
      return fromCompletedItem(asObject(event.item), at);
    case 'task_started':
    case 'turn_started':
      return { kind: 'started' };
    case 'task_complete':
    case 'turn_complete':
      return {
        kind: 'done',
        last: asString(event.last_agent_message),
        error: asString(asObject(event.error)?.message),
      };
    case 'turn_aborted':
      return { kind: 'interrupted' };
    case 'thread_rolled_back':
      return { kind: 'rollback', turns: typeof event.num_turns === 'number' ? event.num_turns : 1 };
    default:
      return null;
  }
}

function fromCompletedItem(item: JsonObject | null, at: number | null): CodexRecord | null {
  const id = asString(item?.id) ?? `item-${at}`;
  if (item?.type === 'Plan') return { kind: 'plan', id, text: asString(item.text) ?? '', at };
  if (item?.type !== 'UserMessage' && item?.type !== 'AgentMessage') return null;
  const text = textOf(item.content);
  if (item.type === 'AgentMessage') return { kind: 'answer', witness: 'item', id, text, at };
  return { kind: 'prompt', witness: 'item', id, text: withoutEditorContext(text), at };
}

function fromItem(item: JsonObject | null, at: number | null): CodexRecord | null {
  const type = asString(item?.type) ?? '';
  const id = asString(item?.call_id) ?? asString(item?.id) ?? '';
  if (CALLS.has(type)) return { kind: 'call', id, asked: askedIn(item) };
  if (RESULTS.has(type)) return { kind: 'result', id };
  if (type === 'web_search_call' || type === 'image_generation_call') return { kind: 'break' };
  if (type !== 'message') return null;
  if (item?.role === 'assistant')
    return { kind: 'answer', witness: 'raw', id, text: textOf(item.content), at };
  if (item?.role !== 'user') return null;
  const parts = asArray(item.content).map((part) => asString(asObject(part)?.text) ?? '');
  const text = parts.filter((part) => part !== '' && !CONTEXT.test(part)).join('\n');
  return text === ''
    ? null
    : { kind: 'prompt', witness: 'raw', id: id || `raw-${at}`, text: withoutEditorContext(text), at };
}

function askedIn(item: JsonObject | null): AskedCall | null {
  const action = asObject(item?.action);
  const input = asString(item?.arguments) ?? asString(item?.input) ?? JSON.stringify(action ?? {});
  return askedByCodex(asString(item?.name) ?? '', input);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) => asString(asObject(part)?.text) ?? '')
    .join('');
}

/** The turns of a rollout, or of its end. */
export function readCodex(records: readonly WithFacts<CodexRecord>[], complete: boolean): Reading {
  const builder = new TurnBuilder(complete);
  const prompts = witnessOf(records, 'prompt');
  const answers = witnessOf(records, 'answer');
  const answered = new Set(records.flatMap((record) => (record.kind === 'result' ? [record.id] : [])));
  const summaries = summariesIn(records);
  const plans = records.filter((record) => record.kind === 'plan');
  let isPending = false;
  let hasText = false;
  let isSure = true;
  for (const record of records) {
    switch (record.kind) {
      case 'prompt':
        if (!prompts.has(record.witness)) break;
        builder.prompt(record);
        isPending = false;
        hasText = false;
        break;
      case 'answer':
        if (!answers.has(record.witness) || record.text === '' || summaries.has(record)) break;
        builder.endPart();
        tellAnswer(builder, record.text, plans);
        hasText = true;
        break;
      case 'call':
        isPending = !answered.has(record.id);
        builder.tool(isPending ? 'unknown' : 'working', isPending ? record.asked : null);
        break;
      case 'result':
        if (!isPending) builder.toolResult();
        break;
      case 'break':
        builder.endPart();
        break;
      case 'interrupted':
        builder.interrupt();
        break;
      case 'done':
        if (!hasText && record.last !== null) builder.text(record.last, 'idle');
        if (record.error !== null) builder.warn(record.error);
        builder.end();
        break;
      case 'rollback':
        isSure = builder.drop(record.turns) && isSure;
        break;
      case 'plan':
      case 'started':
      case 'compacted':
      case 'gap':
      case 'facts':
        break;
    }
    builder.facts(factsOf(record));
  }
  return { ...builder.finish(), queued: [], reach: complete ? 'start' : isSure ? 'more' : 'unsure' };
}

const PLAN_TAGS = /<proposed_plan>\n?([\s\S]*?)<\/proposed_plan>/;

/** Splits an answer with a plan into the plan and the text before and after. */
function tellAnswer(builder: TurnBuilder, text: string, plans: readonly CodexPlan[]): void {
  const match = PLAN_TAGS.exec(text);
  const plan = plans.find((each) => match !== null && each.text.trim() === match[1]?.trim());
  if (match === null || plan === undefined) {
    builder.text(text, 'working');
    return;
  }
  builder.text(text.slice(0, match.index).trimEnd(), 'working');
  builder.plan({ ...plan, id: `plan:${plan.id}` });
  const rest = text.slice(match.index + match[0].length).trim();
  if (rest !== '') builder.text(rest, 'working');
}

/** Summaries of compactions, which are not answers. */
function summariesIn(records: readonly WithFacts<CodexRecord>[]): ReadonlySet<WithFacts<CodexRecord>> {
  const summaries = new Set<WithFacts<CodexRecord>>();
  records.forEach((record, at) => {
    if (record.kind !== 'compacted') return;
    const answer = records.slice(0, at).findLast(({ kind }) => kind === 'answer' || kind === 'prompt');
    if (
      answer?.kind === 'answer' &&
      answer.text !== '' &&
      record.text.trimEnd().endsWith(answer.text.trimEnd())
    )
      summaries.add(answer);
  });
  return summaries;
}

/** The trusted records: events for prompts, which raw items mix with the program's texts; raw items for answers. */
function witnessOf(
  records: readonly WithFacts<CodexRecord>[],
  kind: 'prompt' | 'answer',
): ReadonlySet<Witness> {
  const seen = new Set(records.flatMap((record) => (record.kind === kind ? [record.witness] : [])));
  const order: readonly Witness[] = kind === 'prompt' ? ['item', 'event', 'raw'] : ['raw', 'item', 'event'];
  const best = order.find((witness) => seen.has(witness));
  return new Set(best === undefined ? [] : [best]);
}

const codexDialect: Dialect<CodexRecord> = {
  parse: parseCodexRecord,
  read: readCodex,
  facts: codexFacts,
  idOf: (record) => (record.kind === 'prompt' ? record.id : null),
};

interface Meta {
  readonly cwd: string;
  readonly id: string;
}

/** First records by path, read once. */
type Metas = Map<string, Meta>;

/** The reader of Codex's sessions. */
export function createCodexReader(limits: TailLimits = {}): TranscriptReader {
  const metas: Metas = new Map();
  return {
    cli: 'codex',
    find: (place) => findRollouts(place, metas),
    trouble: async (place) => whyUnreadable(await newestDay(sessionsOf(place))),
    open: (ref, open) => {
      const isPacked = ref.path.endsWith('.zst');
      const source = isPacked ? zstLines(ref.path, limits) : new RolloutLines(ref.path, limits);
      return new JsonlSession(ref, codexDialect, source, open);
    },
  };
}

function sessionsOf({ env }: TranscriptPlace): string {
  return path.join(env.CODEX_HOME || path.join(homeOf(env), '.codex'), 'sessions');
}

async function findRollouts(place: TranscriptPlace, metas: Metas): Promise<readonly TranscriptRef[]> {
  const root = sessionsOf(place);
  const open = place.pid === null ? [] : await openRollouts(place.pid);
  // A rollout of another pane's program belongs to this pane only if it was also resumed here.
  const taken = new Set((await Promise.all((place.others ?? []).map(openRollouts))).flat());
  const paths = new Set([...open, ...(await rolloutPaths(root))]);
  const files = await Promise.all([...paths].map((file) => fileAt(file)));
  const folders = new Set(await spellingsOf(place.cwd));
  const refs: TranscriptRef[] = [];
  const { limit = MAX_CANDIDATES } = place;
  const heads = place.limit === undefined ? MAX_HEADS : MAX_ROLLOUTS;
  for (const file of newestFirst(files.filter((found) => found !== null)).slice(0, heads)) {
    const meta = await knownMeta(file, metas);
    const isOpen = open.includes(file.path);
    if (meta !== null && (isOpen || folders.has(meta.cwd)))
      refs.push({
        ...refTo(file, 'codex', meta.id, isOpen ? 'pid' : taken.has(file.path) ? 'older' : 'folder'),
        isShared: isOpen && taken.has(file.path),
      });
    if (refs.length >= limit) break;
  }
  return refs.sort((one, two) => Number(two.tie === 'pid') - Number(one.tie === 'pid'));
}

/** The rollouts that a process has open; none if a daemon writes them. */
async function openRollouts(pid: number): Promise<readonly string[]> {
  const open = await systemProcesses.openFiles(pid);
  return open.filter((file) => ROLLOUT.test(path.basename(file)));
}

/** Newest days first, by folder names. */
async function rolloutPaths(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const year of await descending(root, /^\d{4}$/)) {
    for (const month of await descending(year, /^\d{2}$/)) {
      for (const day of await descending(month, /^\d{2}$/)) {
        paths.push(...(await descending(day, ROLLOUT)));
        if (paths.length >= MAX_ROLLOUTS) return paths.slice(0, MAX_ROLLOUTS);
      }
    }
  }
  return paths;
}

/** The folder of sessions, and its newest year, month and day. */
async function newestDay(root: string): Promise<readonly string[]> {
  const folders = [root];
  for (const pattern of [/^\d{4}$/, /^\d{2}$/, /^\d{2}$/]) {
    const [newest] = await descending(folders.at(-1) ?? root, pattern);
    if (newest === undefined) break;
    folders.push(newest);
  }
  return folders;
}

async function descending(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = (await namesIn(folder)).filter((name) => pattern.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => path.join(folder, name));
}

/** Cached: the first record never changes. */
async function knownMeta(file: FoundFile, metas: Metas): Promise<Meta | null> {
  const known = metas.get(file.path);
  if (known !== undefined) return known;
  const meta = await metaOf(file);
  if (metas.size >= MAX_ROLLOUTS) metas.clear();
  if (meta !== null) metas.set(file.path, meta);
  return meta;
}

/** Folder and id from the first record; null for a sub-agent's rollout and for any other file. */
async function metaOf(file: FoundFile): Promise<Meta | null> {
  const head = file.path.endsWith('.zst')
    ? await firstPackedLine(file.path)
    : await headOf(file.path, HEAD_BYTES);
  const line = head.split('\n', 1)[0] ?? '';
  if (/"source":\s*\{\s*"sub_?agent"/i.test(line) || /"thread_source":\s*"subagent"/.test(line)) return null;
  const cwd = parseJson(/"cwd":\s*("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? '');
  const id = /"id":\s*"([^"]*)"/.exec(line)?.[1];
  return typeof cwd !== 'string' ? null : { cwd, id: id ?? path.basename(file.path) };
}
