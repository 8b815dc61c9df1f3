/** The outbox on disk: one row a prompt. Keeps the newest finished ones; a prompt whose fate is open is never dropped. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DeliveryState, OutboxEntry } from '../protocol/outbox.ts';
import type { PaneIdentity } from '../protocol/pane.ts';
import { jsonOf } from './sqlite.ts';

/** Finished prompts beyond this number are forgotten, oldest first; counted after every so many new ones. */
export const OUTBOX_MAX_FINISHED = 2_000;
export const OUTBOX_COLLECT_EVERY = 64;

/** Nobody works on such a prompt any more; a late proof may still turn `unconfirmed` into `delivered`. */
const FINISHED_STATES: ReadonlySet<DeliveryState> = new Set([
  'delivered',
  'refused',
  'abandoned',
  'unconfirmed',
]);

const FINISHED_LIST = [...FINISHED_STATES].map((state) => `'${state}'`).join(',');

/** The same pane gives the same text, whatever order its fields came in. */
function paneKey(pane: PaneIdentity): string {
  return JSON.stringify([pane.socketPath, pane.serverPid, pane.paneId, pane.panePid]);
}

export class OutboxTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #list: StatementSync;
  readonly #listOfPane: StatementSync;
  readonly #collect: StatementSync;
  /** Prompts that this process finished. */
  #finished = 0;

  constructor(database: DatabaseSync) {
    this.#get = database.prepare('SELECT entry FROM outbox WHERE id = ?');
    this.#put = database.prepare(
      `INSERT INTO outbox (id, pane, state, entry, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = excluded.state, entry = excluded.entry`,
    );
    this.#list = database.prepare('SELECT entry FROM outbox ORDER BY created_at DESC, rowid DESC LIMIT ?');
    this.#listOfPane = database.prepare(
      'SELECT entry FROM outbox WHERE pane = ? ORDER BY created_at DESC, rowid DESC LIMIT ?',
    );
    this.#collect = database.prepare(
      `DELETE FROM outbox WHERE rowid IN (SELECT rowid FROM outbox WHERE state IN (${FINISHED_LIST})
       ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${OUTBOX_MAX_FINISHED})`,
    );
  }

  /** The entry, or null. */
  get(id: string): OutboxEntry | null {
    const row = this.#get.get(id);
    return row === undefined ? null : parseEntry(row);
  }

  /** Newest first; of one pane when it is given. */
  list(pane: PaneIdentity | null, limit: number): readonly OutboxEntry[] {
    const rows = pane === null ? this.#list.all(limit) : this.#listOfPane.all(paneKey(pane), limit);
    return rows.map(parseEntry);
  }

  /** Writes the entry, new or changed. Inside a transaction. */
  put(entry: OutboxEntry): void {
    this.#put.run(entry.id, paneKey(entry.pane), entry.state, JSON.stringify(entry), entry.createdAt);
    if (!FINISHED_STATES.has(entry.state)) return;
    this.#finished += 1;
    if (this.#finished % OUTBOX_COLLECT_EVERY === 1) this.#collect.run();
  }
}

function parseEntry(row: Record<string, unknown>): OutboxEntry {
  return jsonOf<OutboxEntry>(row.entry);
}
