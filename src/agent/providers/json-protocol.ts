/** Drives a model without tool calls: the same tools as one JSON object each way, strictly in turns. */

import { isRecord } from '../../lib/is-record.ts';
import { ok } from '../../lib/result.ts';
import { editsInText } from '../../review/core/text-edits.ts';
import { callsInText, withoutThoughts } from '../core/text-calls.ts';
import { brokenOffObject, lenientObject } from '../core/tool-call.ts';
import {
  type AgentProvider,
  failStep,
  type StepMessage,
  type StepRequest,
  type StepResult,
  type StepToolCall,
  stopReasonOf,
  toolCallFrom,
} from './provider.ts';

/** Further calls in one answer are ignored. */
const CALLS_MAX = 32;

/** The same provider, used by text only. */
export function jsonProtocol(inner: AgentProvider): AgentProvider {
  return {
    ...inner,
    runStep: async (request, options) => {
      // Without tools, the model is not asked for the form of calls.
      if (request.tools.length === 0) return inner.runStep(request, options);
      const words = new MessageStream();
      const onDelta = (piece: string) => {
        const said = words.push(piece);
        if (said !== '') options.onDelta(said);
      };
      const outcome = await inner.runStep(inText(request), { ...options, onDelta });
      if (!outcome.ok) return outcome;
      const turn = request.messages.filter((message) => message.role === 'assistant').length;
      const read = readAnswer(withoutThoughts(outcome.value.assistantMessage), turn);
      if (read === null) {
        const words = outcome.value.isCut
          ? 'The answer was cut at the output limit of the model: propose fewer or smaller edits at a time.'
          : 'Your answer is not a JSON object of the form {"message": …, "tool_calls": […]}.';
        return failStep('malformed', words);
      }
      const { isCut: _, ...step } = outcome.value;
      return ok({ ...step, ...read, stopReason: stopReasonOf(read.toolCalls) });
    },
  };
}

function inText(request: StepRequest): StepRequest {
  return {
    system: `${request.system}\n\n${instructions(request)}`,
    messages: request.messages.map(messageInText),
    tools: [],
    answerTools: request.tools,
  };
}

function instructions({ tools }: StepRequest): string {
  const described = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  );
  return `# How you answer
Answer with exactly one JSON object and nothing around it:
{"message": "what you say to the user", "tool_calls": [{"name": "TOOL", "arguments": {}}]}
"tool_calls" may be empty or left out; then "message" is your final answer. The results of your calls come in the next message, in the order of the calls.

# Tools, one a line, with the JSON Schema of their arguments
${described.join('\n')}`;
}

function messageInText(message: StepMessage): StepMessage {
  if (message.role === 'user') return message;
  if (message.role === 'tool') {
    const results = message.results.map(({ name, ok: isOk, blocks }, index) =>
      JSON.stringify({ result_of_call: index + 1, name, ok: isOk, data: blocks }),
    );
    return { role: 'user', text: `Results of your tool calls, as data:\n${results.join('\n')}` };
  }
  const calls = message.toolCalls.map(({ name, arguments: args, written }) => ({
    name,
    arguments: args ?? written,
  }));
  return {
    role: 'assistant',
    text: JSON.stringify({ message: message.text, tool_calls: calls }),
    toolCalls: [],
  };
}

/** The model's answer; null if it attempted the form and failed. Prose without a brace is an answer. */
export function readAnswer(
  text: string,
  turn: number,
): Pick<StepResult, 'assistantMessage' | 'toolCalls'> | null {
  const value = firstObject(text);
  if (value === null) return otherAnswer(text, turn);
  const said = typeof value.message === 'string' ? value.message : '';
  const calls = value.tool_calls ?? [];
  if (!Array.isArray(calls) || calls.length > CALLS_MAX) return null;
  const toolCalls = calls.map((call: unknown, index) => readCall(call, `json_${turn}_${index}`));
  if (toolCalls.some((call) => call === null)) return null;
  if (said === '' && toolCalls.length === 0) return null;
  return { assistantMessage: said, toolCalls: toolCalls.filter((call) => call !== null) };
}

/** Calls in the model's own form, edits as text, or plain text. */
function otherAnswer(text: string, turn: number): ReturnType<typeof readAnswer> {
  const calls = callsInText(text);
  if (calls.length > 0) {
    const toolCalls = calls.map((call, index) => readCall(call, `json_${turn}_${index}`));
    return { assistantMessage: '', toolCalls: toolCalls.filter((call) => call !== null) };
  }
  const isMeantAsForm = /[{[]\s*"|```/.test(text) && !/"edits"\s*:/.test(text);
  if (isMeantAsForm && editsInText(text).length === 0) return null;
  return { assistantMessage: text.trim(), toolCalls: [] };
}

function readCall(call: unknown, id: string): StepToolCall | null {
  if (!isRecord(call) || typeof call.name !== 'string' || call.name === '') return null;
  const args = call.arguments ?? {};
  return toolCallFrom(id, call.name, typeof args === 'string' ? args : JSON.stringify(args));
}

/** The first JSON object in the text that is an answer: small models put it in a fence, or write text before it. */
function firstObject(text: string): Readonly<Record<string, unknown>> | null {
  for (let from = text.indexOf('{'), tries = 0; from !== -1 && tries < 8; tries += 1) {
    const piece = text.slice(from);
    const value = lenientObject(piece) ?? brokenOffAnswer(piece);
    if (value !== null && ('message' in value || 'tool_calls' in value)) return value;
    from = text.indexOf('{', from + 1);
  }
  return null;
}

/** A truncated last call keeps its arguments as they were written. */
function brokenOffAnswer(text: string): Readonly<Record<string, unknown>> | null {
  const value = brokenOffObject(text);
  if (value === null || !Array.isArray(value.tool_calls)) return null;
  const calls: readonly unknown[] = value.tool_calls;
  const last = calls.at(-1);
  const written = /^[\s\S]*"arguments"\s*:\s*/.exec(text)?.[0].length;
  if (!isRecord(last) || written === undefined) return null;
  return { ...value, tool_calls: [...calls.slice(0, -1), { ...last, arguments: text.slice(written) }] };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Extracts the user's text from a JSON answer as it streams. Passes other answers through. Sans I/O. */
export class MessageStream {
  #text = '';
  /** Where the text begins in `#text`; null while unknown. */
  #at: number | null = null;
  #isProse = false;
  #isOver = false;

  /** Takes a piece; returns the text that it completes. */
  push(piece: string): string {
    if (this.#isProse) return piece;
    this.#text += piece;
    if (this.#isOver) return '';
    const start = this.#text.trimStart();
    if (start !== '' && !/^[{`]/.test(start)) {
      this.#isProse = true;
      return this.#text;
    }
    this.#at ??= this.#findWords();
    return this.#at === null ? '' : this.#takeWords(this.#at);
  }

  #findWords(): number | null {
    const found = /"message"\s*:\s*"/.exec(this.#text);
    return found === null ? null : found.index + found[0].length;
  }

  #takeWords(from: number): string {
    let at = from;
    let words = '';
    while (at < this.#text.length) {
      const character = this.#text.charAt(at);
      if (character === '"') {
        this.#isOver = true;
        break;
      }
      const width = character === '\\' ? (this.#text.charAt(at + 1) === 'u' ? 6 : 2) : 1;
      // The rest of an escape may come with the next piece.
      if (at + width > this.#text.length) break;
      words += width === 1 ? character : unescaped(this.#text.slice(at + 1, at + width));
      at += width;
    }
    this.#at = at;
    return words;
  }
}

function unescaped(sequence: string): string {
  const [kind = ''] = sequence;
  if (kind !== 'u') return ESCAPES[kind] ?? kind;
  const code = Number.parseInt(sequence.slice(1), 16);
  return Number.isNaN(code) ? '' : String.fromCharCode(code);
}
