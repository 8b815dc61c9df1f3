/** The agent on disk: sessions, jobs with their events, the change log of each folder, checkpoints, saves that have begun. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type {
  AgentWriter,
  JobFacts,
  StoredCheckpoint,
  StoredJob,
  StoredLayer,
  StoredSave,
  StoredSession,
  StoredTracked,
} from '../agent/records.ts';
import type { AgentEvent } from '../protocol/agent.ts';
import { jsonOf, numberOf, textOf } from './sqlite.ts';

/** Checkpoints that are kept; beyond it the oldest go. */
export const CHECKPOINTS_MAX = 500;

type Row = Readonly<Record<string, unknown>>;

export class AgentTables implements AgentWriter {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  session(id: string): StoredSession | null {
    return recordOf(this.#prepare('SELECT record FROM agent_sessions WHERE id = ?').get(id));
  }

  sessions(): readonly StoredSession[] {
    return this.#prepare('SELECT record FROM agent_sessions ORDER BY updated_at DESC, rowid DESC')
      .all()
      .map((row) => someRecord<StoredSession>(row));
  }

  job(id: string): StoredJob | null {
    return recordOf(this.#prepare('SELECT record FROM agent_jobs WHERE id = ?').get(id));
  }

  jobs(session: string | null): readonly StoredJob[] {
    const rows =
      session === null
        ? this.#prepare('SELECT record FROM agent_jobs ORDER BY rowid DESC').all()
        : this.#prepare('SELECT record FROM agent_jobs WHERE session = ? ORDER BY rowid DESC').all(session);
    return rows.map((row) => someRecord<StoredJob>(row));
  }

  jobFacts(): readonly JobFacts[] {
    return this.#prepare(
      `SELECT id, session, record ->> '$.job.status' AS status, record ->> '$.job.created_at' AS created_at,
         record ->> '$.job.finished_at' AS finished_at FROM agent_jobs ORDER BY rowid DESC`,
    )
      .all()
      .map((row) => ({
        id: textOf(row.id),
        session_id: textOf(row.session),
        status: textOf(row.status) as JobFacts['status'],
        created_at: numberOf(row.created_at),
        finished_at: row.finished_at === null ? null : numberOf(row.finished_at),
      }));
  }

  sessionOfJob(id: string): string | null {
    const row = this.#prepare('SELECT session FROM agent_jobs WHERE id = ?').get(id);
    return row === undefined ? null : textOf(row.session);
  }

  events(job: string, cursor: number, limit: number): readonly AgentEvent[] {
    return this.#prepare(
      'SELECT record FROM agent_events WHERE job = ? AND cursor > ? ORDER BY cursor LIMIT ?',
    )
      .all(job, cursor, limit)
      .map((row) => someRecord<AgentEvent>(row));
  }

  layers(root: string): readonly StoredLayer[] {
    return this.#prepare('SELECT * FROM agent_layers WHERE root = ? ORDER BY seq').all(root).map(layerOfRow);
  }

  layerOf(suggestion: string): StoredLayer | null {
    const row = this.#prepare('SELECT * FROM agent_layers WHERE suggestion = ?').get(suggestion);
    return row === undefined ? null : layerOfRow(row);
  }

  nextLayer(): number {
    const row = this.#prepare("SELECT seq FROM sqlite_sequence WHERE name = 'agent_layers'").get();
    return row === undefined ? 1 : numberOf(row.seq) + 1;
  }

  tracked(root: string): readonly StoredTracked[] {
    return this.#prepare('SELECT record FROM agent_files WHERE root = ? ORDER BY path')
      .all(root)
      .map((row) => someRecord<StoredTracked>(row));
  }

  roots(): readonly string[] {
    return this.#prepare('SELECT DISTINCT root FROM agent_layers')
      .all()
      .map((row) => textOf(row.root));
  }

  checkpoint(id: string): StoredCheckpoint | null {
    return recordOf(this.#prepare('SELECT record FROM agent_checkpoints WHERE id = ?').get(id));
  }

  checkpoints(session: string | null): readonly StoredCheckpoint[] {
    const rows =
      session === null
        ? this.#prepare('SELECT record FROM agent_checkpoints ORDER BY rowid DESC').all()
        : this.#prepare('SELECT record FROM agent_checkpoints WHERE session = ? ORDER BY rowid DESC').all(
            session,
          );
    return rows.map((row) => someRecord<StoredCheckpoint>(row));
  }

  saves(): readonly StoredSave[] {
    return this.#prepare('SELECT record FROM agent_saves ORDER BY rowid')
      .all()
      .map((row) => someRecord<StoredSave>(row));
  }

  putSession(session: StoredSession): void {
    this.#prepare(
      `INSERT INTO agent_sessions (id, updated_at, record) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, record = excluded.record`,
    ).run(session.id, session.updated_at, JSON.stringify(session));
  }

  dropSession(id: string): void {
    this.#prepare('DELETE FROM agent_sessions WHERE id = ?').run(id);
  }

  putJob(stored: StoredJob): void {
    this.#prepare(
      `INSERT INTO agent_jobs (id, session, record) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
    ).run(stored.job.id, stored.job.session_id, JSON.stringify(stored));
  }

  dropJob(id: string): void {
    this.#prepare('DELETE FROM agent_jobs WHERE id = ?').run(id);
  }

  putEvent(job: string, event: AgentEvent): void {
    this.#prepare('INSERT INTO agent_events (job, cursor, record) VALUES (?, ?, ?)').run(
      job,
      event.cursor,
      JSON.stringify(event),
    );
  }

  dropEvents(job: string, upTo: number): void {
    this.#prepare('DELETE FROM agent_events WHERE job = ? AND cursor <= ?').run(job, upTo);
  }

  addLayer({ root, suggestion, origin, job }: Omit<StoredLayer, 'seq'>): number {
    const added = this.#prepare(
      'INSERT INTO agent_layers (root, suggestion, origin, job) VALUES (?, ?, ?, ?)',
    ).run(root, suggestion, origin, job);
    return Number(added.lastInsertRowid);
  }

  dropLayer(suggestion: string): void {
    this.#prepare('DELETE FROM agent_layers WHERE suggestion = ?').run(suggestion);
    this.#prepare('DELETE FROM suggestions WHERE id = ?').run(suggestion);
  }

  putTracked(file: StoredTracked): void {
    this.#prepare(
      `INSERT INTO agent_files (root, path, record) VALUES (?, ?, ?)
       ON CONFLICT (root, path) DO UPDATE SET record = excluded.record`,
    ).run(file.root, file.path, JSON.stringify(file));
  }

  dropTracked(root: string, path: string): void {
    this.#prepare('DELETE FROM agent_files WHERE root = ? AND path = ?').run(root, path);
  }

  putCheckpoint(stored: StoredCheckpoint): void {
    const { checkpoint_id: id, session_id: session } = stored.checkpoint;
    this.#prepare(
      `INSERT INTO agent_checkpoints (id, session, record) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET record = excluded.record`,
    ).run(id, session, JSON.stringify(stored));
    this.#prepare(
      `DELETE FROM agent_checkpoints WHERE rowid IN
         (SELECT rowid FROM agent_checkpoints ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
    ).run(CHECKPOINTS_MAX);
  }

  dropCheckpoint(id: string): void {
    this.#prepare('DELETE FROM agent_checkpoints WHERE id = ?').run(id);
  }

  putSave(save: StoredSave): void {
    this.#prepare('INSERT INTO agent_saves (id, record) VALUES (?, ?)').run(save.id, JSON.stringify(save));
  }

  dropSave(id: string): void {
    this.#prepare('DELETE FROM agent_saves WHERE id = ?').run(id);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function someRecord<T>(row: Row): T {
  return jsonOf<T>(row.record);
}

function recordOf<T>(row: Row | undefined): T | null {
  return row === undefined ? null : someRecord<T>(row);
}

function layerOfRow(row: Row): StoredLayer {
  return {
    seq: numberOf(row.seq),
    root: textOf(row.root),
    suggestion: textOf(row.suggestion),
    origin: textOf(row.origin) as StoredLayer['origin'],
    job: row.job === null ? null : textOf(row.job),
  };
}
