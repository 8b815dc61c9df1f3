/** Which rows of a damaged database to carry over, and how to recognize them when the schema is lost. Pure. */
import { parseRecord } from '../../lib/parse-json.ts';
import { hasFields } from './record-fields.ts';
import type { SqlValue } from './sqlite-record.ts';

/** User-visible names of the tables. */
export type SalvageKind = 'drafts' | 'prompts' | 'reviews' | 'agent sessions' | 'marks of seen hunks';

export interface TableRule {
  readonly table: string;
  readonly columns: readonly string[];
  /** The kind to count it as; null for parts of a counted record and for dispensable data. */
  readonly counts: SalvageKind | null;
  readonly kind: SalvageKind;
  /** The first column is the row id, which the record itself does not store. */
  readonly isRowIdFirst?: boolean;
  readonly hasRowId: boolean;
  readonly keyColumns: number;
  readonly parent?: { readonly table: string; readonly column: number };
  /** Fields that every record of the table has, in its JSON column. */
  readonly fields: readonly string[];
  /** Whether the values could be a row of this table. */
  readonly fits: (values: readonly SqlValue[]) => boolean;
  /** Of two rows with the same key the higher version is newer. */
  readonly version?: (values: readonly SqlValue[]) => number;
}

/** The type of a column; a list names the required fields of its JSON object. */
type Column = 'rowid' | 'number' | 'text' | 'text or null' | readonly string[];

/** The object in a JSON column; null if it holds none. */
export const objectIn = (value: SqlValue | undefined) =>
  typeof value === 'string' ? parseRecord(value) : null;

function fitsColumn(value: SqlValue | undefined, column: Column): boolean {
  if (column === 'text or null') return value === null || typeof value === 'string';
  if (column === 'rowid' || column === 'number') return typeof value === 'number';
  if (column === 'text') return typeof value === 'string';
  return hasFields(objectIn(value), column);
}

interface Options extends Pick<TableRule, 'parent' | 'version'> {
  readonly isCounted?: boolean;
  /** Two for tables with a two-column key, which have no row ids. */
  readonly keyColumns?: 1 | 2;
}

function rule(
  [table, kind]: readonly [string, SalvageKind],
  columns: Readonly<Record<string, Column>>,
  { isCounted = false, keyColumns = 1, ...rest }: Options = {},
): TableRule {
  const shape = Object.values(columns);
  return {
    table,
    kind,
    counts: isCounted ? kind : null,
    columns: Object.keys(columns),
    isRowIdFirst: shape[0] === 'rowid',
    hasRowId: keyColumns === 1,
    keyColumns,
    fields: shape.find((column) => typeof column === 'object') ?? [],
    fits: (values) =>
      values.length === shape.length && shape.every((column, index) => fitsColumn(values[index], column)),
    ...rest,
  };
}

const numberIn = (value: SqlValue | undefined, field: string): number =>
  Number(objectIn(value)?.[field] ?? 0);

const OF_DRAFT = { parent: { table: 'drafts', column: 1 } };
const OF_SUGGESTION = { parent: { table: 'suggestions', column: 0 }, keyColumns: 2 } as const;

/** In the order of writing: parents first, then by value to the user. */
export const SALVAGE_RULES: readonly TableRule[] = [
  rule(
    ['drafts', 'drafts'],
    {
      id: 'rowid',
      project: 'text',
      pane: 'text',
      revision: 'number',
      updated_at: 'number',
      next_line: 'number',
      lines: 'number',
      bytes: 'number',
      last_edit: 'text',
    },
    { isCounted: true, version: (values) => Number(values[3]) },
  ),
  rule(
    ['draft_lines', 'drafts'],
    { id: 'rowid', draft: 'number', position: 'number', line: ['id', 'text', 'tag', 'changed'] },
    OF_DRAFT,
  ),
  rule(
    ['draft_pulls', 'drafts'],
    { id: 'rowid', draft: 'number', position: 'number', pull: ['turnId', 'lines'] },
    OF_DRAFT,
  ),
  rule(
    ['outbox', 'prompts'],
    {
      id: 'text',
      pane: 'text',
      state: 'text',
      entry: ['id', 'pane', 'text', 'hash', 'state', 'updatedAt'],
      created_at: 'number',
    },
    { isCounted: true, version: (values) => numberIn(values[3], 'updatedAt') },
  ),
  rule(
    ['suggestions', 'reviews'],
    {
      id: 'text',
      created_at: 'number',
      ended: 'number',
      record: ['id', 'target', 'patch', 'revision', 'files'],
    },
    { isCounted: true, version: (values) => numberIn(values[3], 'revision') },
  ),
  rule(
    ['suggestion_files', 'reviews'],
    { suggestion: 'text', position: 'number', record: ['base', 'absent', 'parts'] },
    OF_SUGGESTION,
  ),
  rule(
    ['suggestion_changes', 'reviews'],
    { suggestion: 'text', change: 'text', record: ['id', 'file', 'decision', 'past'] },
    OF_SUGGESTION,
  ),
  rule(['review_intents', 'reviews'], { id: 'text', record: ['suggestion', 'write', 'after', 'file'] }),
  rule(
    ['agent_sessions', 'agent sessions'],
    { id: 'text', updated_at: 'number', record: ['id', 'updated_at'] },
    { isCounted: true, version: (values) => Number(values[1]) },
  ),
  rule(
    ['agent_jobs', 'agent sessions'],
    { id: 'text', session: 'text', record: ['job', 'run', 'hunkEdits'] },
    { parent: { table: 'agent_sessions', column: 1 } },
  ),
  rule(
    ['agent_events', 'agent sessions'],
    { job: 'text', cursor: 'number', record: ['cursor', 'type'] },
    { keyColumns: 2, parent: { table: 'agent_jobs', column: 0 } },
  ),
  rule(
    ['agent_layers', 'agent sessions'],
    { seq: 'rowid', root: 'text', suggestion: 'text', origin: 'text', job: 'text or null' },
    { parent: { table: 'suggestions', column: 2 } },
  ),
  rule(
    ['agent_files', 'agent sessions'],
    { root: 'text', path: 'text', record: ['root', 'path', 'base', 'disk'] },
    { keyColumns: 2 },
  ),
  rule(['agent_checkpoints', 'agent sessions'], {
    id: 'text',
    session: 'text',
    record: ['checkpoint', 'root', 'files', 'decisions'],
  }),
  rule(['agent_saves', 'agent sessions'], { id: 'text', record: ['batch', 'write', 'after'] }),
  rule(['viewed_hunks', 'marks of seen hunks'], { position: 'rowid', hunk: 'text' }),
];

/** Tables that are not carried over, with their columns: their data is useless after a restart. */
export const NOT_SALVAGED: readonly Pick<TableRule, 'table' | 'columns'>[] = [
  { table: 'meta', columns: ['key', 'value'] },
  { table: 'events', columns: ['seq', 'ts', 'body'] },
  { table: 'applied', columns: ['position', 'request', 'result'] },
  // Each decision can still be undone individually.
  { table: 'review_steps', columns: ['suggestion', 'id', 'seq', 'record'] },
  // New observations follow; the AI CLI's session file covers most of the old ones.
  { table: 'observations', columns: ['seq', 'root', 'at', 'record'] },
  { table: 'observed_turns', columns: ['session', 'turn', 'at', 'record'] },
];
