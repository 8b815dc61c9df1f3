/** The JSON answer of a model without tool calls, as a schema for a grammar: every key is present, null if unused. */

import { isRecord } from '../../lib/is-record.ts';
import type { ToolDescription } from '../tools/tool-box.ts';

export type JsonForm = Readonly<Record<string, unknown>>;

/** The whole answer: a text, and calls of these tools. */
export function answerForm(tools: readonly ToolDescription[]): JsonForm {
  const calls = tools.map(({ name, parameters }) =>
    closed({ name: { const: name }, arguments: formOf(parameters) }),
  );
  const toolCalls = { type: 'array', items: { oneOf: calls } };
  return closed({ message: { type: 'string' }, ...(calls.length === 0 ? {} : { tool_calls: toolCalls }) });
}

function closed(properties: JsonForm): JsonForm {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A JSON Schema, reduced to what a grammar can express. Lengths and ranges are checked with the arguments. */
function formOf(schema: unknown): JsonForm {
  if (!isRecord(schema)) return { type: 'string' };
  if (Array.isArray(schema.enum)) return { enum: schema.enum };
  switch (schema.type) {
    case 'object':
      return objectForm(schema);
    case 'array':
      return { type: 'array', items: formOf(schema.items) };
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: schema.type };
    default:
      return { type: 'string' };
  }
}

function objectForm(schema: Readonly<Record<string, unknown>>): JsonForm {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const forms = properties.map(([name, property]) => {
    const form = formOf(property);
    return [name, required.has(name) ? form : { oneOf: [form, { type: 'null' }] }] as const;
  });
  return closed(Object.fromEntries(forms));
}
