/**
 * All tools behind one door: a canonical call goes in, a canonical result comes out, whatever the model wrote.
 * A call that makes no sense is a result that says so, never an exception.
 */
import * as z from 'zod';
import type { Failure } from '../../lib/result.ts';
import type { ToolCall, ToolResult } from '../../protocol/agent.ts';
import { invalidInput } from '../../protocol/invalid.ts';
import { clarifyUser } from './clarify-user.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { searchProject } from './search-project.ts';
import type { AgentTool, FileOutline, ShownLines, ToolContext } from './tool.ts';

/** What a model is told about a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A call that ran, whether it succeeded or not. */
export interface RanCall {
  readonly result: ToolResult;
  /** Text of the result for the model, in blocks. */
  readonly blocks: readonly string[];
  readonly shown: readonly ShownLines[];
  readonly summary: string;
  readonly count: number | null;
  readonly map: FileOutline | null;
}

interface BoundTool {
  readonly description: ToolDescription;
  run(call: ToolCall, context: ToolContext): Promise<RanCall>;
}

/** Longest error that a model is told. */
const ERROR_MAX_CHARS = 1_000;

/** The result of a call that failed. */
export function failedCall(call: ToolCall, code: string, message: string): RanCall {
  const said = message.slice(0, ERROR_MAX_CHARS);
  return {
    result: {
      tool_call_id: call.tool_call_id,
      name: call.name,
      ok: false,
      result: null,
      error: { code, message: said },
    },
    blocks: [`Error (${code}): ${said}`],
    shown: [],
    summary: said,
    count: null,
    map: null,
  };
}

/** Drops null fields: some models write null for what they leave out. */
function withoutNulls(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

/** Drops fields that a tool does not know: some models add their thoughts. */
function withoutUnknown(given: Readonly<Record<string, unknown>>, { issues }: z.ZodError) {
  const unknown = new Set(issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])));
  return Object.fromEntries(Object.entries(given).filter(([name]) => !unknown.has(name)));
}

const sentence = (failure: Failure) =>
  failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`;

/** Without the dialect's name, which some providers refuse. */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return parameters;
}

function bind<Input, Output extends Record<string, unknown>>(tool: AgentTool<Input, Output>): BoundTool {
  return {
    description: { name: tool.name, description: tool.description, parameters: jsonSchemaOf(tool.input) },
    run: async (call, context) => {
      const given = withoutNulls(call.arguments);
      const first = tool.input.safeParse(given);
      const input = first.success ? first : tool.input.safeParse(withoutUnknown(given, first.error));
      if (!input.success) {
        return failedCall(call, 'invalid_arguments', invalidInput(call.name, input.error).message);
      }
      const outcome = await tool.run(input.data, context);
      if (!outcome.ok) return failedCall(call, outcome.error.code, sentence(outcome.error));
      const { output, map, ...rest } = outcome.value;
      const result = {
        tool_call_id: call.tool_call_id,
        name: call.name,
        ok: true,
        result: output,
        error: null,
      };
      return { ...rest, result, map: map ?? null };
    },
  };
}

const TOOLS: ReadonlyMap<string, BoundTool> = new Map(
  [bind(searchProject), bind(readFile), bind(listFiles), bind(clarifyUser)].map((tool) => [
    tool.description.name,
    tool,
  ]),
);

/** What a model is told about all of them. */
export function toolDescriptions(): readonly ToolDescription[] {
  return [...TOOLS.values()].map((tool) => tool.description);
}

/** Runs one call. Rejects only when `context.signal` is aborted. */
export async function runToolCall(call: ToolCall, context: ToolContext): Promise<RanCall> {
  context.signal.throwIfAborted();
  const tool = TOOLS.get(call.name);
  if (tool !== undefined) return await tool.run(call, context);
  const known = [...TOOLS.keys()].join(', ');
  return failedCall(
    call,
    'unknown_tool',
    `There is no tool ${JSON.stringify(call.name)}. There are: ${known}.`,
  );
}
