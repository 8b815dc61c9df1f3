/** The outbox: one row per prompt. Keeps the newest finished prompts and every open one. */
import type { DeliveryState, OutboxEntry } from '../protocol/outbox.ts';
import type { PaneIdentity } from '../protocol/pane.ts';
import { Table } from './table.ts';

/** Beyond this number, finished prompts are dropped, oldest first, after every `OUTBOX_COLLECT_EVERY` new ones. */
export const OUTBOX_MAX_FINISHED = 2_000;
export const OUTBOX_COLLECT_EVERY = 64;

/** Final states; late proof can still turn `unconfirmed` into `delivered`. */
const FINISHED_STATES: ReadonlySet<DeliveryState> = new Set([
  'delivered',
  'refused',
  'abandoned',
  'unconfirmed',
]);

const FINISHED_LIST = [...FINISHED_STATES].map((state) => `'${state}'`).join(',');
const COLLECT = `DELETE FROM outbox WHERE rowid IN (SELECT rowid FROM outbox WHERE state IN (${FINISHED_LIST})
  ORDER BY rowid DESC LIMIT -1 OFFSET ${OUTBOX_MAX_FINISHED})`;

/** The same key for the same pane, regardless of field order. */
function paneKey(pane: PaneIdentity): string {
  return JSON.stringify([pane.socketPath, pane.serverPid, pane.paneId, pane.panePid]);
}

export class OutboxTable extends Table {
  #finished = 0;

  get(id: string): OutboxEntry | null {
    return this.record('SELECT entry AS record FROM outbox WHERE id = ?', id);
  }

  /** Last recorded first, regardless of the clock; only those of `pane` unless it is null. */
  list(pane: PaneIdentity | null, limit: number): readonly OutboxEntry[] {
    const select = 'SELECT entry AS record FROM outbox';
    const order = 'ORDER BY rowid DESC LIMIT ?';
    return pane === null
      ? this.records(`${select} ${order}`, limit)
      : this.records(`${select} WHERE pane = ? ${order}`, paneKey(pane), limit);
  }

  /** Inserts or replaces the entry. Call it in a transaction. */
  put(entry: OutboxEntry): void {
    const put = `INSERT INTO outbox (id, pane, state, entry, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, entry = excluded.entry`;
    this.run(put, entry.id, paneKey(entry.pane), entry.state, JSON.stringify(entry), entry.createdAt);
    if (!FINISHED_STATES.has(entry.state)) return;
    this.#finished += 1;
    if (this.#finished % OUTBOX_COLLECT_EVERY === 1) this.run(COLLECT);
  }
}
