/** A real model's replies to the jobs of a run, stored alone; and a model that plays them back. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { jsonProtocol } from '../../../src/agent/providers/json-protocol.ts';
import {
  type AgentProvider,
  failStep,
  stopReasonOf,
  toolCallFrom,
} from '../../../src/agent/providers/provider.ts';
import { ok } from '../../../src/lib/result.ts';

const replySchema = z.strictObject({
  text: z.string(),
  calls: z.array(z.strictObject({ name: z.string(), arguments: z.string() })),
  finish: z.string(),
});
export type RecordedReply = z.output<typeof replySchema>;

/** How a job ended: with the right bytes, with a result a reviewer can use, with other bytes, or without a proposal. */
const endsSchema = z.enum(['right', 'usable', 'wrong', 'none']);
export type Ends = z.output<typeof endsSchema>;

const jobSchema = z.strictObject({
  task: z.string(),
  ends: endsSchema,
  replies: z.array(replySchema),
});
export type RecordedJob = z.output<typeof jobSchema>;

export const recordingSchema = z.strictObject({
  model: z.string(),
  tools: z.enum(['native', 'json']),
  jobs: z.array(jobSchema),
});

export type Recording = z.output<typeof recordingSchema>;

const FOLDER = path.join(import.meta.dirname, 'recorded');

/** All recordings: of this build, or of an earlier one with other prompts. */
export function readRecordings(build: 'now' | 'before' = 'now'): readonly Recording[] {
  const folder = build === 'now' ? FOLDER : path.join(FOLDER, 'before');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names
    .sort()
    .map((name) => recordingSchema.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8'))));
}

/** A model that gives these replies in order, whatever it is asked; the last one repeats. */
export function replayingReplies({ model, tools }: Recording, { replies }: RecordedJob): AgentProvider {
  let at = 0;
  const inner: AgentProvider = {
    name: 'replay',
    model,
    contextTokens: 16_000,
    runStep: async () => {
      const reply = replies[Math.min(at, replies.length - 1)];
      at += 1;
      if (reply === undefined) return failStep('cut', 'No reply was recorded.');
      const toolCalls = reply.calls.map((call, index) =>
        toolCallFrom(`call_${at}_${index}`, call.name, call.arguments),
      );
      const usage = { inputTokens: null, outputTokens: null, latencyMs: 0, model };
      const step = { assistantMessage: reply.text, toolCalls, stopReason: stopReasonOf(toolCalls), usage };
      return ok(reply.finish === 'length' ? { ...step, isCut: true } : step);
    },
  };
  return tools === 'json' ? jsonProtocol(inner) : inner;
}

const deltaSchema = z.looseObject({
  content: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.int(),
        function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }),
      }),
    )
    .nullish(),
});
const chunkSchema = z.looseObject({
  choices: z.array(z.looseObject({ delta: deltaSchema, finish_reason: z.string().nullish() })).default([]),
});

/** The reply in a chat completions stream; anything else is kept as text. */
export function replyIn(stream: string): RecordedReply {
  const calls: { name: string; arguments: string }[] = [];
  let [text, finish] = ['', ''];
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const parsed = chunkSchema.safeParse(JSON.parse(line.slice('data: '.length)));
    if (!parsed.success) return { text: stream, calls: [], finish: 'error' };
    for (const { delta, finish_reason } of parsed.data.choices) {
      text += delta.content ?? '';
      finish = finish_reason ?? finish;
      for (const { index, function: called } of delta.tool_calls ?? []) {
        calls[index] ??= { name: '', arguments: '' };
        const call = calls[index];
        call.name += called.name ?? '';
        call.arguments += called.arguments ?? '';
      }
    }
  }
  return { text, calls, finish };
}
