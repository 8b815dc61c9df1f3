/**
 * Deletes blobs that no record refers to. Anything like a hash in a record keeps its blob; so does recent use, since a
 * new blob's record may not be written yet. Only the leader calls it. It runs in small steps on its own connection.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { blobFolderOf } from './blobs.ts';
import { databaseFileOf } from './database-file.ts';
import { connect, textOf } from './sqlite.ts';

/** How long a blob without a record is kept, so that its writer has time to write the record. */
export const BLOB_GRACE_MS = 24 * 3_600_000;

/** Rows or files handled between two pauses. */
const PIECE = 200;

/** Tables that never hold hashes: the texts of models and tools, larger than everything else. */
const OWNS_NOTHING: ReadonlySet<string> = new Set(['agent_events']);

const HASHES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

export interface BlobSweep {
  readonly stateDir: string;
  /** Wall clock time, comparable with file times. */
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface Swept {
  readonly kept: number;
  readonly dropped: number;
}

/** Runs one sweep. Rejects when aborted, but leaves no file partly deleted. */
export async function sweepBlobs(sweep: BlobSweep): Promise<Swept> {
  const { stateDir, now, signal } = sweep;
  const folder = blobFolderOf(stateDir);
  if (!existsSync(folder)) return { kept: 0, dropped: 0 };
  const named = await namedHashes(databaseFileOf(stateDir), signal);
  let [kept, dropped, seen] = [0, 0, 0];
  for (const prefix of readdirSync(folder)) {
    const inner = path.join(folder, prefix);
    if (!statSync(inner).isDirectory()) continue;
    for (const name of readdirSync(inner)) {
      seen += 1;
      if (seen % PIECE === 0) await breathe(signal);
      const file = path.join(inner, name);
      // No await between this age check and the deletion, so nobody can store the blob in between.
      const { mtimeMs } = statSync(file);
      if (named.has(prefix + name) || now - mtimeMs <= BLOB_GRACE_MS) {
        kept += 1;
        continue;
      }
      rmSync(file, { force: true });
      dropped += 1;
    }
  }
  return { kept, dropped };
}

/** Every hash in any record, from one snapshot. */
async function namedHashes(databaseFile: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  const database = connect(databaseFile, { readOnly: true });
  try {
    database.exec('BEGIN');
    let rows = 0;
    for (const table of recordTables(database)) {
      for (const row of database.prepare(`SELECT record FROM "${table}"`).iterate()) {
        for (const [hash] of textOf(row.record).matchAll(HASHES)) named.add(hash);
        rows += 1;
        if (rows % PIECE === 0) await breathe(signal);
      }
    }
    return named;
  } finally {
    database.close();
  }
}

/** Reads the schema, so that new tables are included. */
function recordTables(database: DatabaseSync): readonly string[] {
  return database
    .prepare(
      `SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
         ON c.name = 'record' WHERE t.type = 'table'`,
    )
    .all()
    .map((row) => textOf(row.name))
    .filter((table) => !OWNS_NOTHING.has(table));
}

async function breathe(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
