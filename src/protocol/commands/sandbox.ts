/** Commands for sandboxes: working copies in which an AI works apart from the user's files. */
import * as z from 'zod';
import { sandboxSchema } from '../sandbox.ts';

/** An absolute path. */
const folderSchema = z.string().startsWith('/');
const nameSchema = z.string().min(1).max(100);

export const sandboxCommands = {
  /** Creates a git worktree on a new branch (in a jj repository a workspace), outside every working tree. */
  'sandbox/new': {
    params: z.strictObject({
      target: folderSchema,
      name: nameSchema,
      /** A commit or a branch; null: the target's HEAD. */
      base: z.string().min(1).max(1000).nullable().default(null),
    }),
    result: sandboxSchema,
  },
  /** The sandboxes of the target's repository, or all of them; oldest first. */
  'sandbox/list': {
    params: z.strictObject({ target: folderSchema.nullable().default(null) }),
    result: z.array(sandboxSchema),
  },
  /** Removes a sandbox. Refused if unpublished work would be lost, unless forced. */
  'sandbox/remove': {
    params: z.strictObject({ target: folderSchema, name: nameSchema, force: z.boolean().default(false) }),
    result: z.strictObject({
      name: z.string(),
      kind: z.enum(['git', 'jj']),
      branch: z.string(),
      /** Its branch's commit, if the target does not have it, so that the user can restore it. */
      commit: z.string().nullable(),
    }),
  },
} as const;
