/** Commands about the host itself. */
import * as z from 'zod';

export const hostStatusSchema = z.strictObject({
  pid: z.int(),
  /** Grows by one with each leader. A write from an older epoch is refused. */
  epoch: z.int(),
  version: z.string(),
  startedAt: z.number(),
  clients: z.int(),
  /** The suggestion server's TCP port; null if there is none. */
  server: z
    .strictObject({
      address: z.string(),
      /** No tokens: anyone who can reach it may decide. */
      openToAll: z.boolean(),
    })
    .nullable(),
  /** Current problems, for people: a port in use, a file that cannot be written. */
  notices: z.array(z.string()),
});
export type HostStatus = z.infer<typeof hostStatusSchema>;

export const hostCommands = {
  'host/status': { params: z.strictObject({}), result: hostStatusSchema },
} as const;
