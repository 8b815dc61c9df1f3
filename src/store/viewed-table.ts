/**
 * The hunks that the reader has viewed, by id. An id is a hash of the change, so a changed hunk is unviewed, and a hunk
 * offered again stays viewed. The oldest marks beyond a bound are dropped.
 */
import { Table } from './table.ts';

export const VIEWED_MAX_HUNKS = 200_000;

export class ViewedTable extends Table {
  /** Those of `hunks` that are marked as viewed. */
  of(hunks: readonly string[]): readonly string[] {
    return hunks.filter((hunk) => this.row('SELECT 1 FROM viewed_hunks WHERE hunk = ?', hunk) !== undefined);
  }

  /** Call it in a transaction. */
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
