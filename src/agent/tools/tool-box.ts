/** All tools behind one interface: a canonical call in, a canonical result out, even for an invalid call. */
import * as z from 'zod';
import type { Failure } from '../../lib/result.ts';
import type { ToolCall, ToolResult } from '../../protocol/agent.ts';
import { invalidInput } from '../../protocol/invalid.ts';
import { clarifyUser } from './clarify-user.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { searchProject } from './search-project.ts';
import type { AgentTool, FileOutline, ShownLines, ToolContext } from './tool.ts';

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface RanCall {
  readonly result: ToolResult;
  readonly blocks: readonly string[];
  readonly shown: readonly ShownLines[];
  readonly summary: string;
  readonly count: number | null;
  readonly map: FileOutline | null;
}

interface BoundTool {
  readonly description: ToolDescription;
  readonly takes: (given: Readonly<Record<string, unknown>>) => boolean;
  run(call: ToolCall, context: ToolContext): Promise<RanCall>;
}

/** The longest error message for a model. */
const ERROR_MAX_CHARS = 1_000;

/** The result of a call that failed. */
export function failedCall(call: ToolCall, code: string, message: string): RanCall {
  const text = message.slice(0, ERROR_MAX_CHARS);
  return {
    result: {
      tool_call_id: call.tool_call_id,
      name: call.name,
      ok: false,
      result: null,
      error: { code, message: text },
    },
    blocks: [`Error (${code}): ${text}`],
    shown: [],
    summary: text,
    count: null,
    map: null,
  };
}

/** Drops null fields: some models write null for omitted ones. */
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

/**
 * The part of a schema that a model needs: no dialect, which some providers refuse, and no limits, which are checked
 * with the arguments. Small models pay for every word.
 */
export function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const override = ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    for (const bound of BOUNDS) delete jsonSchema[bound];
  };
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', override });
  return parameters;
}

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];

function bind<Input, Output extends Record<string, unknown>>(tool: AgentTool<Input, Output>): BoundTool {
  return {
    description: { name: tool.name, description: tool.description, parameters: jsonSchemaOf(tool.input) },
    takes: (given) => tool.input.safeParse(withoutNulls(given)).success,
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

/** The descriptions of all tools for a model. */
export function toolDescriptions(): readonly ToolDescription[] {
  return [...TOOLS.values()].map((tool) => tool.description);
}

/** The tools that accept these arguments as they are. */
export const toolsThatTake = (given: Readonly<Record<string, unknown>>): readonly string[] =>
  [...TOOLS].flatMap(([name, tool]) => (tool.takes(given) ? [name] : []));

/** Runs one call. Rejects only if `context.signal` is aborted. */
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
