/** Tells whether a turn begins with a sent prompt, by words and time. Pure. */
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isSameText } from './same-text.ts';

/** Tolerated difference between clocks. */
const CLOCK_SLACK_MS = 5_000;

/** A turn that began before the record belongs to an earlier prompt with the same words. */
export function isPromptOf(turn: Turn, { text, createdAt }: OutboxEntry): boolean {
  const isLater = turn.startedAt === null || turn.startedAt >= createdAt - CLOCK_SLACK_MS;
  return isLater && isSameText(turn.prompt, text);
}
