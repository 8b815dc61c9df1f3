/** Remembers the answers to requests that must not be done twice, so that a client may ask again after a lost answer. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { textOf } from './sqlite.ts';

/** A client asks again within seconds; so many answers back is far more than it needs. */
export const APPLIED_MAX_ROWS = 1_000;

export class AppliedTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #collect: StatementSync;

  constructor(database: DatabaseSync) {
    this.#get = database.prepare('SELECT result FROM applied WHERE request = ?');
    this.#put = database.prepare('INSERT INTO applied (request, result) VALUES (?, ?)');
    this.#collect = database.prepare('DELETE FROM applied WHERE position <= ?');
  }

  /** The JSON that was answered to `request`; null when it was not done. */
  get(request: string): string | null {
    const row = this.#get.get(request);
    return row === undefined ? null : textOf(row.result);
  }

  /** Remembers an answer. Inside the transaction of the change. */
  put(request: string, resultJson: string): void {
    const { lastInsertRowid } = this.#put.run(request, resultJson);
    this.#collect.run(Number(lastInsertRowid) - APPLIED_MAX_ROWS);
  }
}
