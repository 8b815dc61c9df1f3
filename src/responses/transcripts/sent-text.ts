/**
 * Finds a text that was sent to an AI CLI among the prompts that its transcript tells. This is the identity of a
 * session file and the proof of a delivery, so it forgives what a CLI does to white space and nothing else.
 */
import type { Turn } from '../../protocol/turn.ts';
import { holds, promptKey } from '../core/same-text.ts';

/** Where a sent text was found. */
export type SentTextMatch =
  | { readonly kind: 'delivered'; readonly turn: Turn }
  /** The CLI holds it for later; `index` counts from the oldest. */
  | { readonly kind: 'queued'; readonly index: number };

/** The part of a transcript that can hold a sent text. */
export interface PromptsTold {
  readonly turns: readonly Turn[];
  readonly queued: readonly string[];
}

/**
 * The newest turn or queued prompt that is `text`. Turns whose ids are in `known` were there before the send and
 * prove nothing: ids, not times, because a clock may go backwards. Null for a blank text.
 */
export function matchSentText(
  told: PromptsTold,
  text: string,
  known: ReadonlySet<string> = new Set(),
): SentTextMatch | null {
  const key = promptKey(text);
  if (key === '') return null;
  const turn = told.turns.findLast(
    (candidate) => !known.has(candidate.id) && holds(candidate.prompt, text, key),
  );
  if (turn !== undefined) return { kind: 'delivered', turn };
  const index = told.queued.findLastIndex((queued) => holds(queued, text, key));
  return index === -1 ? null : { kind: 'queued', index };
}
