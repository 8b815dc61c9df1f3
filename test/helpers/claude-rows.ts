/** Sessions of Claude Code in short form, and what is read of them. */
import { type ClaudeRecord, parseClaudeRecord } from '../../src/responses/transcripts/claude-records.ts';
import { readClaude } from '../../src/responses/transcripts/claude-turns.ts';
import { Problems } from '../../src/responses/transcripts/problems.ts';
import { GAP, type Gap } from '../../src/responses/transcripts/tool-facts.ts';

/** A session in short form: each row is [kind, uuid, parent, content, more]. */
export type Row = Record<string, unknown> | Gap;

export function user(uuid: string, parentUuid: string | null, content: unknown, more: object = {}): Row {
  return {
    type: 'user',
    uuid,
    parentUuid,
    message: { role: 'user', content },
    timestamp: '2026-01-02T03:04:05Z',
    ...more,
  };
}

export function assistant(
  uuid: string,
  parentUuid: string,
  content: unknown[],
  stop: string | null,
  id = uuid,
): Row {
  return {
    type: 'assistant',
    uuid,
    parentUuid,
    message: { id, role: 'assistant', content, stop_reason: stop },
  };
}

export function text(value: string): object {
  return { type: 'text', text: value };
}

export function use(id: string, name = 'Bash'): object {
  return { type: 'tool_use', id, name, input: {} };
}

export function result(uuid: string, parentUuid: string, id: string): Row {
  return user(uuid, parentUuid, [{ type: 'tool_result', tool_use_id: id, content: 'out' }]);
}

export function system(uuid: string, parentUuid: string | null, subtype: string, more: object = {}): Row {
  return { type: 'system', uuid, parentUuid, subtype, ...more };
}

export function read(rows: readonly Row[], complete = true) {
  const problems = new Problems();
  const records = rows.flatMap((row): (ClaudeRecord | Gap)[] => {
    if (row === GAP) return [GAP];
    const record = parseClaudeRecord(row, problems);
    return record === null ? [] : [record];
  });
  return { ...readClaude(records, complete), unknown: problems.list() };
}

/** Prompts, answers and progress, then the state. */
export function brief(rows: readonly Row[], complete = true): unknown {
  const { turns, state } = read(rows, complete);
  return [...turns.map((turn) => `${turn.prompt} → ${turn.parts.join(' | ')} (${turn.progress})`), state];
}

/** One prompt and its answer. */
export const ONE: Row[] = [user('u1', null, 'one'), assistant('a1', 'u1', [text('answer one')], 'end_turn')];
