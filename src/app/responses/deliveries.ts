/** The prompts that were sent to the followed pane, as the list beside its turns shows them. Pure. */
import type { DeliveryState, OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isPromptOf } from '../../responses/core/arrival.ts';

/** Prompts whose fate is shown. */
export const DELIVERIES_SHOWN = 50;
/** A record that was not touched for so long has no sender any more. */
const ORPHAN_MS = 20_000;

/** The send is not over: someone is at it, or was when the process died. */
const UNFINISHED: ReadonlySet<DeliveryState> = new Set(['recorded', 'pasted', 'submitted']);

/** Whether nobody is at this send any more, though it is not over. */
export function isOrphan({ state, updatedAt }: OutboxEntry, now: number): boolean {
  return UNFINISHED.has(state) && now - updatedAt > ORPHAN_MS;
}

/** Not known to have arrived, but perhaps on its way. */
const OPEN: ReadonlySet<DeliveryState> = new Set(['queued', 'unconfirmed', 'staged']);

/** Ids of the open records that these turns begin with: one turn proves one record, the oldest first. */
export function arrivedIn(turns: readonly Turn[], deliveries: readonly OutboxEntry[]): readonly string[] {
  const open = deliveries
    .filter(({ state }) => OPEN.has(state))
    .toSorted((a, b) => a.createdAt - b.createdAt);
  const free = new Set(turns.toReversed());
  return open.flatMap((entry) => {
    const turn = [...free].find((each) => isPromptOf(each, entry));
    if (turn !== undefined) free.delete(turn);
    return turn === undefined ? [] : [entry.id];
  });
}

/** The list with this record as it is now, newest first. */
export function withDelivery(deliveries: readonly OutboxEntry[], entry: OutboxEntry): readonly OutboxEntry[] {
  return [entry, ...deliveries.filter(({ id }) => id !== entry.id)]
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, DELIVERIES_SHOWN);
}
