/** What was seen of files while turns went on, out of the looks and marks that are kept. */
import type { SeenSpan, TurnMark } from '../protocol/changes.ts';
import type { SessionRef } from '../protocol/turn-range.ts';
import type { StoredObservation } from '../store/observation-table.ts';
import { isBetween, spanOf } from './core/turn-span.ts';

/** Where looks and turns are kept. */
export interface SeenRecords {
  /** The last look at a working tree at which something had changed; 0 for none. */
  head(root: string): number;
  turns(session: string): ReadonlyMap<string, TurnMark>;
  between(root: string, from: number, to: number): readonly StoredObservation[];
  isWhole(from: number, to: number): boolean;
}

/** One string for a session, as its turns are kept under. */
export const sessionKey = ({ cli, sessionId }: SessionRef) => `${cli}:${sessionId}`;

/** Of turns in a row, oldest first, by their ids. */
export function seenSpan(records: SeenRecords, session: SessionRef, turns: readonly string[]): SeenSpan {
  const known = records.turns(sessionKey(session));
  const marks = turns.map((id) => known.get(id) ?? null);
  const span = spanOf(marks, { head: (root) => records.head(root), all: known.values() });
  if (!('root' in span)) return { root: null, looks: [], gap: span.gap };
  const { root, from, to } = span;
  const looks = records.between(root, from, to).map(({ seq, ...look }) => ({
    ...look,
    isBetween: isBetween({ seq }, marks),
  }));
  const isWhole = records.isWhole(from, to);
  return { root, looks, gap: isWhole ? span.gap : 'the snapshots of that time are not kept any more' };
}
