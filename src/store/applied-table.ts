/** Stores the results of requests that must run only once, so that a client can repeat one whose answer was lost. */
import { textOf } from './sqlite.ts';
import { Table } from './table.ts';

/** Clients retry within seconds, so this is ample. */
export const APPLIED_MAX_ROWS = 1_000;

export class AppliedTable extends Table {
  /** The JSON result of `request`; null if it has not run. */
  get(request: string): string | null {
    const row = this.row('SELECT result FROM applied WHERE request = ?', request);
    return row === undefined ? null : textOf(row.result);
  }

  /** Stores a result. Call it in the transaction of the change. */
  put(request: string, resultJson: string): void {
    const { id } = this.run('INSERT INTO applied (request, result) VALUES (?, ?)', request, resultJson);
    this.run('DELETE FROM applied WHERE position <= ?', id - APPLIED_MAX_ROWS);
  }
}
