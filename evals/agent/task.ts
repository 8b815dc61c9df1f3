/** A task of the agent's evaluation, as it lies in a file: the files before, what is asked, and how to tell that it was done. */
import * as z from 'zod';

const path = z.string().min(1).max(4096);

/** Text, or bytes that are not text. */
const contentSchema = z.union([z.string(), z.strictObject({ base64: z.base64() })]);
export type TaskContent = z.output<typeof contentSchema>;

/**
 * What must be true afterwards, and was not before. `is`, `contains`, `lacks`, `matches` are about the text of `file`
 * on disk; `message` and `asked` are patterns for what the model said and asked last.
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

/** What the user does to the project while the model works, right before its answer of this number (from 0). */
const meanwhileSchema = z.strictObject({
  before_step: z.int().min(0),
  write: z.record(path, contentSchema.nullable()),
});

export const taskSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  kind: z.enum(['notes', 'code', 'search', 'clarify', 'conflict', 'encoding', 'adversarial']),
  prompt: z.string().min(1),
  files: z.record(path, contentSchema),
  /** In the order of the questions; a question beyond them is skipped. */
  answers: z.array(z.string()).default([]),
  meanwhile: z.array(meanwhileSchema).default([]),
  /** Hunks that the user rejects: those whose diff contains one of these. */
  rejects: z.array(z.string()).default([]),
  checks: z.array(checkSchema).min(1),
  /** Files that nothing may change, byte for byte. */
  keeps: z.array(path).default([]),
  max_hunks: z.int().min(1).optional(),
  max_tool_calls: z.int().min(0).optional(),
});
export type EvalTask = z.output<typeof taskSchema>;
