/**
 * Hunks that the reader has seen, by their id. An id is a hash of what the hunk does, so a hunk that was changed is
 * another one, and the same hunk offered again is still seen. The oldest marks beyond a bound are forgotten.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Marks that are kept. */
export const VIEWED_MAX_HUNKS = 200_000;

export class ViewedTable {
  readonly #has: StatementSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #collect: StatementSync;

  constructor(database: DatabaseSync) {
    this.#has = database.prepare('SELECT 1 FROM viewed_hunks WHERE hunk = ?');
    this.#put = database.prepare('INSERT OR IGNORE INTO viewed_hunks (hunk) VALUES (?)');
    this.#drop = database.prepare('DELETE FROM viewed_hunks WHERE hunk = ?');
    this.#collect = database.prepare('DELETE FROM viewed_hunks WHERE position <= ?');
  }

  /** Those of `hunks` that were seen. */
  of(hunks: readonly string[]): readonly string[] {
    return hunks.filter((hunk) => this.#has.get(hunk) !== undefined);
  }

  /** Inside a transaction. */
  mark(hunks: readonly string[], isViewed: boolean): void {
    for (const hunk of hunks) {
      if (!isViewed) this.#drop.run(hunk);
      else {
        const { changes, lastInsertRowid } = this.#put.run(hunk);
        if (changes > 0) this.#collect.run(Number(lastInsertRowid) - VIEWED_MAX_HUNKS);
      }
    }
  }
}
