/**
 * Suggestions on disk: what was published, the state of its files and changes, and the writes that have begun.
 * Ended suggestions are kept up to a bound, oldest dropped first; an open one is never dropped.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredStep } from '../review/desk-steps.ts';
import type {
  ChangeRow,
  StoredChange,
  StoredFile,
  StoredIntent,
  StoredSuggestion,
} from '../review/records/records.ts';
import { jsonOf, numberOf, textOf } from './sqlite.ts';

/** Finalized and discarded suggestions beyond this number are forgotten. */
const ENDED_MAX_ROWS = 500;
/** So are those beyond this much of their records: each lookup of what was decided before goes through them. */
const ENDED_MAX_BYTES = 4 * 1024 * 1024;

export class ReviewTables {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Read once: lists are asked for with every decision, and a record names every file of its patch. */
  readonly #read = new Map<string, StoredSuggestion>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  suggestion(id: string): StoredSuggestion | null {
    const row = this.#prepare('SELECT record FROM suggestions WHERE id = ?').get(id);
    return row === undefined ? null : jsonOf<StoredSuggestion>(row.record);
  }

  /** Newest first. */
  suggestions(): readonly StoredSuggestion[] {
    return this.#listed('SELECT id FROM suggestions ORDER BY created_at DESC, rowid DESC');
  }

  /** Those that have not ended. */
  openSuggestions(): readonly StoredSuggestion[] {
    return this.#listed('SELECT id FROM suggestions WHERE ended = 0 ORDER BY created_at DESC, rowid DESC');
  }

  #listed(ids: string): readonly StoredSuggestion[] {
    return this.#prepare(ids)
      .all()
      .flatMap(({ id }) => {
        const name = textOf(id);
        const known = this.#read.get(name) ?? this.suggestion(name);
        if (known !== null) this.#read.set(name, known);
        return known ?? [];
      });
  }

  /** Reads all again: some of it was deleted, or was read inside a transaction that was undone. */
  forget(): void {
    this.#read.clear();
  }

  files(suggestion: string): readonly StoredFile[] {
    return this.#prepare('SELECT record FROM suggestion_files WHERE suggestion = ? ORDER BY position')
      .all(suggestion)
      .map((row) => jsonOf<StoredFile>(row.record));
  }

  changes(suggestion: string): readonly StoredChange[] {
    return this.#prepare('SELECT record FROM suggestion_changes WHERE suggestion = ?')
      .all(suggestion)
      .map((row) => jsonOf<StoredChange>(row.record));
  }

  /** Positions of the files in which something is accepted. */
  acceptedFiles(suggestion: string): readonly number[] {
    return this.#prepare(
      `SELECT DISTINCT record ->> '$.file' AS file FROM suggestion_changes
       WHERE suggestion = ? AND record ->> '$.decision' IN ('accepted', 'modified')`,
    )
      .all(suggestion)
      .map(({ file }) => numberOf(file));
  }

  intents(): readonly StoredIntent[] {
    return this.#prepare('SELECT record FROM review_intents ORDER BY rowid')
      .all()
      .map((row) => jsonOf<StoredIntent>(row.record));
  }

  /** What undo and redo take next, the oldest first. */
  steps(suggestion: string): readonly StoredStep[] {
    return this.#prepare('SELECT record FROM review_steps WHERE suggestion = ? ORDER BY seq')
      .all(suggestion)
      .map((row) => jsonOf<StoredStep>(row.record));
  }

  /** Inside a transaction, as all that follow. */
  putSuggestion(suggestion: StoredSuggestion): void {
    this.#read.delete(suggestion.id);
    this.#prepare(
      `INSERT INTO suggestions (id, created_at, ended, record) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, record = excluded.record`,
    ).run(suggestion.id, suggestion.createdAt, endedColumn(suggestion), JSON.stringify(suggestion));
    if (suggestion.end !== null) this.#collect();
  }

  putFile(suggestion: string, position: number, file: StoredFile): void {
    this.#prepare(
      `INSERT INTO suggestion_files (suggestion, position, record) VALUES (?, ?, ?)
       ON CONFLICT (suggestion, position) DO UPDATE SET record = excluded.record`,
    ).run(suggestion, position, JSON.stringify(file));
  }

  putChanges(suggestion: string, changes: readonly ChangeRow[]): void {
    const put = this.#prepare(
      `INSERT INTO suggestion_changes (suggestion, change, record) VALUES (?, ?, ?)
       ON CONFLICT (suggestion, change) DO UPDATE SET record = excluded.record`,
    );
    for (const { id, json } of changes) put.run(suggestion, id, json);
  }

  dropChanges(suggestion: string, ids: readonly string[]): void {
    const drop = this.#prepare('DELETE FROM suggestion_changes WHERE suggestion = ? AND change = ?');
    for (const id of ids) drop.run(suggestion, id);
  }

  putSteps(suggestion: string, steps: readonly StoredStep[]): void {
    const put = this.#prepare(
      `INSERT INTO review_steps (suggestion, id, seq, record) VALUES (?, ?, ?, ?)
       ON CONFLICT (suggestion, id) DO UPDATE SET seq = excluded.seq, record = excluded.record`,
    );
    for (const step of steps) put.run(suggestion, step.id, step.seq, JSON.stringify(step));
  }

  dropSteps(suggestion: string, ids: readonly string[]): void {
    const drop = this.#prepare('DELETE FROM review_steps WHERE suggestion = ? AND id = ?');
    for (const id of ids) drop.run(suggestion, id);
  }

  putIntent(intent: StoredIntent): void {
    this.#prepare('INSERT INTO review_intents (id, record) VALUES (?, ?)').run(
      intent.id,
      JSON.stringify(intent),
    );
  }

  dropIntent(id: string): void {
    this.#prepare('DELETE FROM review_intents WHERE id = ?').run(id);
  }

  /** The newest one stays, whatever its size. */
  #collect(): void {
    const forgotten = this.#prepare(
      `DELETE FROM suggestions WHERE id IN (
         SELECT id FROM (
           SELECT id, count(*) OVER newest AS n, sum(octet_length(record)) OVER newest AS bytes
             FROM suggestions WHERE ended = 1 WINDOW newest AS (ORDER BY created_at DESC, rowid DESC)
         ) WHERE n > ? OR (n > 1 AND bytes > ?)) RETURNING id`,
    ).all(ENDED_MAX_ROWS, ENDED_MAX_BYTES);
    for (const { id } of forgotten) this.#read.delete(textOf(id));
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Other texts may stand on an ended proposal: only its owner forgets it. */
function endedColumn({ end, write }: StoredSuggestion): number {
  if (end === null) return 0;
  return write === 'on-save' ? 2 : 1;
}
