/** One tool for an AI: its words, the fields that it takes, and what it does. Every answer is one JSON object. */
import type * as z from 'zod';
import type { Failure, Result } from '../../lib/result.ts';
import type { AuthorDesk } from './desk.ts';

export type ToolAnswer = Readonly<Record<string, unknown>>;

export interface ToolContext {
  readonly desk: AuthorDesk;
  /** The caller does not wait any more. */
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

export interface ToolOptions<S extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: S;
  readonly effect: 'reads' | 'adds' | 'ends';
  readonly run: (args: z.output<S>, context: ToolContext) => Promise<Result<ToolAnswer>>;
}

/** A tool whose `run` gets what its schema has checked. */
export function defineTool<S extends z.ZodObject>({ effect, run, ...tool }: ToolOptions<S>): McpTool {
  return {
    ...tool,
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'ends',
      idempotentHint: true,
      openWorldHint: false,
    },
    // The server calls it with the output of this very schema.
    run: (args, context) => run(args as z.output<S>, context),
  };
}

const NEXT_STEPS = {
  invalid: 'Correct the arguments and call again.',
  not_found: 'list_suggestions tells which suggestions you have.',
  refused: 'Look at the present state with get_suggestion before you try again.',
  staged: 'Tell the user.',
  unconfirmed: 'Tell the user.',
  internal: 'Try again once; if it fails again, tell the user.',
} as const;

/** What a failed call answers: what happened, and what to do next. */
export function failureAnswer({ code, message, hint }: Failure): ToolAnswer {
  return { error: { code, message, next_step: hint ?? NEXT_STEPS[code] } };
}
