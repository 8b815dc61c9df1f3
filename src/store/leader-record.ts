/** The host epoch and the leader's record, so that a client can find and name an unresponsive leader. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { connect, isOfDatabase, jsonOf, numberOf, textOf } from './sqlite.ts';

const leaderRecordSchema = z.object({
  pid: z.int(),
  startedAt: z.number(),
  epoch: z.int(),
  version: z.string(),
  socketPath: z.string(),
});
export type LeaderRecord = z.infer<typeof leaderRecordSchema>;

const SELECT_META = 'SELECT value FROM meta WHERE key = ?';
const UPSERT_META =
  'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

/** The epoch of the newest leader; 0 before the first. */
export function readEpoch(database: DatabaseSync): number {
  const row = database.prepare(SELECT_META).get('epoch');
  return row === undefined ? 0 : Number(textOf(row.value));
}

/** Begins the next epoch with `card`. Inside a transaction. */
export function writeLeader(database: DatabaseSync, card: Omit<LeaderRecord, 'epoch'>): LeaderRecord {
  const leader = { ...card, epoch: readEpoch(database) + 1 };
  const upsert = database.prepare(UPSERT_META);
  upsert.run('epoch', String(leader.epoch));
  upsert.run('leader', JSON.stringify(leader));
  return leader;
}

/** The record in an open database; null before the first leader. */
function readLeader(database: DatabaseSync): LeaderRecord | null {
  const row = database.prepare(SELECT_META).get('leader');
  if (row === undefined) return null;
  const parsed = leaderRecordSchema.safeParse(jsonOf(row.value));
  return parsed.success ? parsed.data : null;
}

/** The leader's record, read briefly by another process. Null if there is none or it cannot be read now. */
export function peekLeader(databaseFile: string): LeaderRecord | null {
  if (!existsSync(databaseFile)) return null;
  let database: DatabaseSync | null = null;
  try {
    database = connect(databaseFile, { readOnly: true });
    database.exec('PRAGMA busy_timeout=50');
    if (
      numberOf(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'meta'").get()?.n) === 0
    ) {
      return null;
    }
    return readLeader(database);
  } catch (thrown) {
    if (!isOfDatabase(thrown)) throw thrown;
    return null;
  } finally {
    database?.close();
  }
}
