/** Observations of working trees: changes between two scans, and which scans began and ended a turn. Bounded. */
import type { Observation, TurnMark } from '../protocol/changes.ts';
import { jsonOf, numberOf, textOf } from './sqlite.ts';
import { Table } from './table.ts';

/** The number of observations and of turns kept. */
export const OBSERVATIONS_MAX = 2_000;
const TURNS_MAX = 2_000;

export interface StoredObservation extends Observation {
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
}

export class ObservationTable extends Table {
  /** The number of the last observation of a working tree; 0 if there is none. */
  head(root: string): number {
    return numberOf(this.row('SELECT max(seq) AS seq FROM observations WHERE root = ?', root)?.seq ?? 0);
  }

  /** Whether every observation from `from` to `to` is still kept. */
  isWhole(from: number, to: number): boolean {
    const oldest = this.row('SELECT min(seq) AS seq FROM observations')?.seq;
    return from >= to || (typeof oldest === 'number' && from >= oldest - 1);
  }

  /** The observations after `from` up to `to`, oldest first. */
  between(root: string, from: number, to: number): readonly StoredObservation[] {
    return this.rows(
      'SELECT seq, at, record FROM observations WHERE root = ? AND seq > ? AND seq <= ? ORDER BY seq',
      root,
      from,
      to,
    ).map(({ seq, at, record }) => ({
      seq: numberOf(seq),
      at: numberOf(at),
      ...jsonOf<Observation>(record),
    }));
  }

  turns(session: string): ReadonlyMap<string, TurnMark> {
    const rows = this.rows('SELECT turn, record FROM observed_turns WHERE session = ?', session);
    return new Map(rows.map(({ turn, record }) => [textOf(turn), jsonOf<TurnMark>(record)]));
  }

  /** The recorded turns of all sessions in a working tree. */
  turnsIn(root: string): readonly { readonly turn: string; readonly mark: TurnMark }[] {
    return this.rows('SELECT turn, record FROM observed_turns')
      .map(({ turn, record }) => ({ turn: textOf(turn), mark: jsonOf<TurnMark>(record) }))
      .filter(({ mark }) => mark.root === root);
  }

  /** Call it in a transaction. Returns the number of the observation. */
  put(root: string, at: number, observation: Observation): number {
    const insert = 'INSERT INTO observations (root, at, record) VALUES (?, ?, ?)';
    const { id } = this.run(insert, root, at, JSON.stringify(observation));
    this.run('DELETE FROM observations WHERE seq <= ?', id - OBSERVATIONS_MAX);
    return id;
  }

  /** Call it in a transaction. */
  putTurn(session: string, turn: string, at: number, mark: TurnMark): void {
    const put = 'INSERT OR REPLACE INTO observed_turns (session, turn, at, record) VALUES (?, ?, ?, ?)';
    this.run(put, session, turn, at, JSON.stringify(mark));
    this.run(`DELETE FROM observed_turns WHERE at < (
      SELECT at FROM observed_turns ORDER BY at DESC LIMIT 1 OFFSET ${TURNS_MAX - 1})`);
  }
}
