/**
 * Hunks that the reader has seen, by their id. An id is a hash of what the hunk does, so a hunk that was changed is
 * another one, and the same hunk offered again is still seen. The oldest marks beyond a bound are forgotten.
 */
import { Table } from './table.ts';

/** Marks that are kept. */
export const VIEWED_MAX_HUNKS = 200_000;

export class ViewedTable extends Table {
  /** Those of `hunks` that were seen. */
  of(hunks: readonly string[]): readonly string[] {
    return hunks.filter((hunk) => this.row('SELECT 1 FROM viewed_hunks WHERE hunk = ?', hunk) !== undefined);
  }

  /** Inside a transaction. */
  mark(hunks: readonly string[], isViewed: boolean): void {
    for (const hunk of hunks) {
      if (!isViewed) this.run('DELETE FROM viewed_hunks WHERE hunk = ?', hunk);
      else {
        const { changes, id } = this.run('INSERT OR IGNORE INTO viewed_hunks (hunk) VALUES (?)', hunk);
        if (changes > 0) this.run('DELETE FROM viewed_hunks WHERE position <= ?', id - VIEWED_MAX_HUNKS);
      }
    }
  }
}
