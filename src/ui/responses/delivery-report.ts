/** One line about a prompt's delivery. */
import { assertNever, withStop } from '../../lib/result.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Tone } from '../kit/model.ts';
import { type ResponsesFacts, type ResponsesModel, type ResponsesOutcome, say } from './model.ts';

/** Says where the prompt is now, why, and what to do. */
export function reportDelivery(
  state: ResponsesModel,
  facts: ResponsesFacts,
  entry: OutboxEntry,
): ResponsesOutcome {
  const [tone, text] = wordsOf(entry, facts.keyOf('delivery/press-enter') ?? 'the palette');
  return say(state, facts, tone, text);
}

function wordsOf(entry: OutboxEntry, enterKey: string): readonly [Tone, string] {
  const why = entry.reason === null ? '' : `: ${entry.reason}`;
  switch (entry.state) {
    case 'delivered':
      return ['ok', 'Delivered'];
    case 'queued':
      return ['ok', 'The AI is busy and has queued it'];
    case 'recorded':
    case 'pasted':
    case 'submitted':
      return ['info', 'Sent, waiting for confirmation'];
    case 'staged':
      return [
        'warn',
        `${withStop(`It is in the AI's composer, not submitted${why}`)} ${enterKey} presses it again`,
      ];
    case 'unconfirmed':
      return ['warn', `Sent, but its arrival is not confirmed${why}`];
    case 'refused':
      return ['error', `Not sent${why}`];
    case 'abandoned':
      return ['info', 'Given up'];
    default:
      return assertNever(entry.state);
  }
}
