/** Remembers the answers to requests that must not be done twice, so that a client may ask again after a lost answer. */
import { textOf } from './sqlite.ts';
import { Table } from './table.ts';

/** A client asks again within seconds, so this is far more than it needs. */
export const APPLIED_MAX_ROWS = 1_000;

export class AppliedTable extends Table {
  /** The JSON that was answered to `request`; null when it was not done. */
  get(request: string): string | null {
    const row = this.row('SELECT result FROM applied WHERE request = ?', request);
    return row === undefined ? null : textOf(row.result);
  }

  /** Remembers an answer. Inside the transaction of the change. */
  put(request: string, resultJson: string): void {
    const { id } = this.run('INSERT INTO applied (request, result) VALUES (?, ?)', request, resultJson);
    this.run('DELETE FROM applied WHERE position <= ?', id - APPLIED_MAX_ROWS);
  }
}
