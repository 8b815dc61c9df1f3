/** A turn: one prompt and all answers of the AI before the next prompt. */
import * as z from 'zod';

/** `transcript`: exact Markdown from the CLI's own file; `hook`: from a hook; `screen`: read from the pane. */
export const turnSourceSchema = z.enum(['transcript', 'hook', 'screen']);

export const turnSchema = z.strictObject({
  /** The same at every read of the turn; for a transcript, its user record's id. */
  id: z.string(),
  /** `plan`: a plan to be approved; the response is its text and the prompt is empty. */
  kind: z.enum(['answer', 'plan']),
  /** The user's text without our markers; empty when unknown. */
  prompt: z.string(),
  /** Runs of assistant text between tool calls, in order; `response` joins them with blank lines. */
  parts: z.array(z.string()),
  /** All of the assistant's text; empty before the first answer. */
  response: z.string(),
  /** ms since the epoch; null if the source has no time. */
  startedAt: z.number().nullable(),
  source: turnSourceSchema,
  /** `streaming`: still growing; `interrupted`: stopped by the user. */
  progress: z.enum(['streaming', 'complete', 'interrupted']),
  /** The CLI's wrapped lines were joined by a guess (screen only). */
  reflowed: z.boolean(),
  /** A note for the reader: "full-screen: only the visible part", "newest file of this folder". */
  warning: z.string().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;
