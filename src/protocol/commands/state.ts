/** Commands about what is kept. */
import * as z from 'zod';

/** What can be purged by the host; a service that others write to stays with them. */
export const purgeKindSchema = z.enum(['drafts', 'prompts', 'reviews', 'seen', 'turns']);
export type PurgeKind = z.infer<typeof purgeKindSchema>;

export const stateCommands = {
  'state/purge': {
    params: z.strictObject({
      kind: purgeKindSchema,
      /** Only what is older, in ms since the epoch. */
      before: z.number(),
      /** Also what is not finished: text that was not sent, a prompt on its way, an open review. */
      unfinished: z.boolean().default(false),
    }),
    result: z.strictObject({ purged: z.int(), unfinished: z.int() }),
  },
} as const;
