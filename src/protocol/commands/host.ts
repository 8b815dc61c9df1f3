/** Commands about the host itself. */
import * as z from 'zod';

export const hostStatusSchema = z.strictObject({
  pid: z.int(),
  /** Grows by one with every leader; a write from an older epoch is refused. */
  epoch: z.int(),
  version: z.string(),
  startedAt: z.number(),
  clients: z.int(),
  /** The TCP port of the suggestion server; null while there is none. */
  server: z
    .strictObject({
      address: z.string(),
      /** Without tokens: anyone who can reach it may decide. */
      openToAll: z.boolean(),
    })
    .nullable(),
  /** Current problems, for people: a port that is taken, a file that cannot be written. */
  notices: z.array(z.string()),
});
export type HostStatus = z.infer<typeof hostStatusSchema>;

export const hostCommands = {
  'host/status': { params: z.strictObject({}), result: hostStatusSchema },
} as const;
