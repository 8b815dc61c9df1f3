/**
 * Runs one task of the evaluation in a temporary folder: the real agent with its tools, hashes, review and save, a
 * given model, and a scripted user. Leaves nothing behind.
 */
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLoop } from '../../src/agent/loop/loop.ts';
import type { AgentProvider } from '../../src/agent/providers/provider.ts';
import type { Side } from '../../src/agent/providers/routing.ts';
import type { FileMapPort } from '../../src/agent/tools/tool.ts';
import { followJob } from '../../src/app/agent/follow-job.ts';
import { connectHost } from '../../src/app/client/connect.ts';
import { openAgent } from '../../src/app/host/open-agent.ts';
import { ok, type Result } from '../../src/lib/result.ts';
import { copanePaths, type Env } from '../../src/platform/paths.ts';
import { readRegularSync } from '../../src/platform/regular-file.ts';
import { makeScratch, temporaryFolder } from '../../src/platform/scratch.ts';
import type { AgentEvent, AgentJob, AgentLimits, ModelMode } from '../../src/protocol/agent.ts';
import type { AgentModels } from '../../src/protocol/agent-models.ts';
import type { Client } from '../../src/protocol/client.ts';
import { bytesOf, judge } from './judge.ts';
import type { TaskRun } from './metrics.ts';
import type { EvalTask, TaskContent } from './task.ts';

const TASK_FILE_MAX_BYTES = 64 * 1024 * 1024;

/** What the tasks run with. */
export interface TaskStage {
  readonly mode: ModelMode;
  readonly models: AgentModels;
  readonly limits: AgentLimits;
  readonly env: Env;
  readonly maps: FileMapPort | null;
  /** A side's model: live, recorded or replayed. */
  readonly provider: (side: Side, task: EvalTask) => Promise<Result<AgentProvider>>;
}

/** After a conflict the user asks once more. */
const RERUNS_MAX = 1;

/** Runs the task and judges the result. Throws when the task could not run at all. */
export async function runTask(stage: TaskStage, task: EvalTask): Promise<Result<TaskRun>> {
  const home = makeScratch('eval', await realpath(temporaryFolder()));
  try {
    const root = path.join(home, 'project');
    await mkdir(root);
    for (const [file, content] of Object.entries(task.files)) await put(root, file, content);
    const begun = performance.now();
    const played = await play(stage, task, { home, root });
    if (!played.ok) return played;
    return ok(runOf(task, played.value, { root, latencyMs: performance.now() - begun }));
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

interface Place {
  readonly home: string;
  readonly root: string;
}

/** What was observed of a run. */
interface Played {
  readonly job: AgentJob;
  readonly events: readonly AgentEvent[];
  readonly accepted: number;
  readonly total: number;
  readonly hadConflict: boolean;
}

async function play(stage: TaskStage, task: EvalTask, { home, root }: Place): Promise<Result<Played>> {
  const { models, limits, mode, env, maps } = stage;
  const paths = copanePaths({ HOME: home });
  let step = 0;
  const provider = async (side: Side) => {
    const made = await stage.provider(side, task);
    if (!made.ok) return made;
    const inner = made.value;
    const runStep: AgentProvider['runStep'] = async (request, options) => {
      for (const { before_step, write } of task.meanwhile) {
        if (before_step !== step) continue;
        for (const [file, content] of Object.entries(write)) await put(root, file, content);
      }
      step += 1;
      return inner.runStep(request, options);
    };
    return ok({ ...inner, runStep });
  };
  const setup = { models: () => models, env, maps, now: Date.now, provider };
  const runLoop = createLoop({ ...setup, keysFile: path.join(home, 'keys.json'), dataDir: paths.dataDir });
  const connected = await connectHost({
    paths,
    version: 'eval',
    openAgent: (host, at) => openAgent(host, at, { limits, mode: () => mode, runLoop }),
  });
  if (!connected.ok) return connected;
  try {
    return await converse(connected.value, task, root);
  } finally {
    await connected.value.close();
  }
}

/** Asks, answers, decides, saves: until the job is over. */
async function converse(client: Client, task: EvalTask, root: string): Promise<Result<Played>> {
  const session = await client.request('agent/create', { root });
  if (!session.ok) return session;
  const session_id = session.value.id;
  const started = await client.request('agent/run', { session_id, instruction: task.prompt });
  if (!started.ok) return started;
  const events: AgentEvent[] = [];
  const answers = [...task.answers];
  let [id, reruns, accepted, total, hadConflict] = [started.value.job_id, 0, 0, 0, false];
  for (;;) {
    const job = await followJob(client, id, { onEvent: (event) => events.push(event), onText: null });
    if (!job.ok) return job;
    if (job.value.status === 'waiting_for_user') {
      const answered = await answer(client, job.value, answers.shift());
      if (!answered.ok) return answered;
      continue;
    }
    const { status, diff_bundle: bundle } = job.value;
    if (status !== 'awaiting_review' || bundle === null)
      return ok({ job: job.value, events, accepted, total, hadConflict });
    const hunks = bundle.files.flatMap((file) => file.hunks);
    const taken = hunks.filter(({ patch }) => !task.rejects.some((text) => patch.includes(text)));
    const accepted_hunk_ids = taken.map(({ hunk_id }) => hunk_id);
    const applied = await client.request('agent/apply', { session_id, job_id: id, accepted_hunk_ids });
    if (!applied.ok) return applied;
    if (applied.value.status === 'conflict') hadConflict = true;
    else [accepted, total] = [accepted + taken.length, total + hunks.length];
    if (applied.value.status === 'completed' || reruns === RERUNS_MAX) {
      const after = await client.request('agent/job', { job_id: id });
      return after.ok ? ok({ job: after.value, events, accepted, total, hadConflict }) : after;
    }
    reruns += 1;
    const again = await client.request('agent/rerun', { job_id: id });
    if (!again.ok) return again;
    id = again.value.job_id;
  }
}

function answer(
  client: Client,
  { id, question }: AgentJob,
  text: string | undefined,
): Promise<Result<unknown>> {
  const about = { job_id: id, question_id: question?.question_id ?? '' };
  return client.request(
    'agent/clarify',
    text === undefined ? { ...about, skip: true } : { ...about, answer: text },
  );
}

function runOf(
  task: EvalTask,
  { job, events, accepted, total, hadConflict }: Played,
  { root, latencyMs }: { readonly root: string; readonly latencyMs: number },
): TaskRun {
  const of = (type: AgentEvent['type']) => events.filter((event) => event.type === type);
  const asked = of('clarification.requested').map(({ data }) => String(data.question));
  const toolCalls = of('tool.call.requested').length;
  const tokens = (name: string) =>
    of('message.completed').reduce((sum, { data }) => sum + Number(data[name] ?? 0), 0);
  const isStale = of('edits.refused').some(({ data }) =>
    JSON.stringify(data.faults).includes('"wrong_hash"'),
  );
  const faults = judge(task, {
    status: job.status === 'completed' || job.status === 'failed' ? job.status : null,
    message: job.message ?? '',
    asked,
    hunks: total,
    toolCalls,
    read: (file) => bytesAt(path.join(root, file)),
  });
  const why = job.error === null ? [] : [`${job.error.code}: ${job.error.message}`];
  return {
    task: task.name,
    faults: faults.length === 0 ? [] : [...faults, ...why],
    hunks: { accepted, total },
    hadConflict: hadConflict || isStale,
    toolCalls,
    questions: asked.length,
    latencyMs,
    tokens: { input: tokens('input_tokens'), output: tokens('output_tokens') },
  };
}

async function put(root: string, file: string, content: TaskContent | null): Promise<void> {
  const target = path.join(root, file);
  if (content === null) return rm(target, { force: true });
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, bytesOf({ files: { [file]: content } }, file) ?? '');
}

function bytesAt(file: string): Uint8Array | null {
  try {
    return readRegularSync(file, { maxBytes: TASK_FILE_MAX_BYTES });
  } catch {
    // No such file: the answer is null.
    return null;
  }
}
