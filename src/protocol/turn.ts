/** A turn: one prompt of the human and everything that the AI answered until the next one. */
import * as z from 'zod';

/** `transcript` = exact Markdown of the CLI's own file; `hook` = handed over by a hook; `screen` = read off the pane. */
export const turnSourceSchema = z.enum(['transcript', 'hook', 'screen']);

export const turnSchema = z.strictObject({
  /** Stable for the same turn across reads; for a transcript the id of its user record. */
  id: z.string(),
  /** `plan`: a plan that the AI asks to approve; the response is its text and the prompt is empty. */
  kind: z.enum(['answer', 'plan']),
  /** The human's text, without our markers. Empty when it is not known. */
  prompt: z.string(),
  /** Runs of assistant text between tool calls, in order; `response` is these joined by a blank line. */
  parts: z.array(z.string()),
  /** All of the assistant's text. Empty while nothing has been answered. */
  response: z.string(),
  /** ms since the epoch; null when the source has no clock. */
  startedAt: z.number().nullable(),
  source: turnSourceSchema,
  /** `streaming` grows still; `interrupted` was stopped by the user. */
  progress: z.enum(['streaming', 'complete', 'interrupted']),
  /** Hard-wrapped lines of the CLI were joined by guess (screen only). */
  reflowed: z.boolean(),
  /** Something that the reader must know: "full-screen: only the visible part", "newest file of this folder". */
  warning: z.string().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;
