/** The event log. `seq` grows by one, across restarts. Bounded: `oldest` tells a reader how far back it can resume. */
import type { DatabaseSync } from 'node:sqlite';
import type { EventBody } from '../protocol/event.ts';
import { MAX_EVENT_BYTES } from '../protocol/wire.ts';
import { numberOf, textOf } from './sqlite.ts';
import { Table } from './table.ts';

const EVENTS_MAX_ROWS = 10_000;
const EVENTS_MAX_BYTES = 32 * 1024 * 1024;
/** The bounds are enforced once per this many events. */
const COLLECT_EVERY = 64;

/** A logged event. `json` is its serialized body, which can be sent unparsed. */
export interface LoggedEvent {
  readonly seq: number;
  readonly ts: number;
  readonly json: string;
}

export interface EventLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** The newest event stays at any size; otherwise its own writer could not read it back. */
const COLLECT_BYTES = `DELETE FROM events WHERE seq < (SELECT max(seq) FROM events) AND seq <= (
  SELECT coalesce(max(seq), 0) FROM (
    SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq DESC) AS bytes FROM events
  ) WHERE bytes > ?)`;

export class EventTable extends Table {
  readonly #limits: EventLimits;
  /** The size of all events; too high after a rollback; null before it is computed. */
  #bytes: number | null = null;

  constructor(
    database: DatabaseSync,
    limits: EventLimits = { maxRows: EVENTS_MAX_ROWS, maxBytes: EVENTS_MAX_BYTES },
  ) {
    super(database);
    this.#limits = limits;
  }

  /** Appends an event. Call it in the transaction of the change. */
  append(ts: number, body: EventBody): LoggedEvent {
    const json = JSON.stringify(body);
    if (Buffer.byteLength(json) > MAX_EVENT_BYTES) {
      throw new RangeError(`an event of ${json.length} characters was about to be written`);
    }
    const { id: seq } = this.run('INSERT INTO events (ts, body) VALUES (?, ?)', ts, json);
    if (this.#bytes !== null) this.#bytes += Buffer.byteLength(json);
    if (seq % COLLECT_EVERY === 0) this.#collect(seq);
    return { seq, ts, json };
  }

  /** `seq` of the newest event; 0 before the first. */
  head(): number {
    return numberOf(this.row('SELECT coalesce(max(seq), 0) AS seq FROM events')?.seq);
  }

  /** `seq` of the oldest event kept; the next `seq` if there is none. */
  oldest(): number {
    const seq = this.row('SELECT min(seq) AS seq FROM events')?.seq;
    return typeof seq === 'number' ? seq : this.head() + 1;
  }

  after(seq: number, limit: number): readonly LoggedEvent[] {
    const select = 'SELECT seq, ts, body FROM events WHERE seq > ? ORDER BY seq LIMIT ?';
    return this.rows(select, seq, limit).map((row) => ({
      seq: numberOf(row.seq),
      ts: numberOf(row.ts),
      json: textOf(row.body),
    }));
  }

  /** The size is summed once and then updated: summing the whole log takes milliseconds. */
  #collect(head: number): void {
    const { maxRows, maxBytes } = this.#limits;
    this.#bytes ??= this.#sum(head);
    this.#bytes -= this.#sum(head - maxRows);
    this.run('DELETE FROM events WHERE seq <= ?', head - maxRows);
    if (this.#bytes <= maxBytes) return;
    this.run(COLLECT_BYTES, maxBytes);
    this.#bytes = this.#sum(head);
  }

  #sum(upTo: number): number {
    const sum = 'SELECT coalesce(sum(octet_length(body)), 0) AS bytes FROM events WHERE seq <= ?';
    return numberOf(this.row(sum, upTo)?.bytes);
  }
}
