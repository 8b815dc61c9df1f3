/**
 * Records what models answer, and answers from recordings. A request without a recording fails and names the closest
 * one: no model is ever asked instead. Call ids are matched by order only.
 */
import { hash } from 'node:crypto';
import * as z from 'zod';
import { redactKeys } from '../../src/agent/providers/keys.ts';
import {
  type AgentProvider,
  failStep,
  type StepMessage,
  type StepRequest,
  toolCallFrom,
} from '../../src/agent/providers/provider.ts';
import { ok } from '../../src/lib/result.ts';

/** One recorded step; a trace is a file with one on each line. */
export const traceEntrySchema = z.strictObject({
  key: z.string(),
  model: z.string(),
  /** The request in readable form, for people and for showing a difference. */
  request: z.array(z.string()),
  message: z.string(),
  calls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })),
  stop_reason: z.enum(['needs_tools', 'needs_clarification', 'proposed_edits', 'done']),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
});
export type TraceEntry = z.output<typeof traceEntrySchema>;

/** A request line by line, without what differs between runs. */
function plainRequest(request: StepRequest): string[] {
  const names = new Map<string, string>();
  const idOf = (id: string) => {
    const known = names.get(id) ?? `call ${names.size + 1}`;
    names.set(id, known);
    return known;
  };
  const tools = request.tools.map(({ name, description, parameters }) =>
    JSON.stringify(['tool', name, description, parameters]),
  );
  const messages = request.messages.map((message) => JSON.stringify(plainMessage(message, idOf)));
  return [JSON.stringify(['system', request.system]), ...tools, ...messages];
}

function plainMessage(message: StepMessage, idOf: (id: string) => string): unknown {
  switch (message.role) {
    case 'user':
      return ['user', message.text];
    case 'assistant': {
      const calls = message.toolCalls.map((call) => [idOf(call.toolCallId), call.name, call.written]);
      return ['assistant', message.text, calls];
    }
    case 'tool':
      return [
        'tool',
        message.results.map(({ toolCallId, ok: isOk, blocks }) => [idOf(toolCallId), isOk, blocks]),
      ];
  }
}

const keyOf = (lines: readonly string[]) => hash('sha256', lines.join('\n'), 'hex');

/** The same provider; each successful step is passed to `keep`, without keys. */
export function recording(
  inner: AgentProvider,
  keep: (entry: TraceEntry) => void,
  keys: readonly string[] = [],
): AgentProvider {
  return {
    ...inner,
    runStep: async (request, options) => {
      const outcome = await inner.runStep(request, options);
      if (!outcome.ok) return outcome;
      const { assistantMessage, toolCalls, stopReason, usage } = outcome.value;
      const lines = plainRequest(request);
      keep({
        key: keyOf(lines),
        model: usage.model,
        request: lines.map((line) => redactKeys(line, keys)),
        message: redactKeys(assistantMessage, keys),
        calls: toolCalls.map((call) => ({ name: call.name, arguments: redactKeys(call.written, keys) })),
        stop_reason: stopReason,
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
      });
      return outcome;
    },
  };
}

/** A provider that answers only from recordings. Entries with the same key go in order, the last repeats. */
export function replaying(entries: readonly TraceEntry[], contextTokens = 128_000): AgentProvider {
  const lanes = new Map<string, TraceEntry[]>();
  for (const entry of entries) lanes.set(entry.key, [...(lanes.get(entry.key) ?? []), entry]);
  return {
    name: 'replay',
    model: entries[0]?.model ?? 'replay',
    contextTokens,
    runStep: async (request, options) => {
      if (options.signal.aborted) return failStep('cancelled', 'The job was cancelled.');
      const lines = plainRequest(request);
      const lane = lanes.get(keyOf(lines));
      const entry = lane !== undefined && lane.length > 1 ? lane.shift() : lane?.[0];
      if (entry === undefined) return failStep('not_recorded', differenceTo(entries, lines));
      if (entry.message !== '') options.onDelta(entry.message);
      const turn = request.messages.length;
      return ok({
        assistantMessage: entry.message,
        toolCalls: entry.calls.map((call, index) =>
          toolCallFrom(`replay_${turn}_${index}`, call.name, call.arguments),
        ),
        stopReason: entry.stop_reason,
        usage: {
          inputTokens: entry.input_tokens,
          outputTokens: entry.output_tokens,
          latencyMs: 0,
          model: entry.model,
        },
      });
    },
  };
}

const SHOWN_MAX_CHARS = 400;

/** The first difference between the nearest recording and this request. */
function differenceTo(entries: readonly TraceEntry[], lines: readonly string[]): string {
  let nearest: TraceEntry | null = null;
  let longest = -1;
  for (const entry of entries) {
    const common = lines.findIndex((line, index) => entry.request[index] !== line);
    const length = common === -1 ? lines.length : common;
    if (length > longest) [nearest, longest] = [entry, length];
  }
  if (nearest === null) return 'There is no recording at all.';
  const [recorded, asked] = cutAtDifference(
    nearest.request[longest] ?? '(nothing)',
    lines[longest] ?? '(nothing)',
  );
  return `No recording has this request. The nearest differs in line ${longest + 1}:\n- ${recorded}\n+ ${asked}`;
}

/** Both texts from shortly before the difference. */
function cutAtDifference(a: string, b: string): readonly [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 40);
  const shown = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, from + SHOWN_MAX_CHARS)}`;
  return [shown(a), shown(b)];
}
