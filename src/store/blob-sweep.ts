/**
 * Takes away blobs that no record names any more. Whatever looks like a hash in a record keeps its blob, and a blob
 * that was put or asked for again lately stays: its record may still be on the way. Runs in pieces beside the host's
 * work, on a connection of its own. Only the leader calls it.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { blobFolderOf } from './blobs.ts';
import { databaseFileOf } from './database-file.ts';
import { connect, textOf } from './sqlite.ts';

/** How long a blob without a record is kept: its writer needs time to write the record. */
export const BLOB_GRACE_MS = 24 * 3_600_000;

/** How many rows or files are handled between two pauses. */
const PIECE = 200;

/** Tables without hashes: texts of models and tools, which are larger than all the rest. */
const OWNS_NOTHING: ReadonlySet<string> = new Set(['agent_events']);

const HASHES = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

export interface BlobSweep {
  readonly stateDir: string;
  /** The wall clock, as the files' times are. */
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface Swept {
  readonly kept: number;
  readonly dropped: number;
  readonly droppedBytes: number;
}

/** One sweep; rejects when it is aborted, with nothing half done. */
export async function sweepBlobs(sweep: BlobSweep): Promise<Swept> {
  const { stateDir, now, signal } = sweep;
  const folder = blobFolderOf(stateDir);
  if (!existsSync(folder)) return { kept: 0, dropped: 0, droppedBytes: 0 };
  const named = await namedHashes(databaseFileOf(stateDir), signal);
  let [kept, dropped, droppedBytes, seen] = [0, 0, 0, 0];
  for (const prefix of readdirSync(folder)) {
    const inner = path.join(folder, prefix);
    if (!statSync(inner).isDirectory()) continue;
    for (const name of readdirSync(inner)) {
      seen += 1;
      if (seen % PIECE === 0) await breathe(signal);
      const file = path.join(inner, name);
      // In one turn with the look at its age: nobody can ask for it in between.
      const { mtimeMs, size } = statSync(file);
      if (named.has(prefix + name) || now - mtimeMs <= BLOB_GRACE_MS) {
        kept += 1;
        continue;
      }
      rmSync(file, { force: true });
      dropped += 1;
      droppedBytes += size;
    }
  }
  return { kept, dropped, droppedBytes };
}

/** Every hash that stands in a record, as of one moment. */
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

/** Read from the schema, so that a table that is added later is not forgotten. */
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
