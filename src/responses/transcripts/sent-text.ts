/**
 * Finds a text that was sent to an AI CLI among the prompts that its transcript tells. This is the identity of a
 * session file and the proof of a delivery, so it forgives what a CLI does to white space and nothing else.
 */
import { stripMarkers } from '../../lib/markers.ts';
import type { Turn } from '../../protocol/turn.ts';

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

/** Control characters that are no white space: they are taken out before a paste, or by the CLI after it. */
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** A prompt reduced to what every CLI keeps of it: no markers, no control characters, no white space. */
function promptKey(prompt: string): string {
  return (stripMarkers(prompt)?.text ?? prompt).normalize('NFC').replace(CONTROL, '').replace(/\s+/gu, '');
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

/** Whether a prompt that a CLI says it took is `text`. */
export function isSameText(prompt: string | null, text: string): boolean {
  const key = promptKey(text);
  return prompt !== null && key !== '' && holds(prompt, text, key);
}

/** Equal, or one of several prompts that a CLI handed over together, each on lines of its own. */
function holds(prompt: string, text: string, key: string): boolean {
  if (promptKey(prompt) === key) return true;
  const lines = prompt.split(/\r\n|\r|\n/).map(promptKey);
  const sent = (stripMarkers(text)?.text ?? text)
    .trim()
    .split(/\r\n|\r|\n/)
    .map(promptKey);
  return lines.some((_, start) => sent.every((line, offset) => lines[start + offset] === line));
}
