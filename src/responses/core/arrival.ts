/** Whether a prompt that was sent is the one that a turn begins with: by its words and by the time. Pure. */
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isSameText } from './same-text.ts';

/** Clocks of the file system and the CLI may differ from ours by so much. */
const CLOCK_SLACK_MS = 5_000;

/** The same words may have been sent before: a turn that began earlier than the record is another one's. */
export function isPromptOf(turn: Turn, { text, createdAt }: OutboxEntry): boolean {
  const isLater = turn.startedAt === null || turn.startedAt >= createdAt - CLOCK_SLACK_MS;
  return isLater && isSameText(turn.prompt, text);
}
