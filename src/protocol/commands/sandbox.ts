/** Commands about sandboxes: places where an AI works apart from the user's files. */
import * as z from 'zod';
import { sandboxSchema } from '../sandbox.ts';

/** An absolute path. */
const folderSchema = z.string().startsWith('/');
const nameSchema = z.string().min(1).max(100);

export const sandboxCommands = {
  /** A git worktree on a branch of its own (in a jj repository a workspace), outside every working tree. */
  'sandbox/new': {
    params: z.strictObject({
      target: folderSchema,
      name: nameSchema,
      /** A commit or a branch; null for what the target has checked out. */
      base: z.string().min(1).max(1000).nullable().default(null),
    }),
    result: sandboxSchema,
  },
  /** Of the target's repository, or of all; oldest first. */
  'sandbox/list': {
    params: z.strictObject({ target: folderSchema.nullable().default(null) }),
    result: z.array(sandboxSchema),
  },
  /** Refused when work would be lost that was never published, unless forced. */
  'sandbox/remove': {
    params: z.strictObject({ target: folderSchema, name: nameSchema, force: z.boolean().default(false) }),
    result: z.strictObject({
      name: z.string(),
      kind: z.enum(['git', 'jj']),
      branch: z.string(),
      /** Where the branch was, if the target does not have that commit: what brings it back. */
      commit: z.string().nullable(),
    }),
  },
} as const;
