/** Lists that keep their identity, and that of unchanged items, across readings. Pure. */

import type { Turn } from '../../protocol/turn.ts';
import { isSameTurn } from '../../responses/core/turn.ts';

/** Returns `before` if nothing in it changed. */
export function sameList<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return before.length === after.length && before.every((item, index) => item === after[index])
    ? before
    : after;
}

/** Unchanged turns keep their identity, so that their layout stays valid. */
export function sameTurns(before: readonly Turn[], after: readonly Turn[]): readonly Turn[] {
  const known = new Map(before.map((turn) => [turn.id, turn]));
  const merged = after.map((turn) => {
    const old = known.get(turn.id);
    return old !== undefined && isSameTurn(old, turn) ? old : turn;
  });
  return sameList(before, merged);
}
