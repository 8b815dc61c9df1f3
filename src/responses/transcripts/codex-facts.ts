/** Reads tool calls, file changes, commands and their results from a line of a Codex rollout. Pure. */
import { asObject, asString, asTime, type JsonObject } from './json.ts';
import { only, type ToolFact } from './tool-facts.ts';

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output']);
/** Enough of a result to show whether it was refused or failed. */
const MAX_OUTPUT_CHARACTERS = 400;
const ITEM_FIELDS = ['changes', 'status', 'command', 'cwd', 'exit_code', 'process_id'];

/** Empty for lines of another kind. */
export function codexFacts(value: unknown): readonly ToolFact[] {
  const record = asObject(value);
  const payload = asObject(record?.payload);
  const at = asTime(record?.timestamp);
  if (payload === null) return [];
  if (record?.type === 'response_item') return fromItem(payload, at);
  return record?.type === 'event_msg' && payload.type === 'item_completed' ? fromCompleted(payload, at) : [];
}

function fromCompleted(payload: JsonObject, at: number | null): readonly ToolFact[] {
  const item = asObject(payload.item);
  const name = asString(item?.type);
  if (item === null || (name !== 'FileChange' && name !== 'CommandExecution')) return [];
  return [
    {
      kind: 'result',
      id: asString(item.id) ?? '',
      name,
      at,
      value: { ...only(item, ITEM_FIELDS), startedAt: payload.started_at_ms },
    },
  ];
}

function fromItem(item: JsonObject, at: number | null): readonly ToolFact[] {
  const type = asString(item.type) ?? '';
  const id = asString(item.call_id) ?? '';
  if (CALLS.has(type)) {
    const value = { input: item.input ?? item.arguments ?? JSON.stringify(item.action ?? {}) };
    return [{ kind: 'call', id, name: asString(item.name) ?? type, at, value }];
  }
  if (!RESULTS.has(type)) return [];
  const output = asString(item.output) ?? JSON.stringify(item.output ?? '');
  return [{ kind: 'result', id, name: '', at, value: { output: output.slice(0, MAX_OUTPUT_CHARACTERS) } }];
}
