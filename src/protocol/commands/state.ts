/** Commands for stored data. */
import * as z from 'zod';

/** The kinds of data that the host purges. The command itself purges files of other processes. */
export const purgeKindSchema = z.enum(['drafts', 'prompts', 'reviews', 'seen', 'turns']);
export type PurgeKind = z.infer<typeof purgeKindSchema>;

export const stateCommands = {
  'state/purge': {
    params: z.strictObject({
      kind: purgeKindSchema,
      /** Only older data; ms since the epoch. */
      before: z.number(),
      /** Also unfinished data: unsent text, a prompt on its way, an open review. */
      unfinished: z.boolean().default(false),
    }),
    result: z.strictObject({ purged: z.int(), unfinished: z.int() }),
  },
} as const;
