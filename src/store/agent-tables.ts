/** The agent's tables: sessions, jobs and their events, the change log of each folder, checkpoints, pending saves. */
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
import { numberOf, textOf } from './sqlite.ts';
import { Table } from './table.ts';

/** The number of checkpoints kept; the oldest beyond it are dropped. */
export const CHECKPOINTS_MAX = 500;

type Row = Readonly<Record<string, unknown>>;

export class AgentTables extends Table implements AgentWriter {
  session(id: string): StoredSession | null {
    return this.record('SELECT record FROM agent_sessions WHERE id = ?', id);
  }

  sessions(): readonly StoredSession[] {
    return this.records('SELECT record FROM agent_sessions ORDER BY updated_at DESC, rowid DESC');
  }

  job(id: string): StoredJob | null {
    return this.record('SELECT record FROM agent_jobs WHERE id = ?', id);
  }

  jobs(session: string | null): readonly StoredJob[] {
    return session === null
      ? this.records('SELECT record FROM agent_jobs ORDER BY rowid DESC')
      : this.records('SELECT record FROM agent_jobs WHERE session = ? ORDER BY rowid DESC', session);
  }

  jobFacts(): readonly JobFacts[] {
    const select = `SELECT id, session, record ->> '$.job.status' AS status,
      record ->> '$.job.created_at' AS created_at, record ->> '$.job.finished_at' AS finished_at
      FROM agent_jobs ORDER BY rowid DESC`;
    return this.rows(select).map((row) => ({
      id: textOf(row.id),
      session_id: textOf(row.session),
      status: textOf(row.status) as JobFacts['status'],
      created_at: numberOf(row.created_at),
      finished_at: row.finished_at === null ? null : numberOf(row.finished_at),
    }));
  }

  sessionOfJob(id: string): string | null {
    const row = this.row('SELECT session FROM agent_jobs WHERE id = ?', id);
    return row === undefined ? null : textOf(row.session);
  }

  events(job: string, cursor: number, limit: number): readonly AgentEvent[] {
    const select = 'SELECT record FROM agent_events WHERE job = ? AND cursor > ? ORDER BY cursor LIMIT ?';
    return this.records(select, job, cursor, limit);
  }

  layers(root: string): readonly StoredLayer[] {
    return this.rows('SELECT * FROM agent_layers WHERE root = ? ORDER BY seq', root).map(layerOfRow);
  }

  layerOf(suggestion: string): StoredLayer | null {
    const row = this.row('SELECT * FROM agent_layers WHERE suggestion = ?', suggestion);
    return row === undefined ? null : layerOfRow(row);
  }

  nextLayer(): number {
    const row = this.row("SELECT seq FROM sqlite_sequence WHERE name = 'agent_layers'");
    return row === undefined ? 1 : numberOf(row.seq) + 1;
  }

  tracked(root: string): readonly StoredTracked[] {
    return this.records('SELECT record FROM agent_files WHERE root = ? ORDER BY path', root);
  }

  roots(): readonly string[] {
    return this.rows('SELECT DISTINCT root FROM agent_layers').map((row) => textOf(row.root));
  }

  checkpoint(id: string): StoredCheckpoint | null {
    return this.record('SELECT record FROM agent_checkpoints WHERE id = ?', id);
  }

  checkpoints(session: string | null): readonly StoredCheckpoint[] {
    return session === null
      ? this.records('SELECT record FROM agent_checkpoints ORDER BY rowid DESC')
      : this.records('SELECT record FROM agent_checkpoints WHERE session = ? ORDER BY rowid DESC', session);
  }

  saves(): readonly StoredSave[] {
    return this.records('SELECT record FROM agent_saves ORDER BY rowid');
  }

  putSession(session: StoredSession): void {
    this.putRecord('agent_sessions', { id: session.id }, { updated_at: session.updated_at }, session);
  }

  dropSession(id: string): void {
    this.run('DELETE FROM agent_sessions WHERE id = ?', id);
  }

  putJob(stored: StoredJob): void {
    this.putRecord('agent_jobs', { id: stored.job.id }, { session: stored.job.session_id }, stored);
  }

  dropJob(id: string): void {
    this.run('DELETE FROM agent_jobs WHERE id = ?', id);
  }

  putEvent(job: string, event: AgentEvent): void {
    const insert = 'INSERT INTO agent_events (job, cursor, record) VALUES (?, ?, ?)';
    this.run(insert, job, event.cursor, JSON.stringify(event));
  }

  dropEvents(job: string, upTo: number): void {
    this.run('DELETE FROM agent_events WHERE job = ? AND cursor <= ?', job, upTo);
  }

  addLayer({ root, suggestion, origin, job }: Omit<StoredLayer, 'seq'>): number {
    const insert = 'INSERT INTO agent_layers (root, suggestion, origin, job) VALUES (?, ?, ?, ?)';
    return this.run(insert, root, suggestion, origin, job).id;
  }

  dropLayer(suggestion: string): void {
    this.run('DELETE FROM agent_layers WHERE suggestion = ?', suggestion);
    this.run('DELETE FROM suggestions WHERE id = ?', suggestion);
  }

  putTracked(file: StoredTracked): void {
    this.putRecord('agent_files', { root: file.root, path: file.path }, {}, file);
  }

  dropTracked(root: string, path: string): void {
    this.run('DELETE FROM agent_files WHERE root = ? AND path = ?', root, path);
  }

  putCheckpoint(stored: StoredCheckpoint): void {
    const { checkpoint_id: id, session_id: session } = stored.checkpoint;
    this.putRecord('agent_checkpoints', { id }, { session }, stored);
    const collect = `DELETE FROM agent_checkpoints WHERE rowid IN
      (SELECT rowid FROM agent_checkpoints ORDER BY rowid DESC LIMIT -1 OFFSET ?)`;
    this.run(collect, CHECKPOINTS_MAX);
  }

  dropCheckpoint(id: string): void {
    this.run('DELETE FROM agent_checkpoints WHERE id = ?', id);
  }

  putSave(save: StoredSave): void {
    this.run('INSERT INTO agent_saves (id, record) VALUES (?, ?)', save.id, JSON.stringify(save));
  }

  dropSave(id: string): void {
    this.run('DELETE FROM agent_saves WHERE id = ?', id);
  }
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
