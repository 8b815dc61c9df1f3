/** Sessions of Claude Code: rows, files of many turns, sessions with edits; and how the product reads them. */
import path from 'node:path';
import { type ClaudeRecord, parseClaudeRecord } from '../../src/responses/transcripts/claude-records.ts';
import { readClaude } from '../../src/responses/transcripts/claude-turns.ts';
import { Problems } from '../../src/responses/transcripts/problems.ts';
import { GAP, type Gap } from '../../src/responses/transcripts/tool-facts.ts';

export type Row = Record<string, unknown> | Gap;

export function user(uuid: string, parentUuid: string | null, content: unknown, more: object = {}) {
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
  parentUuid: string | null,
  content: readonly object[],
  stop: string | null,
  id = uuid,
) {
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

export function use(id: string, name = 'Bash', input: object = {}): object {
  return { type: 'tool_use', id, name, input };
}

const resultOf = (id: string, content: string, more: object = {}) => [
  { type: 'tool_result', tool_use_id: id, content, ...more },
];

export function result(uuid: string, parentUuid: string, id: string, content = 'out') {
  return user(uuid, parentUuid, resultOf(id, content));
}

export function system(uuid: string, parentUuid: string | null, subtype: string, more: object = {}): Row {
  return { type: 'system', uuid, parentUuid, subtype, ...more };
}

/** One prompt and its answer. */
export const ONE: Row[] = [user('u1', null, 'one'), assistant('a1', 'u1', [text('answer one')], 'end_turn')];

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

export interface ClaudeLinesOptions {
  /** Number of the first turn; prompts are `prompt N`, answers `answer N`. */
  readonly firstTurn: number;
  readonly turns: number;
  /** Length of the tool result in each turn. */
  readonly resultCharacters: number;
}

/** The lines of some turns in one chain: prompt, call, result, answer. The very first turn has no parent. */
export function claudeLines({ firstTurn, turns, resultCharacters }: ClaudeLinesOptions): string {
  const rows = Array.from({ length: turns }, (_, at) => firstTurn + at).flatMap((turn) => {
    const timestamp = new Date(1_767_323_045_000 + turn * 1_000).toISOString();
    return [
      user(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, `prompt ${turn}`),
      assistant(`c${turn}`, `u${turn}`, [use(`t${turn}`, 'Read')], 'tool_use', `m${turn}`),
      result(`r${turn}`, `c${turn}`, `t${turn}`, 'x'.repeat(resultCharacters)),
      assistant(`a${turn}`, `r${turn}`, [text(`answer ${turn}`)], 'end_turn', `n${turn}`),
    ].map((row) => JSON.stringify({ ...row, isSidechain: false, timestamp }));
  });
  return `${rows.join('\n')}\n`;
}

/** The project of sessions with edits. */
export const CWD = '/home/dev/project';
let count = 0;
let clock = Date.parse('2026-01-01T00:00:00Z');

/** A session with edits and backups, each row the child of the one before. */
export class EditingSession {
  readonly rows: object[] = [];
  #parent: string | null = null;

  add(row: object, parent = this.#parent): string {
    const uuid = this.nextId();
    count += 1;
    clock += 10;
    this.rows.push({ ...row, uuid, parentUuid: parent, timestamp: new Date(clock).toISOString(), cwd: CWD });
    this.#parent = uuid;
    return uuid;
  }

  /** The id of the next row. */
  nextId(): string {
    return `u${count + 1}`;
  }

  prompt(words: string, parent = this.#parent): string {
    return this.add(user('', null, words), parent);
  }

  call(name: string, input: object): string {
    const id = `toolu_${++count}`;
    this.add(assistant('', null, [use(id, name, input)], 'tool_use', `m${count}`));
    return id;
  }

  result(
    id: string,
    toolUseResult: unknown,
    { hasNotRun = false, ...more }: { hasNotRun?: boolean } & Record<string, unknown> = {},
  ): void {
    const said = hasNotRun ? `<tool_use_error>${toolUseResult}</tool_use_error>` : 'said';
    const content = resultOf(id, said, { is_error: typeof toolUseResult === 'string' });
    this.add(user('', null, content, { toolUseResult, ...more }));
  }

  edit(file: string, step: { old: string; put: string; original: string | null; more?: object }): void {
    const filePath = path.join(CWD, file);
    const id = this.call('Edit', { file_path: filePath, old_string: step.old, new_string: step.put });
    this.result(id, {
      filePath,
      oldString: step.old,
      newString: step.put,
      originalFile: step.original,
      structuredPatch: [],
      userModified: false,
      replaceAll: false,
      ...step.more,
    });
  }

  write(file: string, content: string, original: string | null, more: object = {}): void {
    const filePath = path.join(CWD, file);
    const id = this.call('Write', { file_path: filePath, content });
    const type = original === null ? 'create' : 'update';
    this.result(id, {
      type,
      filePath,
      content,
      structuredPatch: [],
      originalFile: original,
      userModified: false,
      ...more,
    });
  }

  done(): void {
    this.add(assistant('', null, [text('Done.')], 'end_turn', `m${++count}`));
  }

  backup(prompt: string, file: string, name: string | null): void {
    this.rows.push({
      type: 'file-history-delta',
      messageId: 'x',
      snapshotMessageId: prompt,
      trackingPath: file,
      backup: backupOf(name),
    });
  }

  snapshot(prompt: string, backups: Readonly<Record<string, string | null>>, row = prompt): void {
    const trackedFileBackups = Object.fromEntries(
      Object.entries(backups).map(([file, name]) => [file, backupOf(name)]),
    );
    this.rows.push({
      type: 'file-history-snapshot',
      messageId: row,
      snapshot: { messageId: prompt, trackedFileBackups, timestamp: new Date(clock).toISOString() },
    });
  }
}

const backupOf = (name: string | null) => ({ backupFileName: name, version: 1, realParentDir: CWD });
