/**
 * Which rows of a damaged database are carried over, table by table, and how a row is known when the schema that
 * names its table is gone. Pure.
 */
import type { SqlValue } from './sqlite-record.ts';

/** What people call the tables. */
export type SalvageKind = 'drafts' | 'prompts' | 'reviews' | 'agent sessions' | 'marks of seen hunks';

export interface TableRule {
  readonly table: string;
  readonly columns: readonly string[];
  /** What it is counted as; null: it is part of something that is counted, or nobody misses it. */
  readonly counts: SalvageKind | null;
  readonly kind: SalvageKind;
  /** The first column stands for the row id, and holds nothing in the file. */
  readonly isRowIdFirst?: boolean;
  readonly hasRowId: boolean;
  /** Columns that name a row, from the first on. */
  readonly keyColumns: number;
  /** The table without whose row this one means nothing, and the column that names it. */
  readonly parent?: { readonly table: string; readonly column: number };
  /** Whether the values can be a row of this table. */
  readonly fits: (values: readonly SqlValue[]) => boolean;
  /** Of two rows with one key the higher is newer. */
  readonly version?: (values: readonly SqlValue[]) => number;
}

type Shape = readonly ('text' | 'number' | 'json' | 'null' | 'text?')[];

function has(values: readonly SqlValue[], shape: Shape): boolean {
  return (
    values.length === shape.length &&
    shape.every((wanted, index) => {
      const value = values[index];
      if (wanted === 'null') return value === null;
      if (wanted === 'text?') return value === null || typeof value === 'string';
      return typeof value === (wanted === 'number' ? 'number' : 'string');
    })
  );
}

/** The object that a column holds as JSON; null when it is none. */
export function objectIn(value: SqlValue | undefined): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The columns have this shape, and the JSON in the last of them has these fields. */
function record(shape: Shape, ...fields: readonly string[]): TableRule['fits'] {
  return (values) => {
    if (!has(values, shape)) return false;
    const object = objectIn(values[shape.indexOf('json')]);
    return object !== null && fields.every((field) => Object.hasOwn(object, field));
  };
}

const numberIn = (value: SqlValue | undefined, field: string): number =>
  Number(objectIn(value)?.[field] ?? 0);

/** In the order in which they are written: a row comes after the one that it belongs to. What is dearest comes first. */
export const SALVAGE_RULES: readonly TableRule[] = [
  {
    table: 'drafts',
    columns: ['id', 'project', 'pane', 'revision', 'updated_at', 'next_line', 'lines', 'bytes', 'last_edit'],
    counts: 'drafts',
    kind: 'drafts',
    isRowIdFirst: true,
    hasRowId: true,
    keyColumns: 1,
    fits: (values) =>
      has(values, ['number', 'text', 'text', 'number', 'number', 'number', 'number', 'number', 'text']),
    version: (values) => Number(values[3]),
  },
  {
    table: 'draft_lines',
    columns: ['id', 'draft', 'position', 'line'],
    counts: null,
    kind: 'drafts',
    isRowIdFirst: true,
    hasRowId: true,
    keyColumns: 1,
    parent: { table: 'drafts', column: 1 },
    fits: record(['number', 'number', 'number', 'json'], 'id', 'text', 'tag', 'changed'),
  },
  {
    table: 'draft_pulls',
    columns: ['id', 'draft', 'position', 'pull'],
    counts: null,
    kind: 'drafts',
    isRowIdFirst: true,
    hasRowId: true,
    keyColumns: 1,
    parent: { table: 'drafts', column: 1 },
    fits: record(['number', 'number', 'number', 'json'], 'turnId', 'lines'),
  },
  {
    table: 'outbox',
    columns: ['id', 'pane', 'state', 'entry', 'created_at'],
    counts: 'prompts',
    kind: 'prompts',
    hasRowId: true,
    keyColumns: 1,
    fits: record(
      ['text', 'text', 'text', 'json', 'number'],
      'id',
      'pane',
      'text',
      'hash',
      'state',
      'updatedAt',
    ),
    version: (values) => numberIn(values[3], 'updatedAt'),
  },
  {
    table: 'suggestions',
    columns: ['id', 'created_at', 'ended', 'record'],
    counts: 'reviews',
    kind: 'reviews',
    hasRowId: true,
    keyColumns: 1,
    fits: record(['text', 'number', 'number', 'json'], 'id', 'target', 'patch', 'revision', 'files'),
    version: (values) => numberIn(values[3], 'revision'),
  },
  {
    table: 'suggestion_files',
    columns: ['suggestion', 'position', 'record'],
    counts: null,
    kind: 'reviews',
    hasRowId: false,
    keyColumns: 2,
    parent: { table: 'suggestions', column: 0 },
    fits: record(['text', 'number', 'json'], 'base', 'absent', 'parts'),
  },
  {
    table: 'suggestion_changes',
    columns: ['suggestion', 'change', 'record'],
    counts: null,
    kind: 'reviews',
    hasRowId: false,
    keyColumns: 2,
    parent: { table: 'suggestions', column: 0 },
    fits: record(['text', 'text', 'json'], 'id', 'file', 'decision', 'past'),
  },
  {
    table: 'review_intents',
    columns: ['id', 'record'],
    counts: null,
    kind: 'reviews',
    hasRowId: true,
    keyColumns: 1,
    fits: record(['text', 'json'], 'suggestion', 'write', 'after', 'file'),
  },
  {
    table: 'agent_sessions',
    columns: ['id', 'updated_at', 'record'],
    counts: 'agent sessions',
    kind: 'agent sessions',
    hasRowId: true,
    keyColumns: 1,
    fits: record(['text', 'number', 'json'], 'id', 'updated_at'),
    version: (values) => Number(values[1]),
  },
  {
    table: 'agent_jobs',
    columns: ['id', 'session', 'record'],
    counts: null,
    kind: 'agent sessions',
    hasRowId: true,
    keyColumns: 1,
    parent: { table: 'agent_sessions', column: 1 },
    fits: record(['text', 'text', 'json'], 'job', 'run', 'hunkEdits'),
  },
  {
    table: 'agent_events',
    columns: ['job', 'cursor', 'record'],
    counts: null,
    kind: 'agent sessions',
    hasRowId: false,
    keyColumns: 2,
    parent: { table: 'agent_jobs', column: 0 },
    fits: record(['text', 'number', 'json'], 'cursor', 'type'),
  },
  {
    table: 'agent_layers',
    columns: ['seq', 'root', 'suggestion', 'origin', 'job'],
    counts: null,
    kind: 'agent sessions',
    isRowIdFirst: true,
    hasRowId: true,
    keyColumns: 1,
    parent: { table: 'suggestions', column: 2 },
    fits: (values) => has(values, ['number', 'text', 'text', 'text', 'text?']),
  },
  {
    table: 'agent_files',
    columns: ['root', 'path', 'record'],
    counts: null,
    kind: 'agent sessions',
    hasRowId: false,
    keyColumns: 2,
    fits: record(['text', 'text', 'json'], 'root', 'path', 'base', 'disk'),
  },
  {
    table: 'agent_checkpoints',
    columns: ['id', 'session', 'record'],
    counts: null,
    kind: 'agent sessions',
    hasRowId: true,
    keyColumns: 1,
    fits: record(['text', 'text', 'json'], 'checkpoint', 'root', 'files', 'decisions'),
  },
  {
    table: 'agent_saves',
    columns: ['id', 'record'],
    counts: null,
    kind: 'agent sessions',
    hasRowId: true,
    keyColumns: 1,
    fits: record(['text', 'json'], 'batch', 'write', 'after'),
  },
  {
    table: 'viewed_hunks',
    columns: ['position', 'hunk'],
    counts: null,
    kind: 'marks of seen hunks',
    isRowIdFirst: true,
    hasRowId: true,
    keyColumns: 1,
    fits: (values) => has(values, ['number', 'text']),
  },
];

/** Not carried over, with their columns: what tells nobody anything once the program was started again. */
export const NOT_SALVAGED: readonly Pick<TableRule, 'table' | 'columns'>[] = [
  { table: 'meta', columns: ['key', 'value'] },
  { table: 'events', columns: ['seq', 'ts', 'body'] },
  { table: 'applied', columns: ['position', 'request', 'result'] },
  // Each decision can still be undone by itself.
  { table: 'review_steps', columns: ['suggestion', 'id', 'seq', 'record'] },
  // What comes next is seen again; of what was, the AI CLI's own session file tells most.
  { table: 'observations', columns: ['seq', 'root', 'at', 'record'] },
  { table: 'observed_turns', columns: ['session', 'turn', 'at', 'record'] },
];
