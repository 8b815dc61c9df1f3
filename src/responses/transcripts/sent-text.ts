/** Finds a sent text among a transcript's prompts, as proof of session and delivery. Ignores only white space. */
import type { Turn } from '../../protocol/turn.ts';
import { holds, promptKey } from '../core/same-text.ts';

export type SentTextMatch =
  | { readonly kind: 'delivered'; readonly turn: Turn }
  /** The CLI holds it for later; `index` counts from the oldest. */
  | { readonly kind: 'queued'; readonly index: number };

/** The part of a transcript that can contain a sent text. */
export interface KnownPrompts {
  readonly turns: readonly Turn[];
  readonly queued: readonly string[];
}

/** The newest turn or queued prompt that is `text`, except those in `known`, which are older. Null for a blank text. */
export function matchSentText(
  prompts: KnownPrompts,
  text: string,
  known: ReadonlySet<string> = new Set(),
): SentTextMatch | null {
  const key = promptKey(text);
  if (key === '') return null;
  const turn = prompts.turns.findLast(
    (candidate) => !known.has(candidate.id) && holds(candidate.prompt, text, key),
  );
  if (turn !== undefined) return { kind: 'delivered', turn };
  const index = prompts.queued.findLastIndex((queued) => holds(queued, text, key));
  return index === -1 ? null : { kind: 'queued', index };
}
