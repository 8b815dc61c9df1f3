/** `copane agent run|rerun|clarify`: starts or continues a job, follows it, and asks the user what the model asks. */
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { followJob } from '../app/agent/follow-job.ts';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { sanitize } from '../lib/sanitize.ts';
import { readRegular } from '../platform/regular-file.ts';
import type { AgentEvent, AgentJob, AgentMode, JobErrorCode } from '../protocol/agent.ts';
import type { Client } from '../protocol/client.ts';
import type { CommandParams } from '../protocol/command.ts';
import { eventLine, LiveText, printJob } from './agent-output.ts';
import { type CliContext, ExitWith, unwrap } from './cli-context.ts';
import { line, withHost, withReviewer } from './review-output.ts';

export interface RunFlags {
  readonly root?: string;
  readonly session?: string;
  readonly context?: readonly string[];
  readonly mode?: AgentMode;
  readonly maxToolCalls?: number;
  readonly confirm?: boolean;
  readonly detach?: boolean;
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The largest file that can be given as context. */
const CONTEXT_MAX_BYTES = 1_000_000;

/** Runs an instruction in a new session, or in the given one. */
export async function run(context: CliContext, instruction: string, flags: RunFlags): Promise<void> {
  const rows = unwrap(context, await contextRows(context, flags.context ?? []));
  await withHost(context, async (client) => {
    const detachable = canDetach(client, flags);
    if (!detachable.ok) return detachable;
    const session = await sessionOf(context, client, flags);
    if (!session.ok) return session;
    const started = await client.request('agent/run', {
      session_id: session.value,
      instruction,
      context_rows: rows,
      tool_config: flags.maxToolCalls === undefined ? {} : { max_tool_calls: flags.maxToolCalls },
      mode: flags.mode ?? null,
      confirm_before_edits: flags.confirm ?? false,
    });
    if (!started.ok) return started;
    return end(context, client, started.value.job_id, flags);
  });
}

/** Runs a job's instruction again. */
export async function rerun(context: CliContext, job: string, flags: RunFlags): Promise<void> {
  await withHost(context, async (client) => {
    const detachable = canDetach(client, flags);
    if (!detachable.ok) return detachable;
    const started = await client.request('agent/rerun', { job_id: job });
    return started.ok ? end(context, client, started.value.job_id, flags) : started;
  });
}

/** Answers the question of a waiting job, then follows the job. */
export async function clarify(
  context: CliContext,
  job: string,
  answer: string,
  flags: RunFlags & { readonly skip?: boolean },
): Promise<void> {
  await withReviewer(context, async (client) => {
    const found = await client.request('agent/job', { job_id: job });
    if (!found.ok) return found;
    const { question } = found.value;
    if (question === null) return fail('refused', `Job ${job} has no open question.`);
    const skip = flags.skip ?? false;
    const answered = await client.request('agent/clarify', {
      job_id: job,
      question_id: question.question_id,
      answer,
      skip,
    });
    return answered.ok ? end(context, client, job, flags) : answered;
  });
}

/** Without a leader in another process, the job ends with this one, so it cannot be detached. */
function canDetach(client: Client, { detach }: RunFlags): Result<void> {
  const leads = client.state.kind === 'connected' && client.state.leader;
  if (detach !== true || !leads) return ok(undefined);
  return fail(
    'refused',
    'No copane is running that could continue the job.',
    'Start the companion or "copane serve", or leave out --detach.',
  );
}

async function sessionOf(context: CliContext, client: Client, flags: RunFlags): Promise<Result<string>> {
  if (flags.session !== undefined) return ok(flags.session);
  const made = await client.request('agent/create', { root: path.resolve(context.cwd, flags.root ?? '.') });
  return made.ok ? ok(made.value.id) : made;
}

async function end(
  context: CliContext,
  client: Client,
  jobId: string,
  flags: RunFlags,
): Promise<Result<void>> {
  if (flags.detach === true) {
    if (context.json) context.out(line({ job_id: jobId, status: 'queued' }));
    else context.out(`${jobId}\n`);
    return ok(undefined);
  }
  const live = new LiveText((text) => void process.stderr.write(sanitize(text)));
  const isWatched = process.stderr.isTTY && !context.json;
  const onEvent = (event: AgentEvent) => {
    const wasPrinted = live.end() && event.type === 'message.completed';
    if (!context.json && !wasPrinted) context.say(eventLine(event));
  };
  const onText = isWatched ? (text: string) => live.show(text) : null;
  let endedBy: NodeJS.Signals | null = null;
  const stop = (signal: NodeJS.Signals) => {
    endedBy ??= signal;
    void client.request('agent/cancel', { job_id: jobId });
  };
  // In another leader the job would continue unseen; a second Ctrl-C ends this program.
  for (const signal of ENDING_SIGNALS) process.once(signal, stop);
  try {
    for (;;) {
      const ended = await followJob(client, jobId, { onEvent, onText });
      if (!ended.ok) return ended;
      const asked = await askUser(context, client, ended.value);
      if (!asked.ok) return asked;
      if (!asked.value) return tell(context, ended.value, endedBy);
    }
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, stop);
  }
}

/** Asks the user the model's question; false if there is no question or no terminal. */
async function askUser(context: CliContext, client: Client, job: AgentJob): Promise<Result<boolean>> {
  if (job.status !== 'waiting_for_user' || job.question === null) return ok(false);
  if (context.json || !context.stdin.isTTY) return ok(false);
  const prompt = createInterface({ input: context.stdin, output: process.stderr });
  const interrupted = new AbortController();
  prompt.once('SIGINT', () => interrupted.abort());
  const words = `${sanitize(questionWords(job.question))}\n(empty: no answer; Ctrl-C stops the job) > `;
  const answer = await prompt.question(words, interrupted).catch((thrown: unknown) => {
    if (interrupted.signal.aborted) return null;
    throw thrown;
  });
  prompt.close();
  if (answer === null) {
    const cancelled = await client.request('agent/cancel', { job_id: job.id });
    return cancelled.ok ? ok(true) : cancelled;
  }
  const answered = await client.request('agent/clarify', {
    job_id: job.id,
    question_id: job.question.question_id,
    answer,
    skip: answer.trim() === '',
  });
  return answered.ok ? ok(true) : answered;
}

function questionWords({ question, options }: NonNullable<AgentJob['question']>): string {
  return [question, ...options.map((words, index) => `  ${index + 1}  ${words}`)].join('\n');
}

/** The exit code by error: 3 for refusals, 2 for a wrong set-up or bad output, 1 otherwise. */
const EXIT_CODES: Partial<Record<JobErrorCode, number>> = {
  cancelled: 3,
  conflict: 3,
  not_configured: 2,
  unauthorized: 2,
};

function tell(context: CliContext, job: AgentJob, endedBy: NodeJS.Signals | null): Result<void> {
  if (context.json) context.out(line(job));
  else printJob(context, job);
  if (job.status === 'waiting_for_user' && job.question !== null) {
    context.say(`copane: The model asks: ${questionWords(job.question)}`);
    context.say(`  Answer with: copane agent clarify ${job.id} "…"   (or --skip)`);
  }
  if (job.status === 'awaiting_review') {
    context.say(`copane: Review it in the companion, or: copane agent apply ${job.id} --all`);
  }
  if (job.status === 'failed') {
    const code = EXIT_CODES[job.error?.code ?? 'internal'] ?? 1;
    throw new ExitWith(endedBy === null ? code : 128 + os.constants.signals[endedBy]);
  }
  return ok(undefined);
}

/** `FILE`, or `FILE:A-B`. */
async function contextRows(
  context: CliContext,
  names: readonly string[],
): Promise<Result<NonNullable<CommandParams<'agent/run'>['context_rows']>>> {
  const rows: NonNullable<CommandParams<'agent/run'>['context_rows']> = [];
  for (const [i, name] of names.entries()) {
    const match = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(name);
    const file = match?.[1] ?? name;
    try {
      const text = String(
        await readRegular(path.resolve(context.cwd, file), { maxBytes: CONTEXT_MAX_BYTES }),
      );
      if (text.length > CONTEXT_MAX_BYTES) return fail('invalid', `${file} is too large for a context row.`);
      const first = match?.[2] === undefined ? null : Number(match[2]);
      const last = first === null ? null : Number(match?.[3] ?? first);
      const content =
        first === null
          ? text
          : text
              .split('\n')
              .slice(first - 1, last ?? first)
              .join('\n');
      const kind = first === null ? 'file' : 'selection';
      rows.push({ id: `ctx_${i + 1}`, kind, file_path: file, start_line: first, end_line: last, content });
    } catch (thrown) {
      return fail('invalid', `cannot read ${file}: ${errorMessage(thrown)}`);
    }
  }
  return ok(rows);
}
