/** The commands available by HTTP and WebSocket: the table's routes with their schemas. */
import * as z from 'zod';
import { type CommandName, commands, traitsOf } from './command.ts';
import type { Role } from './command-table.ts';
import { type SuggestionOperation, suggestionMessages } from './suggestion-messages.ts';

export interface Operation {
  /** The `type` of a WebSocket request, and the operationId. */
  readonly name: string;
  readonly command: CommandName;
  readonly method: 'GET' | 'POST';
  /** `:name` is one segment, and fills the field of that name. */
  readonly path: string;
  readonly role: Role;
  readonly status: 200 | 201 | 202;
  readonly list: string | null;
  readonly summary: string;
  /** All fields of body, query and path. Unknown fields are ignored. */
  readonly fields: z.ZodObject;
  readonly answer: z.ZodType;
}

/** Whether an operation belongs to the suggestion protocol; the others belong to the agent. */
export function isSuggestionOperation(name: string): name is SuggestionOperation {
  return Object.hasOwn(suggestionMessages, name);
}

/** In the order of the table and the documentation. */
export const OPERATIONS: readonly Operation[] = (Object.keys(commands) as CommandName[]).flatMap(
  (command) => {
    const { summary, http } = traitsOf(command);
    if (http === undefined) return [];
    const [method, path] = http.route.split(' ') as ['GET' | 'POST', string];
    const name = http.operation ?? command.replace(/[/-]/g, '_');
    const { role = 'reviewer', status = 200, list = null } = http;
    const schemas = isSuggestionOperation(name) ? suggestionMessages[name] : agentSchemas(command, list);
    return [{ name, command, method, path, role, status, list, summary, ...schemas }];
  },
);

const OPERATION_BY_NAME: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((one) => [one.name, one]));

export const operationNamed = (name: string): Operation | null => OPERATION_BY_NAME.get(name) ?? null;

/** The agent's results are sent unchanged; a list is wrapped in a field. */
function agentSchemas(command: CommandName, list: string | null): Pick<Operation, 'fields' | 'answer'> {
  const { result } = commands[command];
  const answer = list === null ? result : z.object({ [list]: result });
  if (command !== 'agent/create') return { fields: lenient(commands[command].params) as z.ZodObject, answer };
  return {
    fields: z.object({
      working_directory: z
        .string()
        .max(4096)
        .optional()
        .describe(
          'The project folder, absolute or relative to the home folder; left out: the project that the host was started in, if any.',
        ),
      title: commands['agent/create'].params.shape.title,
    }),
    answer: z.object({ session_id: z.string(), ...commands['agent/create'].result.shape }),
  };
}

/** The same schema, but ignoring unknown fields, so that an older server can answer a newer client. */
function lenient(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, lenient(field as z.ZodType)]);
    return z.object(Object.fromEntries(fields));
  }
  if (schema instanceof z.ZodArray) return copyOf(schema, { element: lenient(schema.element as z.ZodType) });
  if (schema instanceof z.ZodDefault)
    return copyOf(schema, { innerType: lenient(schema.unwrap() as z.ZodType) });
  return schema;
}

/** Replaces the inner schema; keeps checks and description. */
function copyOf<T extends z.ZodType>(schema: T, inside: Partial<T['_zod']['def']>): T {
  return schema.clone({ ...schema._zod.def, ...inside }) as T;
}
