/** The database schema. A released schema is never edited: the next one gets a higher number and a migration. */
import type { DatabaseSync } from 'node:sqlite';
import { numberOf } from './sqlite.ts';

/** The schema that this copane writes. Lower numbers were never released. */
export const SCHEMA_VERSION = 8;

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    pane TEXT NOT NULL,
    state TEXT NOT NULL,
    entry TEXT NOT NULL,
    created_at REAL NOT NULL
  ) STRICT;
  -- The clock may be set back, so prompts are listed in the order of recording.
  CREATE INDEX outbox_by_pane ON outbox (pane);
  CREATE INDEX outbox_by_age ON outbox (created_at);
  -- The newest event always stays, so that its number need not be kept apart.
  CREATE TABLE events (seq INTEGER PRIMARY KEY, ts REAL NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE applied (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    request TEXT NOT NULL UNIQUE,
    result TEXT NOT NULL
  ) STRICT;
  -- Drafts line by line, so that a save writes only changed lines. A line's key is its position.
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
  CREATE TABLE suggestions (
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
  CREATE TABLE review_intents (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE TABLE viewed_hunks (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    hunk TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE agent_sessions (id TEXT PRIMARY KEY, updated_at REAL NOT NULL, record TEXT NOT NULL) STRICT;
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
  CREATE TABLE agent_saves (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
  CREATE TABLE review_steps (
    suggestion TEXT NOT NULL REFERENCES suggestions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (suggestion, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE observations (
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
  CREATE INDEX observed_turns_by_age ON observed_turns (at);
  PRAGMA user_version=${SCHEMA_VERSION};
`;

/** The schema version of a database; 0 for a new file. */
export function schemaVersionOf(database: DatabaseSync): number {
  return numberOf(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** Creates the tables in an empty database. */
export function createSchema(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
}
