/** The schema as numbered, append-only migrations, each committed with its number. Refuses a newer schema. */
import type { DatabaseSync } from 'node:sqlite';
import { fail, ok, type Result } from '../lib/result.ts';
import { numberOf, transact } from './sqlite.ts';

/** Step N brings `user_version` N-1 to N. Never edit a released step: add one. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE outbox (
     id TEXT PRIMARY KEY,
     pane TEXT NOT NULL,
     state TEXT NOT NULL,
     entry TEXT NOT NULL,
     created_at REAL NOT NULL
   ) STRICT;
   CREATE INDEX outbox_by_pane ON outbox (pane, created_at);
   CREATE INDEX outbox_by_age ON outbox (created_at);
   CREATE TABLE drafts (
     project TEXT NOT NULL,
     pane TEXT NOT NULL,
     draft TEXT NOT NULL,
     revision INTEGER NOT NULL,
     updated_at REAL NOT NULL,
     PRIMARY KEY (project, pane)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     ts REAL NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE TABLE applied (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     request TEXT NOT NULL UNIQUE,
     result TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE suggestions (
     id TEXT PRIMARY KEY,
     created_at REAL NOT NULL,
     ended INTEGER NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   CREATE TABLE suggestion_files (
     suggestion TEXT NOT NULL REFERENCES suggestions (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (suggestion, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE suggestion_changes (
     suggestion TEXT NOT NULL REFERENCES suggestions (id) ON DELETE CASCADE,
     change TEXT NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (suggestion, change)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE review_intents (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;`,
  `CREATE TABLE viewed_hunks (
     position INTEGER PRIMARY KEY AUTOINCREMENT,
     hunk TEXT NOT NULL UNIQUE
   ) STRICT;`,
  `CREATE TABLE agent_sessions (id TEXT PRIMARY KEY, updated_at REAL NOT NULL, record TEXT NOT NULL) STRICT;
   CREATE TABLE agent_jobs (
     id TEXT PRIMARY KEY,
     session TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
     record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX agent_jobs_by_session ON agent_jobs (session);
   CREATE TABLE agent_events (
     job TEXT NOT NULL REFERENCES agent_jobs (id) ON DELETE CASCADE,
     cursor INTEGER NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (job, cursor)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE agent_layers (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     root TEXT NOT NULL,
     suggestion TEXT NOT NULL UNIQUE,
     origin TEXT NOT NULL,
     job TEXT
   ) STRICT;
   CREATE INDEX agent_layers_by_root ON agent_layers (root, seq);
   CREATE TABLE agent_files (
     root TEXT NOT NULL,
     path TEXT NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (root, path)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE agent_checkpoints (id TEXT PRIMARY KEY, session TEXT NOT NULL, record TEXT NOT NULL) STRICT;
   CREATE INDEX agent_checkpoints_by_session ON agent_checkpoints (session);
   CREATE TABLE agent_saves (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;`,
  // Drafts line by line, so that a save writes only changed lines. A line's key is its position.
  `ALTER TABLE drafts RENAME TO drafts_whole;
   CREATE TABLE drafts (
     id INTEGER PRIMARY KEY,
     project TEXT NOT NULL,
     pane TEXT NOT NULL,
     revision INTEGER NOT NULL,
     updated_at REAL NOT NULL,
     next_line INTEGER NOT NULL,
     lines INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     last_edit TEXT NOT NULL,
     UNIQUE (project, pane)
   ) STRICT;
   CREATE TABLE draft_lines (
     id INTEGER PRIMARY KEY,
     draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     line TEXT NOT NULL
   ) STRICT;
   CREATE INDEX draft_lines_by_position ON draft_lines (draft, position);
   CREATE TABLE draft_pulls (
     id INTEGER PRIMARY KEY,
     draft INTEGER NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     pull TEXT NOT NULL
   ) STRICT;
   CREATE INDEX draft_pulls_by_position ON draft_pulls (draft, position);
   INSERT INTO drafts (project, pane, revision, updated_at, next_line, lines, bytes, last_edit)
     SELECT project, pane, revision, updated_at, draft ->> '$.nextLineId',
       json_array_length(draft, '$.lines'), 0, '' FROM drafts_whole;
   INSERT INTO draft_lines (draft, position, line)
     SELECT d.id, (j.key + 1) * 4294967296, j.value
       FROM drafts_whole AS w JOIN drafts AS d USING (project, pane), json_each(w.draft, '$.lines') AS j;
   INSERT INTO draft_pulls (draft, position, pull)
     SELECT d.id, j.key, j.value
       FROM drafts_whole AS w JOIN drafts AS d USING (project, pane), json_each(w.draft, '$.pulls') AS j;
   UPDATE drafts SET bytes =
     (SELECT coalesce(sum(octet_length(line)), 0) FROM draft_lines WHERE draft = drafts.id)
     + (SELECT coalesce(sum(octet_length(pull)), 0) FROM draft_pulls WHERE draft = drafts.id);
   DROP TABLE drafts_whole;
   -- The newest event always stays, so that its number need not be kept apart.
   ALTER TABLE events RENAME TO events_numbered;
   CREATE TABLE events (seq INTEGER PRIMARY KEY, ts REAL NOT NULL, body TEXT NOT NULL) STRICT;
   INSERT INTO events SELECT seq, ts, body FROM events_numbered;
   DROP TABLE events_numbered;`,
  `CREATE TABLE review_steps (
     suggestion TEXT NOT NULL REFERENCES suggestions (id) ON DELETE CASCADE,
     id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (suggestion, id)
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE observations (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     root TEXT NOT NULL,
     at REAL NOT NULL,
     record TEXT NOT NULL
   ) STRICT;
   CREATE INDEX observations_by_root ON observations (root, seq);
   CREATE TABLE observed_turns (
     session TEXT NOT NULL,
     turn TEXT NOT NULL,
     at REAL NOT NULL,
     record TEXT NOT NULL,
     PRIMARY KEY (session, turn)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX observed_turns_by_age ON observed_turns (at);`,
  // The clock may be set back, so prompts are listed in the order of recording.
  `DROP INDEX outbox_by_pane;
   CREATE INDEX outbox_by_pane ON outbox (pane);`,
];

/** The schema that this copane writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** The schema version of a database; 0 for a new file. */
export function schemaVersionOf(database: DatabaseSync): number {
  return numberOf(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Migrates the database to `SCHEMA_VERSION`, or fails. */
export function migrate(database: DatabaseSync, file: string): Result<void> {
  if (schemaVersionOf(database) === SCHEMA_VERSION) return ok(undefined);
  return transact(database, () => {
    // Read again inside the transaction: another process may have migrated meanwhile.
    const found = schemaVersionOf(database);
    if (found > SCHEMA_VERSION) {
      return fail(
        'refused',
        `${file} was written by a newer copane (schema ${found}; this one knows ${SCHEMA_VERSION}).`,
        'Update this copane, or set XDG_STATE_HOME to another folder for it.',
      );
    }
    for (const step of MIGRATIONS.slice(found)) database.exec(step);
    database.exec(`PRAGMA user_version=${SCHEMA_VERSION}`);
    return ok(undefined);
  });
}
