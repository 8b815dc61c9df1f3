/** Sandboxes on the wire: an AI's working copy and the state of its work. */
import * as z from 'zod';

export const sandboxSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['git', 'jj']),
  /** Absolute. */
  folder: z.string(),
  /** The target: the user's working copy. */
  target: z.string(),
  /** The branch (for jj the workspace); null if another commit is checked out. */
  branch: z.string().nullable(),
  /** The commit that it branched from. */
  base: z.string(),
  /** Commits beyond the base. */
  ahead: z.int(),
  /** Files that differ from the base, and how many of them are uncommitted. */
  changed: z.int(),
  dirty: z.int(),
  suggestion: z.string().nullable(),
  createdAt: z.number(),
  /** Why it is unusable; null if it is usable. */
  problem: z.string().nullable(),
});
export type Sandbox = z.infer<typeof sandboxSchema>;
