/** A range of turns of a session of an AI CLI. */
import * as z from 'zod';
import { cliIdSchema } from './cli-id.ts';

export const sessionRefSchema = z.strictObject({
  cli: cliIdSchema,
  path: z.string().startsWith('/'),
  sessionId: z.string(),
});
export type SessionRef = z.infer<typeof sessionRefSchema>;

/** Consecutive turns of a session by id; null: from the first, or to the newest. */
export const turnRangeSchema = z.strictObject({
  session: sessionRefSchema,
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type TurnRange = z.infer<typeof turnRangeSchema>;
