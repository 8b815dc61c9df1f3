/** What a line of Gemini CLI's log tells of tools. A message is written again once its calls are done. Pure. */
import { asArray, asObject, asString, asTime, type JsonObject } from './json.ts';
import { only, type ToolFact } from './tool-facts.ts';

const TOOLS = new Set(['replace', 'edit', 'write_file', 'run_shell_command']);
const DISPLAY_FIELDS = ['filePath', 'originalContent', 'newContent', 'isNewFile', 'diffStat'];

/** One fact a call, with what came of it. Empty for lines of another kind. */
export function geminiFacts(value: unknown): readonly ToolFact[] {
  const record = asObject(value);
  const all = asObject(record?.$set)?.messages ?? record?.messages;
  const messages = Array.isArray(all) ? all : [record];
  return messages.flatMap((each) => {
    const message = asObject(each);
    return asArray(message?.toolCalls).flatMap((call) => fromCall(asObject(call), message));
  });
}

/** The message that a fact is from. */
export function messageOf(fact: ToolFact): string {
  return asString(fact.value.message) ?? '';
}

/** A call has the time at which it was over, and its message that of the model's answer. */
function fromCall(call: JsonObject | null, message: JsonObject | null): readonly ToolFact[] {
  const name = asString(call?.name) ?? '';
  if (call === null || !TOOLS.has(name)) return [];
  const shown = asObject(call.resultDisplay);
  const value = {
    message: asString(message?.id) ?? '',
    askedAt: asTime(message?.timestamp),
    args: call.args,
    status: call.status,
    shown: shown === null ? null : only(shown, DISPLAY_FIELDS),
  };
  return [{ kind: 'result', id: asString(call.id) ?? '', name, at: asTime(call.timestamp), value }];
}
