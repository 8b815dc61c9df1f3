/** Commands for the shell's completions. */
import * as z from 'zod';
import { shellStatusSchema } from '../shell.ts';

export const shellCommands = {
  'shell/status': { params: z.strictObject({}), result: shellStatusSchema },
  /** While on, shells get no candidates and nothing is learned. */
  'shell/private': { params: z.strictObject({ on: z.boolean() }), result: shellStatusSchema },
  'shell/forget': {
    params: z.strictObject({ line: z.string().min(1).max(8192) }),
    result: shellStatusSchema,
  },
} as const;
