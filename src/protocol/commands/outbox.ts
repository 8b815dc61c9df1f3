/** Commands of the outbox: the record of a prompt and its outcome. */
import * as z from 'zod';
import { deliveryStateSchema, outboxEntrySchema } from '../outbox.ts';
import { paneIdentitySchema } from '../pane.ts';

export const outboxCommands = {
  /** Writes the record durably before the first byte is typed. */
  'outbox/record': {
    params: outboxEntrySchema.pick({ id: true, pane: true, text: true, hash: true, marked: true }),
    result: outboxEntrySchema,
  },
  'outbox/update': {
    params: z.strictObject({
      id: z.string(),
      state: deliveryStateSchema,
      reason: z.string().nullable().default(null),
      proof: outboxEntrySchema.shape.proof.default(null),
    }),
    result: outboxEntrySchema,
  },
  /** Newest first. */
  'outbox/list': {
    params: z.strictObject({
      pane: paneIdentitySchema.nullable().default(null),
      limit: z.int().min(1).max(1000).default(100),
    }),
    result: z.array(outboxEntrySchema),
  },
} as const;
