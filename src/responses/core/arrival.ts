/** Whether a turn begins with a prompt that was sent, by its words and its time. Pure. */
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isSameText } from './same-text.ts';

/** How much the clocks of the file system and of the CLI may differ from ours. */
const CLOCK_SLACK_MS = 5_000;

/** The same words may have been sent before: a turn that began before the record belongs to another prompt. */
export function isPromptOf(turn: Turn, { text, createdAt }: OutboxEntry): boolean {
  const isLater = turn.startedAt === null || turn.startedAt >= createdAt - CLOCK_SLACK_MS;
  return isLater && isSameText(turn.prompt, text);
}
