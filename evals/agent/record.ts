/**
 * Records the traces again from the written answers in `replies/`: requests change whenever a prompt or a tool's
 * description changes, the answers do not. `node evals/agent/record.ts [TASK...]`
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import {
  type AgentProvider,
  failStep,
  stopReasonOf,
  toolCallFrom,
} from '../../src/agent/providers/provider.ts';
import { agentFileMaps, openFileMaps } from '../../src/app/file-maps.ts';
import { ok } from '../../src/lib/result.ts';
import { agentLimitsSchema } from '../../src/protocol/agent.ts';
import { configSchema } from '../../src/protocol/config.ts';
import { recording, type TraceEntry } from './replay.ts';
import { runTask } from './run-task.ts';
import { readTasks, writeTraces } from './task-files.ts';

const folder = import.meta.dirname;

const repliesSchema = z.array(
  z.strictObject({ text: z.string(), calls: z.array(z.tuple([z.string(), z.unknown()])) }),
);

/** Returns the written answers one after the other. */
async function written(task: string): Promise<AgentProvider> {
  const file = path.join(folder, 'replies', `${task}.json`);
  const replies = repliesSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  let turn = 0;
  return {
    name: 'written',
    model: 'written',
    contextTokens: 128_000,
    runStep: async () => {
      const reply = replies[turn];
      if (reply === undefined) return failStep('not_recorded', `${task} has no answer ${turn + 1}.`);
      const toolCalls = reply.calls.map(([name, input], index) =>
        toolCallFrom(`w${turn}_${index}`, name, JSON.stringify(input)),
      );
      turn += 1;
      const usage = { inputTokens: null, outputTokens: null, latencyMs: 0, model: 'written' };
      const stopReason = stopReasonOf(toolCalls);
      return ok({ assistantMessage: reply.text, toolCalls, stopReason, usage });
    },
  };
}

const tasks = await readTasks(folder);
if (!tasks.ok) throw new Error(tasks.error.message);
const maps = agentFileMaps(openFileMaps(process.env).maps, ({ message }) => {
  throw new Error(message);
});
const traces = new Map<string, TraceEntry[]>();
for (const task of tasks.value) {
  const entries: TraceEntry[] = [];
  const provider = recording(await written(task.name), (entry) => entries.push(entry));
  const run = await runTask(
    {
      mode: 'remote',
      models: configSchema.parse({}),
      limits: agentLimitsSchema.parse({}),
      env: process.env,
      maps,
      provider: async () => ok(provider),
    },
    task,
  );
  if (!run.ok) throw new Error(run.error.message);
  traces.set(task.name, entries);
  console.log(`${run.value.faults.length === 0 ? '✓' : '✗'} ${task.name}`);
  for (const fault of run.value.faults) console.log(`    ${fault}`);
}
await writeTraces(folder, traces);
