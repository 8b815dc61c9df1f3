/** A task of the agent's evaluation, as stored in a file: the initial files, the prompt, and how to check that it was done. */
import * as z from 'zod';

const path = z.string().min(1).max(4096);

/** Text, or binary bytes. */
const contentSchema = z.union([z.string(), z.strictObject({ base64: z.base64() })]);
export type TaskContent = z.output<typeof contentSchema>;

/**
 * What must be true afterwards, and was not before. `is`, `contains`, `lacks`, `matches` check the text of `file` on
 * disk; `message` and `asked` are patterns for the model's last message and question.
 */
const checkSchema = z.union([
  z.strictObject({ file: path, is: z.string() }),
  z.strictObject({ file: path, contains: z.string() }),
  z.strictObject({ file: path, lacks: z.string() }),
  z.strictObject({ file: path, matches: z.string() }),
  z.strictObject({ absent: path }),
  z.strictObject({ status: z.enum(['completed', 'failed']) }),
  z.strictObject({ message: z.string() }),
  z.strictObject({ asked: z.string() }),
]);
export type TaskCheck = z.output<typeof checkSchema>;

/** What the user changes in the project while the model works, just before its answer of this number (from 0). */
const meanwhileSchema = z.strictObject({
  before_step: z.int().min(0),
  write: z.record(path, contentSchema.nullable()),
});

export const taskSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  kind: z.enum(['notes', 'code', 'search', 'clarify', 'conflict', 'encoding', 'adversarial']),
  prompt: z.string().min(1),
  files: z.record(path, contentSchema),
  /** In the order of the questions; further questions are skipped. */
  answers: z.array(z.string()).default([]),
  meanwhile: z.array(meanwhileSchema).default([]),
  /** The user rejects hunks whose diff contains one of these. */
  rejects: z.array(z.string()).default([]),
  checks: z.array(checkSchema).min(1),
  /** Files that must not change by a byte. */
  keeps: z.array(path).default([]),
  max_hunks: z.int().min(1).optional(),
  max_tool_calls: z.int().min(0).optional(),
});
export type EvalTask = z.output<typeof taskSchema>;
