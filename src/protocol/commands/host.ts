/** Commands about the host itself. */
import * as z from 'zod';

export const hostStatusSchema = z.strictObject({
  pid: z.int(),
  /** Grows by one with every leader; a write from an older epoch is refused. */
  epoch: z.int(),
  version: z.string(),
  startedAt: z.number(),
  clients: z.int(),
});
export type HostStatus = z.infer<typeof hostStatusSchema>;

export const hostCommands = {
  'host/status': { params: z.strictObject({}), result: hostStatusSchema },
} as const;
