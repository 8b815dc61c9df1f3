/** Reads tool calls, results and backups from a line of Claude Code's session. Pure. */
import { asArray, asObject, asString, asTime, type JsonObject } from './json.ts';
import { only, type ToolFact } from './tool-facts.ts';

/** Tools that write files, run commands or start sub-agents. */
const TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Bash', 'PowerShell', 'Agent', 'Task']);
const BACKUPS = new Set(['file-history-snapshot', 'file-history-delta']);

/** Empty for lines of another kind. A result is recognized by its shape. */
export function claudeFacts(value: unknown): readonly ToolFact[] {
  const record = asObject(value);
  const type = asString(record?.type);
  if (record === null || type === null) return [];
  const at = asTime(record.timestamp);
  if (BACKUPS.has(type)) return backup(type, record);
  const content = asArray(asObject(record.message)?.content).map((block) => asObject(block) ?? {});
  if (type === 'assistant') return content.flatMap((block) => call(block, record, at));
  if (type !== 'user') return [];
  return content.flatMap((block) => result(block, record, at));
}

function call(block: JsonObject, record: JsonObject, at: number | null): ToolFact[] {
  const name = asString(block.name) ?? '';
  if (block.type !== 'tool_use' || !TOOLS.has(name)) return [];
  const input = asObject(block.input) ?? {};
  return [{ kind: 'call', id: asString(block.id) ?? '', name, at, value: { input, cwd: record.cwd } }];
}

/** Leaves out the text of a file that was read: no edit needs it. */
function result(block: JsonObject, record: JsonObject, at: number | null): ToolFact[] {
  const toolResult = record.toolUseResult;
  if (block.type !== 'tool_result' || asObject(asObject(toolResult)?.file) !== null) return [];
  const value = {
    told:
      asObject(toolResult) === null
        ? toolResult
        : { ...asObject(toolResult), stdout: undefined, stderr: undefined },
    isError: block.is_error === true,
    // The call was invalid: the tool did nothing.
    hasNotRun: /^<tool_use_error>/.test(asString(block.content) ?? ''),
    denial: record.toolDenialKind,
    deniedBeforeRun: record.toolDenialBeforeRun,
  };
  return [{ kind: 'result', id: asString(block.tool_use_id) ?? '', name: '', at, value }];
}

/** A backup names the prompt for which it was made. */
function backup(name: string, record: JsonObject): ToolFact[] {
  const snapshot = asObject(record.snapshot);
  // Older versions record an update under the call; its snapshot names the prompt.
  const id = asString(record.snapshotMessageId) ?? asString(snapshot?.messageId ?? record.messageId) ?? '';
  const at = asTime(snapshot?.timestamp ?? record.timestamp);
  const value = snapshot ?? only(record, ['trackingPath', 'backup']);
  return [{ kind: 'mark', id, name, at, value }];
}
