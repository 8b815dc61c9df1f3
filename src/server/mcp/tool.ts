/** One tool for an AI: its words, the fields that it takes, and what it does. Every answer is one JSON object. */
import * as z from 'zod';
import type { Failure, Result } from '../../lib/result.ts';
import type { AuthorAccess } from './author.ts';

export type ToolAnswer = Readonly<Record<string, unknown>>;

export interface ToolContext {
  readonly access: AuthorAccess;
  /** The caller does no longer wait. */
  readonly signal: AbortSignal;
  /** Tells a caller that wants to know how far it is. */
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
  /** Of an answer that went well; null for a tool that always refuses. */
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
  /** The fields that it takes; a call with others is refused. */
  readonly input: S;
  readonly output: O | null;
  readonly effect: 'reads' | 'adds' | 'ends';
  readonly run: (
    args: z.output<z.ZodObject<S>>,
    context: ToolContext,
  ) => Promise<Result<z.input<NoInfer<O>>>>;
}

/** A tool whose `run` gets what its schema has checked. */
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
    // The server calls it with the output of this very schema.
    run: (args, context) => run(args as z.output<z.ZodObject<S>>, context),
  };
}

const NEXT_STEPS = {
  invalid: 'Correct the arguments and call again.',
  not_found: 'list_suggestions tells which suggestions you have.',
  refused: 'Look at the present state with get_suggestion before you try again.',
  limit: 'Wait a minute, then try again.',
  staged: 'Tell the user.',
  unconfirmed: 'Tell the user.',
  internal: 'Try again once; if it fails again, tell the user.',
} as const;

/** What a failed call answers: what happened, and what to do next. */
export function failureAnswer({ code, message, hint }: Failure): ToolAnswer {
  return { error: { code, message, next_step: hint ?? NEXT_STEPS[code] } };
}
