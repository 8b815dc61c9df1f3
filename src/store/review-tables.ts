/** Suggestions: published content, file and change states, pending writes. Ended ones are bounded; open ones stay. */
import type { StoredStep } from '../review/desk-steps.ts';
import type {
  ChangeRow,
  StoredChange,
  StoredFile,
  StoredIntent,
  StoredSuggestion,
} from '../review/records/records.ts';
import { numberOf, textOf } from './sqlite.ts';
import { Table } from './table.ts';

/** The number of finalized and discarded suggestions kept, */
const ENDED_MAX_ROWS = 500;
/** and their total record size: every lookup of earlier decisions reads them all. */
const ENDED_MAX_BYTES = 4 * 1024 * 1024;

export class ReviewTables extends Table {
  /** A cache: every decision lists the suggestions, and a record names every file of its patch. */
  readonly #read = new Map<string, StoredSuggestion>();

  suggestion(id: string): StoredSuggestion | null {
    return this.record('SELECT record FROM suggestions WHERE id = ?', id);
  }

  /** Newest first by order of storing, since the clock may be set back. */
  suggestions(): readonly StoredSuggestion[] {
    return this.#listed('SELECT id FROM suggestions ORDER BY rowid DESC');
  }

  openSuggestions(): readonly StoredSuggestion[] {
    return this.#listed('SELECT id FROM suggestions WHERE ended = 0 ORDER BY rowid DESC');
  }

  #listed(ids: string): readonly StoredSuggestion[] {
    return this.rows(ids).flatMap(({ id }) => {
      const name = textOf(id);
      const known = this.#read.get(name) ?? this.suggestion(name);
      if (known !== null) this.#read.set(name, known);
      return known ?? [];
    });
  }

  /** Clears the cache after rows were deleted or a transaction that read them was rolled back. */
  forget(): void {
    this.#read.clear();
  }

  files(suggestion: string): readonly StoredFile[] {
    const select = 'SELECT record FROM suggestion_files WHERE suggestion = ? ORDER BY position';
    return this.records(select, suggestion);
  }

  changes(suggestion: string): readonly StoredChange[] {
    return this.records('SELECT record FROM suggestion_changes WHERE suggestion = ?', suggestion);
  }

  acceptedFiles(suggestion: string): readonly number[] {
    const select = `SELECT DISTINCT record ->> '$.file' AS file FROM suggestion_changes
      WHERE suggestion = ? AND record ->> '$.decision' IN ('accepted', 'modified')`;
    return this.rows(select, suggestion).map(({ file }) => numberOf(file));
  }

  intents(): readonly StoredIntent[] {
    return this.records('SELECT record FROM review_intents ORDER BY rowid');
  }

  /** The undo and redo steps, oldest first. */
  steps(suggestion: string): readonly StoredStep[] {
    return this.records('SELECT record FROM review_steps WHERE suggestion = ? ORDER BY seq', suggestion);
  }

  /** Call this and the methods below in a transaction. */
  putSuggestion(suggestion: StoredSuggestion): void {
    const { id, createdAt, end } = suggestion;
    this.#read.delete(id);
    this.putRecord(
      'suggestions',
      { id },
      { created_at: createdAt, ended: endedColumn(suggestion) },
      suggestion,
    );
    if (end !== null) this.#collect();
  }

  putFile(suggestion: string, position: number, file: StoredFile): void {
    this.putRecord('suggestion_files', { suggestion, position }, {}, file);
  }

  putChanges(suggestion: string, changes: readonly ChangeRow[]): void {
    const put = this.prepare(
      `INSERT INTO suggestion_changes (suggestion, change, record) VALUES (?, ?, ?)
       ON CONFLICT (suggestion, change) DO UPDATE SET record = excluded.record`,
    );
    for (const { id, json } of changes) put.run(suggestion, id, json);
  }

  dropChanges(suggestion: string, ids: readonly string[]): void {
    for (const id of ids)
      this.run('DELETE FROM suggestion_changes WHERE suggestion = ? AND change = ?', suggestion, id);
  }

  /** Deletes its files and changes, which the caller then writes again. */
  dropContent(suggestion: string): void {
    this.prepare('DELETE FROM suggestion_files WHERE suggestion = ?').run(suggestion);
    this.prepare('DELETE FROM suggestion_changes WHERE suggestion = ?').run(suggestion);
  }

  putSteps(suggestion: string, steps: readonly StoredStep[]): void {
    for (const step of steps)
      this.putRecord('review_steps', { suggestion, id: step.id }, { seq: step.seq }, step);
  }

  dropSteps(suggestion: string, ids: readonly string[]): void {
    for (const id of ids)
      this.run('DELETE FROM review_steps WHERE suggestion = ? AND id = ?', suggestion, id);
  }

  putIntent(intent: StoredIntent): void {
    this.run('INSERT INTO review_intents (id, record) VALUES (?, ?)', intent.id, JSON.stringify(intent));
  }

  dropIntent(id: string): void {
    this.run('DELETE FROM review_intents WHERE id = ?', id);
  }

  /** Always keeps the newest one, of any size. */
  #collect(): void {
    const forgotten = this.rows(
      `DELETE FROM suggestions WHERE id IN (
         SELECT id FROM (
           SELECT id, count(*) OVER newest AS n, sum(octet_length(record)) OVER newest AS bytes
             FROM suggestions WHERE ended = 1 WINDOW newest AS (ORDER BY rowid DESC)
         ) WHERE n > ? OR (n > 1 AND bytes > ?)) RETURNING id`,
      ENDED_MAX_ROWS,
      ENDED_MAX_BYTES,
    );
    for (const { id } of forgotten) this.#read.delete(textOf(id));
  }
}

/** A proposal that other texts may build on never counts as ended; only its owner deletes it. */
function endedColumn({ end, write }: StoredSuggestion): number {
  if (end === null) return 0;
  return write === 'on-save' ? 2 : 1;
}
