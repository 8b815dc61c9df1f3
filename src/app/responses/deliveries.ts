/** The prompts that were sent to the followed pane, as the list beside its turns shows them. Pure. */
import type { DeliveryState, OutboxEntry } from '../../protocol/outbox.ts';

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

/** The list with this record as it is now, newest first. */
export function withDelivery(deliveries: readonly OutboxEntry[], entry: OutboxEntry): readonly OutboxEntry[] {
  return [entry, ...deliveries.filter(({ id }) => id !== entry.id)]
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, DELIVERIES_SHOWN);
}
