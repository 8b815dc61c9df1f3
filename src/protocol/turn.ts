/** A turn: one prompt of the user and all answers of the AI until the next one. */
import * as z from 'zod';

/** `transcript` = exact Markdown of the CLI's own file; `hook` = passed by a hook; `screen` = read from the pane. */
export const turnSourceSchema = z.enum(['transcript', 'hook', 'screen']);

export const turnSchema = z.strictObject({
  /** Stable for the same turn across reads; for a transcript the id of its user record. */
  id: z.string(),
  /** `plan`: a plan that the AI asks to approve; the response is its text and the prompt is empty. */
  kind: z.enum(['answer', 'plan']),
  /** The user's text without our markers; empty when unknown. */
  prompt: z.string(),
  /** Runs of assistant text between tool calls, in order; `response` is these joined by a blank line. */
  parts: z.array(z.string()),
  /** All of the assistant's text; empty before the first answer. */
  response: z.string(),
  /** ms since the epoch; null when the source has no clock. */
  startedAt: z.number().nullable(),
  source: turnSourceSchema,
  /** `streaming`: still growing; `interrupted`: stopped by the user. */
  progress: z.enum(['streaming', 'complete', 'interrupted']),
  /** Wrapped lines of the CLI were joined by guess (screen only). */
  reflowed: z.boolean(),
  /** A note for the reader: "full-screen: only the visible part", "newest file of this folder". */
  warning: z.string().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;
