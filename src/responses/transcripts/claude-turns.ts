/** Turns from Claude Code's records: the newest record's chain of parents, without rewound ones. Pure. */
import type { AiState } from '../../protocol/pane.ts';
import { chainEnds, followChain } from './chain.ts';
import { claudeFacts } from './claude-facts.ts';
import { ABORTED, type ClaudeRecord, parseClaudeRecord } from './claude-records.ts';
import type { Dialect, Reading } from './jsonl-session.ts';
import { factsOf, type ToolFact, type TurnFacts, type WithFacts } from './tool-facts.ts';
import { type BuiltTurns, type PromptEvent, TurnBuilder } from './turn-builder.ts';

type Chained = Exclude<ClaudeRecord, { kind: 'queue' }>;
type Assistant = Extract<ClaudeRecord, { kind: 'assistant' }>;

const QUESTION_TOOLS = new Set(['AskUserQuestion', 'ExitPlanMode']);
const FINAL_STOPS = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal']);

/** The turns of the conversation that ends in this record, or in the last one. */
export function readClaude(
  records: readonly WithFacts<ClaudeRecord>[],
  complete: boolean,
  end?: string,
): Reading {
  const { chain, reachesStart, bridged } = followChain(records, complete, CHAIN, end);
  const builder = new TurnBuilder(reachesStart);
  const answered = answeredCalls(records);
  const results = resultsById(records);
  const messages = assistantMessages(records);
  const handled = new Set<string>();
  const plans = planCalls(records);
  let isPending = false;
  for (const record of chain) {
    if (record.kind === 'assistant') {
      if (handled.has(record.messageId)) continue;
      handled.add(record.messageId);
      // A message consists of several records; with parallel tool calls some are beside the chain.
      const parts = messages.get(record.messageId) ?? [record];
      isPending = tellMessage(builder, parts, answered);
      if (parts.at(-1)?.stop === ABORTED) builder.interrupt();
      builder.facts(parts.flatMap(factsOf).flatMap((call) => [call, ...(results.get(call.id) ?? [])]));
    } else if (record.kind !== 'results') tell(builder, record);
    else if (record.ids.some((id) => plans.has(id)))
      builder.planAnswered({ id: record.uuid, text: record.words, at: record.at });
    else if (!isPending) builder.toolResult();
  }
  const built = builder.finish();
  return {
    ...built,
    facts: withMarks(built, records),
    queued: readQueue(records),
    reach: reachesStart ? 'start' : 'more',
    problems: bridged > 0 ? [`the chain of parents was broken in ${bridged} places`] : [],
  };
}

const CHAIN = {
  link: (record: WithFacts<ClaudeRecord>): record is Chained =>
    record.kind !== 'gap' && record.kind !== 'queue' && record.kind !== 'facts',
  gap: (record: WithFacts<ClaudeRecord>): boolean => record.kind === 'gap',
};

function planCalls(records: readonly WithFacts<ClaudeRecord>[]): ReadonlySet<string> {
  const ids = records.flatMap((record) => (record.kind === 'assistant' ? record.blocks : []));
  return new Set(
    ids.flatMap((block) => (block.kind === 'tool' && block.asked?.kind === 'plan' ? block.id : [])),
  );
}

function answeredCalls(records: readonly WithFacts<ClaudeRecord>[]): ReadonlySet<string> {
  const answered = new Set<string>();
  for (const record of records) {
    if (record.kind === 'results') for (const id of record.ids) answered.add(id);
  }
  return answered;
}

/** Results by call: those of parallel calls are beside the chain. */
function resultsById(records: readonly WithFacts<ClaudeRecord>[]): ReadonlyMap<string, readonly ToolFact[]> {
  const results = new Map<string, ToolFact[]>();
  for (const record of records) {
    if (record.kind !== 'results') continue;
    for (const fact of factsOf(record)) results.set(fact.id, [...(results.get(fact.id) ?? []), fact]);
  }
  return results;
}

/** Assigns backups to the prompt that they name: their position in the file means nothing. */
function withMarks({ turns, facts }: BuiltTurns, records: readonly WithFacts<ClaudeRecord>[]): TurnFacts {
  const all = new Map(facts);
  const ids = new Set(turns.map(({ id }) => id));
  for (const record of records) {
    if (record.kind !== 'facts') continue;
    for (const fact of record.facts) {
      if (ids.has(fact.id)) all.set(fact.id, [...(all.get(fact.id) ?? []), fact]);
    }
  }
  return all;
}

/** The records of each message, in file order. A record that repeats and continues the one before replaces it. */
function assistantMessages(
  records: readonly WithFacts<ClaudeRecord>[],
): ReadonlyMap<string, readonly Assistant[]> {
  const messages = new Map<string, Assistant[]>();
  for (const record of records) {
    if (record.kind !== 'assistant') continue;
    const parts = messages.get(record.messageId);
    if (parts === undefined) messages.set(record.messageId, [record]);
    else {
      const again = parts.findIndex((part) => part.uuid === record.uuid || goesOn(part, record));
      if (again < 0) parts.push(record);
      else parts[again] = record;
    }
  }
  return messages;
}

/** Whether a record contains everything of an earlier one, perhaps with more text at its end. */
function goesOn(earlier: Assistant, later: Assistant): boolean {
  if (earlier.blocks.length === 0) return false;
  return earlier.blocks.every((block, at) => {
    const other = later.blocks[at];
    if (block.kind === 'tool') return other?.kind === 'tool' && other.id === block.id;
    return other?.kind === 'text' && other.text.startsWith(block.text);
  });
}

function tell(builder: TurnBuilder, record: Exclude<Chained, { kind: 'assistant' | 'results' }>): void {
  switch (record.kind) {
    case 'prompt':
      builder.prompt(toPrompt(record));
      break;
    case 'command':
      builder.command(toPrompt(record));
      break;
    case 'command-done':
      builder.commandDone();
      break;
    case 'interrupted':
      builder.interrupt();
      break;
    case 'end':
      builder.end();
      break;
    case 'error':
      builder.warn(record.text);
      builder.end();
      break;
    case 'link':
      break;
  }
}

function toPrompt(record: { uuid: string; text: string; at: number | null }): PromptEvent {
  return { id: record.uuid, text: record.text, at: record.at };
}

/** Adds the parts of a message. True if a tool call in it has no result yet. */
function tellMessage(
  builder: TurnBuilder,
  parts: readonly Assistant[],
  answered: ReadonlySet<string>,
): boolean {
  let isPending = false;
  for (const part of parts) {
    for (const block of part.blocks) {
      if (block.kind === 'text') {
        builder.text(block.text, stateAfterText(part.stop));
        continue;
      }
      const { asked } = block;
      if (asked?.kind === 'plan') builder.plan({ id: `plan:${block.id}`, text: asked.text, at: part.at });
      if (answered.has(block.id)) builder.tool('working');
      else {
        const more = asked?.kind === 'plan' ? null : asked;
        builder.tool(QUESTION_TOOLS.has(block.name) ? 'waiting' : 'unknown', more);
        isPending = true;
      }
    }
  }
  return isPending;
}

/** Older versions write no stop reason: then the text may or may not end its turn. */
function stateAfterText(stop: string | null): AiState {
  if (stop === null) return 'unknown';
  return FINAL_STOPS.has(stop) ? 'idle' : 'working';
}

/** The waiting prompts, by the queue's operations. They have no ids: first in, first out. */
function readQueue(records: readonly WithFacts<ClaudeRecord>[]): readonly string[] {
  const queued: string[] = [];
  for (const record of records) {
    if (record.kind !== 'queue') continue;
    const at = record.content === null ? 0 : queued.indexOf(record.content);
    if (record.operation === 'enqueue') queued.push(record.content ?? '');
    else if (record.operation === 'popAll') queued.length = 0;
    else if (at >= 0) queued.splice(at, 1);
  }
  return queued.filter((text) => text !== '');
}

/** Claude Code's dialect of JSON lines. */
export const claudeDialect: Dialect<ClaudeRecord> = {
  parse: parseClaudeRecord,
  read: readClaude,
  ends: (records) => chainEnds(records, CHAIN),
  facts: claudeFacts,
  idOf: (record) => (record.kind === 'prompt' ? record.uuid : null),
};
