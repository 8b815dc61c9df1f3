/** The outbox records each prompt on disk before its first byte is typed: a crash neither loses nor repeats it. */
import * as z from 'zod';
import { paneIdentitySchema } from './pane.ts';

/**
 * `recorded`: nothing typed yet · `pasted`: typed, no Enter yet · `submitted`: Enter sent, not yet confirmed ·
 * `delivered`: confirmed · `queued`: held by the busy CLI · `staged`: in the composer, Enter had no effect ·
 * `unconfirmed` in time · `refused`: stopped by a guard, nothing typed · `abandoned` by the user.
 */
export const deliveryStateSchema = z.enum([
  'recorded',
  'pasted',
  'submitted',
  'delivered',
  'queued',
  'staged',
  'unconfirmed',
  'refused',
  'abandoned',
]);
export type DeliveryState = z.infer<typeof deliveryStateSchema>;

export const outboxEntrySchema = z.strictObject({
  id: z.string(),
  pane: paneIdentitySchema,
  /** The exact text for the pane, markers included. */
  text: z.string(),
  /** SHA-256 of `text` in hex. */
  hash: z.string(),
  /** Whether markers enclose the text. */
  marked: z.boolean(),
  state: deliveryStateSchema,
  /** Why it was refused or not confirmed, for people. */
  reason: z.string().nullable(),
  /** What confirmed the delivery: `transcript`, `hook`, `marker`. */
  proof: z.enum(['transcript', 'hook', 'marker', 'screen']).nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type OutboxEntry = z.infer<typeof outboxEntrySchema>;
