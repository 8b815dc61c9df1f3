/** The delivery of the prompt that began a turn, as a word for the list. Pure. */
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isPromptOf } from '../../responses/core/arrival.ts';
import type { Role } from '../kit/theme/role.ts';

const WORDS: Readonly<Partial<Record<OutboxEntry['state'], { readonly word: string; readonly role: Role }>>> =
  {
    pasted: { word: 'typing', role: 'working' },
    submitted: { word: 'sent', role: 'working' },
    queued: { word: 'queued', role: 'working' },
    staged: { word: 'staged', role: 'warn' },
    unconfirmed: { word: 'unconfirmed', role: 'warn' },
    refused: { word: 'refused', role: 'error' },
  };

/** What is still open about the prompt of a turn; null when it is delivered or was not ours. */
export function deliveryOf(
  turn: Turn,
  deliveries: readonly OutboxEntry[],
): { readonly word: string; readonly role: Role } | null {
  if (turn.prompt === '') return null;
  const entry = deliveries.find((candidate) => isPromptOf(turn, candidate));
  return entry === undefined ? null : (WORDS[entry.state] ?? null);
}
