/** What a line of pi's session tells of tools. Pure. */
import { asArray, asObject, asString, asTime, type JsonObject } from './json.ts';
import type { ToolFact } from './tool-facts.ts';

const TOOLS = new Set(['edit', 'write', 'bash']);

/** Empty for lines of another kind. */
export function piFacts(value: unknown): readonly ToolFact[] {
  const record = asObject(value);
  const message = record?.type === 'message' ? asObject(record.message) : null;
  if (message === null) return [];
  const at = asTime(message.timestamp) ?? asTime(record?.timestamp);
  if (message.role === 'assistant')
    return asArray(message.content).flatMap((part) => call(asObject(part), asString(message.stopReason), at));
  const name = asString(message.toolName) ?? '';
  if (message.role !== 'toolResult' || !TOOLS.has(name)) return [];
  const text = asArray(message.content)
    .map((part) => asString(asObject(part)?.text) ?? '')
    .join('\n');
  const told = { isError: message.isError === true, details: message.details, text: text.slice(0, MAX_TEXT) };
  return [{ kind: 'result', id: asString(message.toolCallId) ?? '', name, at, value: told }];
}

/** How many characters of a result are kept: its beginning says what went wrong. */
const MAX_TEXT = 400;

function call(part: JsonObject | null, stop: string | null, at: number | null): readonly ToolFact[] {
  const name = asString(part?.name) ?? '';
  // The call of an answer that was stopped never ran.
  if (part?.type !== 'toolCall' || !TOOLS.has(name) || stop === 'aborted') return [];
  const input = asObject(part.arguments) ?? {};
  return [{ kind: 'call', id: asString(part.id) ?? '', name, at, value: { input } }];
}
