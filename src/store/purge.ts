/** Deletes stored data by kind and age. Call it in a transaction. */
import type { DatabaseSync } from 'node:sqlite';
import type { PurgeKind } from '../protocol/commands/state.ts';
import { numberOf } from './sqlite.ts';

export interface PurgeRequest {
  readonly kind: PurgeKind;
  /** ms since the epoch. */
  readonly before: number;
  /** Whether to delete unfinished data too. */
  readonly unfinished: boolean;
}

export interface Purged {
  readonly purged: number;
  /** Unfinished rows of that age, which are kept. */
  readonly unfinished: number;
}

interface Purgeable {
  readonly table: string;
  readonly isOld: string;
  readonly isFinished: string;
  /** A dependent table, whose rows are deleted as well. */
  readonly with?: string;
}

const PURGEABLE: Readonly<Record<PurgeKind, Purgeable>> = {
  drafts: { table: 'drafts', isOld: 'updated_at < ?', isFinished: 'lines = 0' },
  prompts: {
    table: 'outbox',
    isOld: 'created_at < ?',
    isFinished: "state IN ('delivered', 'refused', 'abandoned', 'unconfirmed')",
  },
  // The agent's proposals stay as long as their job. An open review is ended before it is deleted.
  reviews: {
    table: 'suggestions',
    isOld: 'created_at < ? AND id NOT IN (SELECT suggestion FROM agent_layers)',
    isFinished: 'ended = 1',
  },
  seen: { table: 'viewed_hunks', isOld: '? IS NOT NULL', isFinished: '1' },
  turns: { table: 'observations', isOld: 'at < ?', isFinished: '1', with: 'observed_turns' },
};

/** Deletes, and returns the counts. */
export function purge(database: DatabaseSync, { kind, before, unfinished }: PurgeRequest): Purged {
  const { table, isOld, isFinished, with: inner } = PURGEABLE[kind];
  const wanted = unfinished && kind !== 'reviews' ? '1' : isFinished;
  const { changes } = database.prepare(`DELETE FROM ${table} WHERE ${isOld} AND (${wanted})`).run(before);
  if (inner !== undefined) database.prepare(`DELETE FROM ${inner} WHERE ${isOld}`).run(before);
  const left = database.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${isOld}`).get(before);
  return { purged: Number(changes), unfinished: numberOf(left?.n) };
}
