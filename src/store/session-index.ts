/** A rebuildable full-text index of AI CLI sessions, for lists and searches. Bounded in sessions and text. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { FoundTurn, PastSession } from '../protocol/past-session.ts';
import type { Turn } from '../protocol/turn.ts';
import type { SessionRef } from '../protocol/turn-range.ts';
import { connect, isDamage } from './sqlite.ts';

/** The number of sessions kept; the most recently written stay. */
export const MAX_SESSIONS = 1_000;
/** How much of a turn is indexed; text beyond is not found. */
export const TURN_MAX_CHARACTERS = 100_000;
const BUSY_TIMEOUT_MS = 2_000;
const VERSION = 2;
/** The index finds three or more characters; shorter words need a scan. */
const TRIGRAM = 3;

const SCHEMA = `
  CREATE TABLE session (
    key TEXT PRIMARY KEY, cli TEXT NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL,
    changed REAL NOT NULL, title TEXT NOT NULL, answers INTEGER NOT NULL,
    more INTEGER NOT NULL
  );
  CREATE TABLE turn (id INTEGER PRIMARY KEY, session TEXT NOT NULL, turn TEXT NOT NULL);
  CREATE INDEX turn_session ON turn (session);
  CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'trigram');
  PRAGMA user_version = ${VERSION};
`;

export interface IndexedSession {
  readonly session: SessionRef;
  readonly changedAt: number;
  readonly title: string;
  /** Oldest first. */
  readonly turns: readonly Turn[];
  /** Older turns exist. */
  readonly more: boolean;
}

export class SessionIndex {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Opens the index in `file`, and creates it if missing. Throws SQLite's errors, such as a full disk. */
  static open(file: string): SessionIndex {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      return new SessionIndex(prepared(file));
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
      return new SessionIndex(prepared(file));
    }
  }

  /** For each session in the index, when its file was written as of indexing. */
  known(): ReadonlyMap<string, number> {
    const rows = this.#db.prepare('SELECT key, changed FROM session').all();
    return new Map(rows.map((row) => [String(row.key), Number(row.changed)]));
  }

  put({ session, changedAt, title, turns, more }: IndexedSession): void {
    const key = sessionKey(session);
    this.#whole(() => {
      this.#drop(key);
      const answers = turns.filter(({ response }) => response !== '').length;
      this.#db
        .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(key, session.cli, session.path, session.sessionId, changedAt, title, answers, Number(more));
      const addTurn = this.#db.prepare('INSERT INTO turn (session, turn) VALUES (?, ?)');
      const addWords = this.#db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
      for (const { id, prompt, response } of turns) {
        const { lastInsertRowid } = addTurn.run(key, id);
        addWords.run(lastInsertRowid, `${prompt}\n${response}`.slice(0, TURN_MAX_CHARACTERS));
      }
      const old = this.#db.prepare('SELECT key FROM session ORDER BY changed DESC LIMIT -1 OFFSET ?');
      for (const row of old.all(MAX_SESSIONS)) this.#drop(String(row.key));
    });
  }

  /** Those of `sessions` that are indexed, newest first. */
  list(sessions: readonly SessionRef[]): readonly PastSession[] {
    const get = this.#db.prepare('SELECT * FROM session WHERE key = ?');
    return sessions
      .flatMap(({ cli, path: file, sessionId }): PastSession[] => {
        const session = { cli, path: file, sessionId };
        const row = get.get(sessionKey(session));
        if (row === undefined) return [];
        const { title, changed, answers, more } = row;
        return [
          {
            session,
            title: String(title),
            changedAt: Number(changed),
            answers: Number(answers),
            more: more !== 0,
            found: null,
          },
        ];
      })
      .sort((a, b) => b.changedAt - a.changedAt);
  }

  /** Those of `sessions` with a turn that contains all the words, in any order or case. */
  search(sessions: readonly SessionRef[], words: string): readonly PastSession[] {
    const wanted = words.split(/\s+/).filter((word) => word !== '');
    if (wanted.length === 0) return this.list(sessions);
    return this.list(sessions).flatMap((listed) => {
      const found = this.#find(sessionKey(listed.session), wanted);
      return found === null ? [] : [{ ...listed, found }];
    });
  }

  close(): void {
    this.#db.close();
  }

  #find(key: string, wanted: readonly string[]): FoundTurn | null {
    // The index folds case in every script, LIKE only in ASCII.
    const long = wanted.filter((word) => [...word].length >= TRIGRAM);
    const short = wanted.filter((word) => !long.includes(word));
    const conditions = [
      ...(long.length === 0 ? [] : ['words MATCH ?']),
      ...short.map(() => "text LIKE ? ESCAPE '\\'"),
    ];
    const match = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ');
    const like = short.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
    const rows = this.#db
      .prepare(
        `SELECT turn.turn, text FROM turn JOIN words ON words.rowid = turn.id
         WHERE turn.session = ? AND ${conditions.join(' AND ')} ORDER BY turn.id DESC`,
      )
      .all(key, ...(long.length === 0 ? [] : [match]), ...like);
    const [newest] = rows;
    if (newest === undefined) return null;
    const first = (wanted[0] ?? '').toLowerCase();
    const lines = String(newest.text).split('\n');
    const line = lines.find((each) => each.toLowerCase().includes(first)) ?? lines[0] ?? '';
    return { turn: String(newest.turn), line: line.trim(), count: rows.length };
  }

  #drop(key: string): void {
    this.#db.prepare('DELETE FROM words WHERE rowid IN (SELECT id FROM turn WHERE session = ?)').run(key);
    this.#db.prepare('DELETE FROM turn WHERE session = ?').run(key);
    this.#db.prepare('DELETE FROM session WHERE key = ?').run(key);
  }

  #whole(change: () => void): void {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#db.exec('COMMIT');
    } catch (thrown) {
      this.#db.exec('ROLLBACK');
      throw thrown;
    }
  }
}

/** A string that identifies a session: one file, if a database, may hold many. */
export function sessionKey({ cli, path: file, sessionId }: SessionRef): string {
  return `${cli}\n${file}\n${sessionId}`;
}

function prepared(file: string): DatabaseSync {
  const db = connect(file);
  try {
    db.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;`,
    );
    const { user_version: version } = db.prepare('PRAGMA user_version').get() ?? {};
    if (version === VERSION) return db;
    db.exec('BEGIN IMMEDIATE');
    for (const table of ['session', 'turn', 'words']) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(`${SCHEMA} COMMIT`);
    return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}
