/** One tool for an AI: its description, its fields, and what it does. Every answer is one JSON object. */
import * as z from 'zod';
import type { Failure, Result } from '../../lib/result.ts';
import type { AuthorAccess } from './author.ts';

export type ToolAnswer = Readonly<Record<string, unknown>>;

export interface ToolContext {
  readonly access: AuthorAccess;
  /** The caller no longer waits. */
  readonly signal: AbortSignal;
  readonly progress: (step: {
    readonly done: number;
    readonly total: number;
    readonly message: string;
  }) => void;
}

export interface McpTool {
  readonly name: string;
  readonly title: string;
  /** For the model: when to use it, and what comes next. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** The schema of a successful answer; null for a tool that always refuses. */
  readonly output: z.ZodObject | null;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: false;
  };
  readonly run: (
    args: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ) => Promise<Result<ToolAnswer>>;
}

export interface ToolOptions<S extends z.ZodRawShape, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Its fields; a call with others is refused. */
  readonly input: S;
  readonly output: O | null;
  readonly effect: 'reads' | 'adds' | 'ends';
  readonly run: (
    args: z.output<z.ZodObject<S>>,
    context: ToolContext,
  ) => Promise<Result<z.input<NoInfer<O>>>>;
}

/** A tool whose `run` gets arguments checked by its schema. */
export function defineTool<S extends z.ZodRawShape, O extends z.ZodObject>({
  effect,
  input,
  run,
  ...tool
}: ToolOptions<S, O>): McpTool {
  return {
    ...tool,
    input: z.strictObject(input),
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'ends',
      idempotentHint: true,
      openWorldHint: false,
    },
    // The server calls it with the output of this schema.
    run: (args, context) => run(args as z.output<z.ZodObject<S>>, context),
  };
}

const NEXT_STEPS = {
  invalid: 'Correct the arguments and call again.',
  not_found: 'list_suggestions tells which suggestions you have.',
  refused: 'Check the current state with get_suggestion before you try again.',
  limit: 'Wait a minute, then try again.',
  staged: 'Tell the user.',
  unconfirmed: 'Tell the user.',
  internal: 'Try again once; if it fails again, tell the user.',
} as const;

/** The answer of a failed call: what happened, and what to do next. */
export function failureAnswer({ code, message, hint }: Failure): ToolAnswer {
  return { error: { code, message, next_step: hint ?? NEXT_STEPS[code] } };
}
