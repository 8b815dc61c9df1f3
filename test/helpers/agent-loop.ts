/** Runs the agent's loop on a project folder: collects events, checks edits against the files, answers as the user. */
import { composeEdits, pathsOfEdits } from '../../src/agent/core/compose.ts';
import { createLoop, type LoopSetup } from '../../src/agent/loop/loop.ts';
import type { LoopDeps, LoopInput, RunLoop } from '../../src/agent/loop/port.ts';
import { readFact } from '../../src/agent/proposer.ts';
import {
  type AgentProvider,
  type ProviderFailure,
  type StepRequest,
  stopReasonOf,
  toolCallFrom,
} from '../../src/agent/providers/provider.ts';
import { type AgentEventInput, agentLimitsSchema, type ProposedEdit } from '../../src/protocol/agent.ts';
import type { AgentModels } from '../../src/protocol/agent-models.ts';
import { configSchema } from '../../src/protocol/config.ts';
import { sha256 } from '../../src/review/files/hash.ts';
import { buffersOf } from './agent-tools.ts';

/** What a scripted step does: emits text, calls tools by name and arguments, or fails. */
export interface ScriptedStep {
  readonly text?: string;
  readonly calls?: readonly (readonly [name: string, input: unknown])[];
  readonly fails?: ProviderFailure;
  /** The provider ended it early. */
  readonly isCut?: true;
  /** Never answers; ends when cancelled. */
  readonly hangs?: boolean;
  /** What changes in the world before it. */
  readonly before?: () => void;
}

/** A provider that gives these steps in order, repeats the last one, and keeps the requests. */
export function scriptedProvider(
  steps: readonly ScriptedStep[],
  changes: Partial<AgentProvider> = {},
): AgentProvider & { readonly requests: StepRequest[] } {
  const requests: StepRequest[] = [];
  return {
    name: 'scripted',
    model: 'm',
    contextTokens: 100_000,
    requests,
    runStep: async (request, { signal, onDelta }) => {
      const turn = requests.push(structuredClone(request)) - 1;
      const step = steps[Math.min(turn, steps.length - 1)] ?? {};
      step.before?.();
      if (step.hangs) {
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        return { ok: false, error: { kind: 'cancelled', message: 'cancelled' } };
      }
      if (step.fails !== undefined) return { ok: false, error: step.fails };
      if (step.text !== undefined) onDelta(step.text);
      const toolCalls = (step.calls ?? []).map(([name, input], index) =>
        toolCallFrom(`c${turn}_${index}`, name, typeof input === 'string' ? input : JSON.stringify(input)),
      );
      const usage = { inputTokens: 10, outputTokens: 5, latencyMs: 1, model: 'm' };
      const stopReason = stopReasonOf(toolCalls);
      const value = { assistantMessage: step.text ?? '', toolCalls, stopReason, usage };
      return { ok: true, value: step.isCut ? { ...value, isCut: true } : value };
    },
    ...changes,
  };
}

export interface LoopRun {
  readonly root: string;
  readonly input?: Partial<LoopInput>;
  readonly deps?: Partial<LoopDeps>;
  readonly models?: Partial<AgentModels>;
  readonly setup?: Partial<LoopSetup>;
  /** Replaces the models' loop. */
  readonly loop?: RunLoop;
  readonly answers?: readonly string[];
}

/** The faults of edits against the files on disk, as a review would find them. */
async function checkOnDisk(root: string, edits: readonly ProposedEdit[]) {
  const facts = await Promise.all(
    pathsOfEdits(edits).map(async (path) => [path, await readFact(root, path)] as const),
  );
  const composed = composeEdits(edits, { files: new Map(facts), hash: sha256 });
  return composed.ok ? [] : composed.faults;
}

/** Runs one job; returns how it ended, its events, and the user's questions. */
export async function runLoop(run: LoopRun) {
  const events: AgentEventInput[] = [];
  const asked: string[] = [];
  const models: AgentModels = { ...configSchema.parse({}), ...run.models };
  const loop =
    run.loop ??
    createLoop({
      models: () => models,
      env: process.env,
      keysFile: '/nonexistent/keys.json',
      dataDir: '/nonexistent/data',
      now: Date.now,
      maps: null,
      ...run.setup,
    });
  const outcome = await loop(
    {
      jobId: 'job_1',
      root: run.root,
      instruction: 'Do it.',
      contextRows: [],
      chat: [],
      limits: agentLimitsSchema.parse({}),
      mode: 'remote',
      confirmBeforeEdits: false,
      ...run.input,
    },
    {
      emit: (event) => events.push(event),
      delta: () => undefined,
      askUser: async (question) => {
        asked.push(question);
        const answer = run.answers?.[asked.length - 1];
        if (answer === undefined) throw new Error(`nobody answers ${question}`);
        return answer;
      },
      buffers: buffersOf(),
      check: (edits) => checkOnDisk(run.root, edits),
      signal: new AbortController().signal,
      ...run.deps,
    },
  );
  return { outcome, events, asked, types: events.map((event) => event.type) };
}
