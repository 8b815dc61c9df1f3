/**
 * What was seen of working trees: what changed from look to look, and which looks began and ended a turn. The oldest
 * beyond a bound go; the sweep of the blobs takes what they alone held.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Observation, TurnMark } from '../protocol/changes.ts';
import { jsonOf, numberOf, textOf } from './sqlite.ts';

/** Looks at which something had changed, and turns, that are kept. */
export const OBSERVATIONS_MAX = 2_000;
const TURNS_MAX = 2_000;

export interface StoredObservation extends Observation {
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
}

export class ObservationTable {
  readonly #put: StatementSync;
  readonly #head: StatementSync;
  readonly #oldest: StatementSync;
  readonly #between: StatementSync;
  readonly #collect: StatementSync;
  readonly #putTurn: StatementSync;
  readonly #turns: StatementSync;
  readonly #collectTurns: StatementSync;

  constructor(database: DatabaseSync) {
    this.#put = database.prepare('INSERT INTO observations (root, at, record) VALUES (?, ?, ?)');
    this.#head = database.prepare('SELECT max(seq) AS seq FROM observations WHERE root = ?');
    this.#oldest = database.prepare('SELECT min(seq) AS seq FROM observations');
    this.#between = database.prepare(
      'SELECT seq, at, record FROM observations WHERE root = ? AND seq > ? AND seq <= ? ORDER BY seq',
    );
    this.#collect = database.prepare('DELETE FROM observations WHERE seq <= ?');
    this.#putTurn = database.prepare(
      'INSERT OR REPLACE INTO observed_turns (session, turn, at, record) VALUES (?, ?, ?, ?)',
    );
    this.#turns = database.prepare('SELECT turn, record FROM observed_turns WHERE session = ?');
    this.#collectTurns = database.prepare(
      `DELETE FROM observed_turns WHERE at < (
         SELECT at FROM observed_turns ORDER BY at DESC LIMIT 1 OFFSET ${TURNS_MAX - 1})`,
    );
  }

  /** The number of the last look at a working tree at which something had changed; 0 for none. */
  head(root: string): number {
    return numberOf(this.#head.get(root)?.seq ?? 0);
  }

  /** Everything that was seen from `from` to `to` is still kept. */
  isWhole(from: number, to: number): boolean {
    const oldest = this.#oldest.get()?.seq;
    return from >= to || (typeof oldest === 'number' && from >= oldest - 1);
  }

  /** The looks after `from` up to `to`, the oldest first. */
  between(root: string, from: number, to: number): readonly StoredObservation[] {
    return this.#between.all(root, from, to).map((row) => ({
      seq: numberOf(row.seq),
      at: numberOf(row.at),
      ...jsonOf<Observation>(textOf(row.record)),
    }));
  }

  /** The turns of a session that were followed. */
  turns(session: string): ReadonlyMap<string, TurnMark> {
    return new Map(
      this.#turns.all(session).map((row) => [textOf(row.turn), jsonOf<TurnMark>(textOf(row.record))]),
    );
  }

  /** Inside a transaction. Gives the number of the look. */
  put(root: string, at: number, observation: Observation): number {
    const seq = Number(this.#put.run(root, at, JSON.stringify(observation)).lastInsertRowid);
    this.#collect.run(seq - OBSERVATIONS_MAX);
    return seq;
  }

  /** Inside a transaction. */
  putTurn(session: string, turn: string, at: number, mark: TurnMark): void {
    this.#putTurn.run(session, turn, at, JSON.stringify(mark));
    this.#collectTurns.run();
  }
}
