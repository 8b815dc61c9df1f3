/** What the database holds, by kind: count, size, age. Read without the leader. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ok, type Result } from '../lib/result.ts';
import { wordList } from '../lib/word-list.ts';
import { connect, guardStorage, numberOf, textOf } from './sqlite.ts';

export interface TableUsage {
  readonly kind: 'drafts' | 'prompts' | 'reviews' | 'agent' | 'seen' | 'turns' | 'events';
  readonly count: number;
  /** How many of them are unfinished: unsent text, an undelivered prompt, an open review. */
  readonly unfinished: number;
  readonly bytes: number;
  /** When the oldest was created, in ms since the epoch; null if unknown. */
  readonly since: number | null;
}

/** The first of `tables` is counted; all of them take space. */
interface Counted {
  readonly kind: TableUsage['kind'];
  readonly tables: readonly string[];
  readonly since: string;
  readonly unfinished: string;
}

const COUNTED: readonly Counted[] = [
  {
    kind: 'drafts',
    tables: ['drafts', 'draft_lines', 'draft_pulls'],
    since: 'min(updated_at)',
    unfinished: 'lines > 0',
  },
  {
    kind: 'prompts',
    tables: ['outbox'],
    since: 'min(created_at)',
    unfinished: "state NOT IN ('delivered', 'refused', 'abandoned', 'unconfirmed')",
  },
  {
    kind: 'reviews',
    tables: ['suggestions', 'suggestion_files', 'suggestion_changes', 'review_intents'],
    since: 'min(created_at)',
    unfinished: 'ended = 0',
  },
  {
    kind: 'agent',
    tables: wordList(
      'agent_sessions agent_jobs agent_events agent_layers agent_files agent_checkpoints agent_saves',
    ),
    since: 'min(updated_at)',
    unfinished: '0',
  },
  { kind: 'seen', tables: ['viewed_hunks'], since: 'NULL', unfinished: '0' },
  { kind: 'turns', tables: ['observations', 'observed_turns'], since: 'min(at)', unfinished: '0' },
  { kind: 'events', tables: ['events', 'applied'], since: 'min(ts)', unfinished: '0' },
];

/** Empty if there is no database yet. */
export function databaseUsage(databaseFile: string): Result<readonly TableUsage[]> {
  if (!existsSync(databaseFile)) return ok([]);
  return guardStorage(databaseFile, () => {
    const database = connect(databaseFile, { readOnly: true });
    try {
      database.exec('PRAGMA busy_timeout=2000; BEGIN');
      const bytes = bytesByTable(database);
      return ok(COUNTED.map((counted) => usageOf(database, counted, bytes)));
    } finally {
      database.close();
    }
  });
}

function usageOf(
  database: DatabaseSync,
  { kind, tables, since, unfinished }: Counted,
  bytes: ReadonlyMap<string, number>,
): TableUsage {
  const row = database
    .prepare(
      `SELECT count(*) AS n, ${since} AS since, coalesce(sum(${unfinished}), 0) AS unfinished FROM ${tables[0]}`,
    )
    .get();
  return {
    kind,
    count: numberOf(row?.n),
    unfinished: numberOf(row?.unfinished),
    bytes: tables.reduce((sum, table) => sum + (bytes.get(table) ?? 0), 0),
    since: typeof row?.since === 'number' ? row.since : null,
  };
}

/** Includes the indexes of each table. */
function bytesByTable(database: DatabaseSync): ReadonlyMap<string, number> {
  const rows = database
    .prepare(
      `SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes
         FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name GROUP BY s.tbl_name`,
    )
    .all();
  return new Map(rows.map((row) => [textOf(row.name), numberOf(row.bytes)]));
}
