/** Commands for stored data. */
import * as z from 'zod';

/** What the host can purge; files that other processes write are purged by the command itself. */
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
