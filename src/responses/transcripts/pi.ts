/** pi's sessions: `sessions/--<folder>--/<time>_<id>.jsonl`; since version 2 a tree by `parentId`. */
import path from 'node:path';
import { wordList } from '../../lib/word-list.ts';
import type { AiState } from '../../protocol/pane.ts';
import { chainEnds, followChain, type Linked, RECORD_BEFORE } from './chain.ts';
import {
  type FoundFile,
  filesIn,
  headOf,
  homeOf,
  MAX_CANDIDATES,
  newestFirst,
  refTo,
  spellingsOf,
  whyUnreadable,
} from './files.ts';
import { asArray, asObject, asString, asTime, type JsonObject, parseJson } from './json.ts';
import { type Dialect, JsonlSession, type Reading } from './jsonl-session.ts';
import { JsonlTail, type TailLimits } from './jsonl-tail.ts';
import type { TranscriptPlace, TranscriptReader, TranscriptRef } from './port.ts';
import type { Problems } from './problems.ts';
import { factsOf, type ToolFact, type WithFacts } from './tool-facts.ts';
import { TurnBuilder } from './turn-builder.ts';

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'call' };

export type PiRecord =
  | (Linked & { readonly kind: 'link' | 'result' })
  | (Linked & { readonly kind: 'prompt'; readonly text: string; readonly at: number | null })
  | (Linked & {
      readonly kind: 'answer';
      readonly pieces: readonly Piece[];
      readonly stop: string | null;
      readonly error: string | null;
    });

const ENTRY_TYPES = new Set([
  ...wordList('message model_change thinking_level_change compaction branch_summary custom custom_message'),
  ...['label', 'session_info', 'leaf'],
]);
/** The id of a record without one (version 1); never looked up, because that chain follows the order of the file. */
const NO_ID = '';
/** Sessions of a shared folder, newest first, whose first record is read for their project. */
const MAX_HEADS = 200;
const HEAD_BYTES = 8 * 1024;

/** One line of a session file. */
export function parsePiRecord(value: unknown, problems: Problems): PiRecord | null {
  const record = asObject(value);
  if (record?.type === 'session') return null;
  if (record === null || typeof record.type !== 'string' || !ENTRY_TYPES.has(record.type)) {
    problems.unknownType(record?.type);
    if (record === null || asString(record.id) === null) return null;
  }
  const uuid = asString(record.id);
  const linked: Linked =
    uuid === null ? { uuid: NO_ID, parent: RECORD_BEFORE } : { uuid, parent: asString(record.parentId) };
  const message = record.type === 'message' ? asObject(record.message) : null;
  return message === null ? { kind: 'link', ...linked } : reduce(message, linked, asTime(record.timestamp));
}

function reduce(message: JsonObject, linked: Linked, at: number | null): PiRecord {
  switch (message.role) {
    case 'user': {
      const text = typeof message.content === 'string' ? message.content : textOf(message.content);
      return { kind: 'prompt', text, at: asTime(message.timestamp) ?? at, ...linked };
    }
    case 'assistant': {
      const pieces = piecesOf(message.content);
      const error = asString(message.errorMessage);
      return { kind: 'answer', pieces, stop: asString(message.stopReason), error, ...linked };
    }
    case 'toolResult':
      return { kind: 'result', ...linked };
    default:
      return { kind: 'link', ...linked };
  }
}

function textOf(content: unknown): string {
  return asArray(content)
    .flatMap((part) => (asObject(part)?.type === 'text' ? (asString(asObject(part)?.text) ?? []) : []))
    .join('\n');
}

function piecesOf(content: unknown): Piece[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return asArray(content).flatMap((value): Piece[] => {
    const part = asObject(value);
    if (part?.type === 'text') return [{ kind: 'text', text: asString(part.text) ?? '' }];
    return part?.type === 'toolCall' ? [{ kind: 'call' }] : [];
  });
}

const CHAIN = {
  link: (record: WithFacts<PiRecord>): record is PiRecord => record.kind !== 'gap' && record.kind !== 'facts',
  gap: (record: WithFacts<PiRecord>): boolean => record.kind === 'gap',
};

/** The turns of the branch that ends in this record, or in the last one. */
export function readPi(records: readonly WithFacts<PiRecord>[], complete: boolean, end?: string): Reading {
  const { chain, reachesStart, bridged } = followChain(records, complete, CHAIN, end);
  const builder = new TurnBuilder(reachesStart);
  let ordinal = 0;
  for (const record of chain) {
    if (record.kind === 'prompt') {
      ordinal += 1;
      const id =
        record.uuid === NO_ID ? `${record.at ?? 0}-${record.at === null ? ordinal : ''}` : record.uuid;
      builder.prompt({ id, text: record.text, at: record.at });
    } else if (record.kind === 'answer') tellAnswer(builder, record);
    else if (record.kind === 'result') builder.toolResult();
    builder.facts(factsOf(record));
  }
  return {
    ...builder.finish(),
    queued: [],
    reach: reachesStart ? 'start' : 'more',
    problems: bridged > 0 ? [`the chain of parents was broken in ${bridged} places`] : [],
  };
}

function tellAnswer(builder: TurnBuilder, record: Extract<PiRecord, { kind: 'answer' }>): void {
  const state: AiState = record.stop === 'toolUse' ? 'working' : 'idle';
  for (const piece of record.pieces) {
    if (piece.kind === 'text') builder.text(piece.text, state);
    else builder.tool('working');
  }
  if (record.stop === 'aborted') builder.interrupt();
  else if (record.stop === 'error') builder.warn(record.error ?? 'the model call failed');
  if (record.stop !== 'toolUse' && record.stop !== 'aborted') builder.end();
}

const piDialect: Dialect<PiRecord> = {
  parse: parsePiRecord,
  read: readPi,
  ends: (records) => chainEnds(records, CHAIN),
  facts: piFacts,
  idOf: (record) => (record.kind === 'prompt' && record.uuid !== NO_ID ? record.uuid : null),
};

/** The reader of pi's sessions. */
export function createPiReader(limits: TailLimits = {}): TranscriptReader {
  return {
    cli: 'pi',
    find: findSessions,
    trouble: async (place) => {
      const shared = sharedFolder(place);
      return whyUnreadable(shared === null ? await ownFolders(place) : [shared]);
    },
    open: (ref, open) => new JsonlSession(ref, piDialect, new JsonlTail(ref.path, limits), open),
  };
}

/** The folder name of a working folder. */
export function piFolderName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
}

/** The folder that holds the sessions of all projects, if the user has set one. */
function sharedFolder({ env }: TranscriptPlace): string | null {
  return env.PI_CODING_AGENT_SESSION_DIR?.replace(/^~(?=\/|$)/, homeOf(env)) || null;
}

async function ownFolders({ cwd, env }: TranscriptPlace): Promise<readonly string[]> {
  const agent = env.PI_CODING_AGENT_DIR || path.join(homeOf(env), '.pi/agent');
  return (await spellingsOf(cwd)).map((each) => path.join(agent, 'sessions', piFolderName(each)));
}

async function findSessions(place: TranscriptPlace): Promise<readonly TranscriptRef[]> {
  const shared = sharedFolder(place);
  const folders = shared === null ? await ownFolders(place) : [];
  const lists = await Promise.all(folders.map((folder) => filesIn(folder, isSessionName)));
  const found = shared === null ? newestFirst(lists.flat()) : await sharedSessions(shared, place);
  // Nothing tells which process writes a file.
  const isShared = (place.others ?? []).length > 0;
  return found
    .slice(0, place.limit ?? MAX_CANDIDATES)
    .map((file) => ({ ...refTo(file, 'pi', idIn(file.name)), isShared }));
}

/** The folder for the sessions of all projects: each session names its project in its first record. */
async function sharedSessions(
  folder: string,
  { cwd, limit = 0 }: TranscriptPlace,
): Promise<readonly FoundFile[]> {
  const spellings = await spellingsOf(cwd);
  const newest = (await filesIn(folder, isSessionName)).slice(0, Math.max(MAX_HEADS, limit));
  const owners = await Promise.all(
    newest.map(async (file) => {
      const [first = ''] = (await headOf(file.path, HEAD_BYTES)).split('\n', 1);
      return asString(asObject(parseJson(first))?.cwd) ?? '';
    }),
  );
  return newest.filter((_, index) => spellings.includes(owners[index] ?? ''));
}

const isSessionName = (name: string): boolean => name.endsWith('.jsonl');

/** The id that ends the name of a session's file. */
const idIn = (name: string): string => name.replace(/\.jsonl$/, '').replace(/^.*_/, '');

const TOOLS = new Set(['edit', 'write', 'bash']);

/** Empty for lines of another kind. */
function piFacts(value: unknown): readonly ToolFact[] {
  const record = asObject(value);
  const message = record?.type === 'message' ? asObject(record.message) : null;
  if (message === null) return [];
  const at = asTime(message.timestamp) ?? asTime(record?.timestamp);
  if (message.role === 'assistant')
    return asArray(message.content).flatMap((part) => call(asObject(part), asString(message.stopReason), at));
  const name = asString(message.toolName) ?? '';
  if (message.role !== 'toolResult' || !TOOLS.has(name)) return [];
  const text = asArray(message.content)
    .map((part) => asString(asObject(part)?.text) ?? '')
    .join('\n');
  const result = {
    isError: message.isError === true,
    details: message.details,
    text: text.slice(0, MAX_TEXT),
  };
  return [{ kind: 'result', id: asString(message.toolCallId) ?? '', name, at, value: result }];
}

/** How many characters of a result are kept: its beginning shows the error. */
const MAX_TEXT = 400;

function call(part: JsonObject | null, stop: string | null, at: number | null): readonly ToolFact[] {
  const name = asString(part?.name) ?? '';
  // A call in an answer that was stopped never ran.
  if (part?.type !== 'toolCall' || !TOOLS.has(name) || stop === 'aborted') return [];
  const input = asObject(part.arguments) ?? {};
  return [{ kind: 'call', id: asString(part.id) ?? '', name, at, value: { input } }];
}
