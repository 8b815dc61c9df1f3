/** Commands about what turns changed in files. */
import * as z from 'zod';

export const changesCommands = {
  'changes/mark': {
    params: z.strictObject({
      /** A folder of the working tree; absolute. */
      folder: z.string().startsWith('/'),
      /** The session of the AI CLI, and the turn in it; null while the turn has no name yet. */
      session: z.string(),
      turn: z.string().nullable(),
      moment: z.enum(['begin', 'end']),
      /** The look at which the turn began, where it was marked before it had a name. */
      since: z.int().nullable().default(null),
      /** It was at work already when it was first seen. */
      late: z.boolean().default(false),
    }),
    /** The look; null where the folder is in no git repository. */
    result: z.strictObject({ look: z.int().nullable() }),
  },
} as const;
