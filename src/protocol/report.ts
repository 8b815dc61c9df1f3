/** A progress report from an author: one line, or an error. */
import * as z from 'zod';

export const progressSchema = z.enum(['working', 'testing', 'ready', 'applying', 'applied', 'partial']);

export const reportErrorSchema = z.enum([
  'experiment_failed',
  'sync_failed',
  'jj_error',
  'apply_failed',
  'unknown',
]);

export const reportSchema = z.strictObject({
  message: z.string().min(1).max(2000),
  status: progressSchema.default('working'),
  /** If set, it is an error, not progress. */
  error: reportErrorSchema.nullable().default(null),
  suggestion: z.string().nullable().default(null),
  hunk: z.string().nullable().default(null),
  /** The author; null: the user's own programs. */
  author: z.string().max(200).nullable().default(null),
});
export type Report = z.output<typeof reportSchema>;
