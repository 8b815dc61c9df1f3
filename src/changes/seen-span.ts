/** The changes seen in files during turns, from the stored looks and marks. */
import type { SeenSpan, TurnMark } from '../protocol/changes.ts';
import type { SessionRef } from '../protocol/turn-range.ts';
import type { StoredObservation } from '../store/observation-table.ts';
import { isBetween, spanOf } from './core/turn-span.ts';

interface FollowedTurn {
  readonly turn: string;
  readonly mark: TurnMark;
}

/** Where looks and turns are stored. */
export interface SeenRecords {
  /** The last look that found a change in a working tree; 0 for none. */
  head(root: string): number;
  turns(session: string): ReadonlyMap<string, TurnMark>;
  /** The turns of all sessions in a working tree. */
  turnsIn(root: string): readonly FollowedTurn[];
  between(root: string, from: number, to: number): readonly StoredObservation[];
  isWhole(from: number, to: number): boolean;
}

export const sessionKey = ({ cli, sessionId }: SessionRef) => `${cli}:${sessionId}`;

interface SpanQuery {
  readonly session: SessionRef;
  /** Ids of consecutive turns, oldest first. */
  readonly turns: readonly string[];
  /** When the last look at a working tree began; null if unknown. */
  readonly lookedAt: (root: string) => number | null;
}

/** The changes seen during these turns. */
export function seenSpan(records: SeenRecords, { session, turns, lookedAt }: SpanQuery): SeenSpan {
  const known = records.turns(sessionKey(session));
  const marks = turns.map((id) => known.get(id) ?? null);
  const span = spanOf(marks, { head: (root) => records.head(root), all: known.values() });
  if (!('root' in span)) return { root: null, looks: [], until: null, others: [], gap: span.gap };
  const { root, from, to } = span;
  const looks = records.between(root, from, to).map(({ seq, ...look }) => ({
    ...look,
    isBetween: isBetween({ seq }, marks),
  }));
  const others = othersIn(records.turnsIn(root), { session, from, to });
  const isWhole = records.isWhole(from, to);
  return {
    root,
    looks,
    until: span.isOpen ? (lookedAt(root) ?? looks.at(-1)?.at ?? null) : span.until,
    others,
    gap: isWhole ? span.gap : 'the snapshots of that time are not kept any more',
  };
}

/** The turns of other sessions that ran meanwhile. */
function othersIn(
  all: readonly FollowedTurn[],
  { session, from, to }: { readonly session: SessionRef; readonly from: number; readonly to: number },
): SeenSpan['others'] {
  const meanwhile = all.filter(({ mark: { of, ...mark } }) => {
    const isOther = of !== undefined && sessionKey(of) !== sessionKey(session);
    return isOther && mark.from < to && (mark.to ?? Number.POSITIVE_INFINITY) > from;
  });
  const bySession = Map.groupBy(meanwhile, ({ mark }) => JSON.stringify(mark.of));
  return [...bySession].map(([of, turns]) => ({
    session: JSON.parse(of) as SessionRef,
    turns: turns.map(({ turn }) => turn),
  }));
}
