/** Which reasons about the changes of a turn the AI does not know yet. Pure. */
import type { DeliveryState, OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { holdsLines } from './same-text.ts';

/** On its way, or perhaps delivered: no turn has it yet. */
const OPEN: ReadonlySet<DeliveryState> = new Set([
  'recorded',
  'pasted',
  'submitted',
  'queued',
  'staged',
  'unconfirmed',
]);

/** Where a note may already be. */
export interface NotePlaces {
  readonly draft: string;
  /** The turns of the AI that gets the draft, newest first. */
  readonly turns: readonly Turn[];
  readonly deliveries: readonly OutboxEntry[];
}

/**
 * The notes that the draft does not contain: the sent ones (`sent`) and the others (`fresh`). `since` is the turn they
 * are about; an earlier prompt is about other changes, even in the same words.
 */
export function sortNotes(
  notes: readonly string[],
  { draft, turns, deliveries }: NotePlaces,
  since: string | null,
): { readonly fresh: readonly string[]; readonly sent: readonly string[] } {
  const about = turns.findIndex(({ id }) => id === since);
  const later = about < 0 ? turns : turns.slice(0, about);
  const open = deliveries.filter(({ state }) => OPEN.has(state));
  const out = [...later.map(({ prompt }) => prompt), ...open.map(({ text }) => text)];
  const free = notes.filter((note) => !holdsLines(draft, note));
  const isSent = (note: string) => out.some((text) => holdsLines(text, note));
  return {
    fresh: free.filter((note) => !isSent(note)),
    sent: free.filter(isSent),
  };
}
