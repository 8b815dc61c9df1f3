/** Counts the suggestions that wait for a decision, from a process that is neither leader nor client. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { errorMessage } from '../lib/result.ts';
import { TWIN_SUFFIX } from '../protocol/to-review.ts';
import { markDamage } from './damage.ts';
import { connect, isDamage, isOfDatabase, numberOf } from './sqlite.ts';

const COUNT = `SELECT count(*) AS n FROM suggestions
  WHERE ended = 0 AND id NOT LIKE '%${TWIN_SUFFIX}'
  AND json_extract(record, '$.decidedCount') < json_extract(record, '$.hunkCount')`;

/** Null if the count cannot be read now: no database, an older one, or a write in progress. */
export function countWaitingReviews(databaseFile: string): number | null {
  if (!existsSync(databaseFile)) return null;
  let database: DatabaseSync | null = null;
  try {
    database = connect(databaseFile, { readOnly: true });
    database.exec('PRAGMA busy_timeout=50');
    return numberOf(database.prepare(COUNT).get()?.n);
  } catch (thrown) {
    if (isDamage(thrown)) markDamage(databaseFile, errorMessage(thrown));
    else if (!isOfDatabase(thrown)) throw thrown;
    return null;
  } finally {
    database?.close();
  }
}
