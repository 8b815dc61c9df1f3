import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The companion may be about to write. */
const BUSY_MAX_MS = 2_000;

/** The companion of `root` has looked at a working tree: it will see later changes. */
export const hasLooked = (root: string) => countOf(root, 'observations') > 0;

/** It has looked at the files after this many turns: later changes belong to none of them. */
export const hasSeenEnds = (root: string, turns: number) =>
  countOf(root, 'observed_turns', "WHERE json_extract(record, '$.to') IS NOT NULL") >= turns;

/** The outbox has a prompt with this text: its send has begun. */
export const hasRecorded = (root: string, text: string) =>
  countOf(root, 'outbox', `WHERE instr(entry, '${text}') > 0`) > 0;

function countOf(root: string, table: 'observations' | 'observed_turns' | 'outbox', where = ''): number {
  const file = path.join(root, 'state/copane/copane.db');
  if (!existsSync(file)) return 0;
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MAX_MS });
  try {
    const tables = database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').all(table);
    return tables.length === 0 ? 0 : database.prepare(`SELECT 1 FROM ${table} ${where}`).all().length;
  } finally {
    database.close();
  }
}
