/**
 * Runs the single-file tasks on a built program with a real small model behind any server that speaks the OpenAI
 * protocol, such as llama-server, and counts: right, wrong, no proposal and why. Can record the replies.
 *
 *   npm run eval:model -- --url http://127.0.0.1:8080/v1 --model NAME [--tools json] [--record FILE] [TASK …]
 *   npm run eval:model -- --replay          # plays the recorded replies: a score per model
 *   npm run eval:model -- --table           # writes docs/weak-models.md from the recordings
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type PlayedJob, playJob } from '../faults/play-job.ts';
import { callDelta, chunk, DONE } from '../faults/replies.ts';
import type { EvalTask } from '../task.ts';
import {
  type RecordedJob,
  type RecordedReply,
  readRecordings,
  recordingSchema,
  replyIn,
} from './recording.ts';
import { ENDS, endsOf, pageOf, textBefore } from './score.ts';
import { ONE_FILE_TASKS } from './tasks.ts';

const JOB_TIMEOUT_MS = 15 * 60_000;
const CONTEXT_TOKENS = 16_000;

const { values, positionals } = parseArgs({
  options: {
    program: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8080/v1' },
    model: { type: 'string', default: 'local' },
    tools: { type: 'string', default: 'native' },
    record: { type: 'string' },
    replay: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    /** A folder for requests and answers, for people to read. */
    keep: { type: 'string' },
  },
  allowPositionals: true,
});
const program = path.resolve(values.program ?? path.join(import.meta.dirname, '../../../bin/copane'));

/** Forwards the request to the model's server, and streams its answer back. */
async function forward(response: ServerResponse, body: string): Promise<RecordedReply> {
  const answered = await fetch(`${values.url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  response.writeHead(answered.status, {
    'content-type': answered.headers.get('content-type') ?? 'text/event-stream',
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answered.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    response.write(piece);
  }
  response.end();
  return replyIn(text);
}

/** The model's own server, or recorded replies. */
type Answer = (response: ServerResponse, asked: { at: number; body: string }) => Promise<RecordedReply>;

const live: Answer = (response, { body }) => forward(response, body);

const replayed =
  ({ replies }: RecordedJob): Answer =>
  async (response, { at }) => {
    const reply = replies[Math.min(at, replies.length - 1)] ?? { text: '', calls: [], finish: 'stop' };
    const { text, calls, finish } = reply;
    const called = calls.map(({ name, arguments: given }) => [name, given] as const);
    const delta = { role: 'assistant', content: text, ...(calls.length === 0 ? {} : callDelta(called)) };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(chunk(delta) + chunk({}, finish) + DONE);
    return reply;
  };

interface Settings {
  readonly model: string;
  readonly tools: string;
}

async function play(task: EvalTask, { tools }: Settings, answer: Answer): Promise<RecordedJob> {
  const replies: Promise<RecordedReply>[] = [];
  const files = Object.fromEntries(
    Object.entries(task.files).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
  const begun = performance.now();
  const setup = {
    program,
    files,
    prompt: task.prompt,
    config: {
      agent_remote_tools: tools,
      agent_remote_context_tokens: CONTEXT_TOKENS,
      agent_remote_timeout_ms: JOB_TIMEOUT_MS,
    },
    timeoutMs: JOB_TIMEOUT_MS,
    answer: (response: ServerResponse, asked: { at: number; body: string }) => {
      replies.push(answer(response, asked));
    },
  };
  const look = (played: PlayedJob) => {
    const { status, said, asked, read } = played;
    const after = read(Object.keys(files)[0] ?? '')?.toString() ?? '';
    const ends = endsOf(task, textBefore(task), status === 'awaiting_review' ? after : null);
    return { ends, said, asked, after } as const;
  };
  const { ends, said, asked, after } = await playJob(setup, look);
  const done = await Promise.all(replies);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const mark = { right: '✓', usable: '≈', wrong: '~', none: '✗' }[ends];
  const why = ends === 'none' ? `: ${said.split('\n')[0]?.slice(0, 110)}` : '';
  console.log(`${mark} ${task.name.padEnd(16)} ${ends} (${done.length} requests, ${seconds} s)${why}`);
  if (values.keep !== undefined) {
    mkdirSync(values.keep, { recursive: true });
    const kept = { ends, said, after, replies: done, last: JSON.parse(asked.at(-1) ?? '{}') };
    writeFileSync(path.join(values.keep, `${task.name}.json`), JSON.stringify(kept, null, 1));
  }
  return { task: task.name, ends, replies: done };
}

/** A row of the score. */
function tell({ model, tools }: Settings, jobs: readonly RecordedJob[]): void {
  const count = (ends: RecordedJob['ends']) => jobs.filter((job) => job.ends === ends).length;
  const counts = `${count('right')} of ${jobs.length} right, ${count('usable')} usable, ${count('wrong')} wrong, ${count('none')} without a proposal`;
  console.log(`${model}, ${tools}: ${counts}`);
}

const wanted = ONE_FILE_TASKS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (values.table)
  writeFileSync(
    path.join(import.meta.dirname, '../../../docs/weak-models.md'),
    pageOf(readRecordings(), readRecordings('before')),
  );
else if (values.replay) await replay();
else await ask();

async function ask(): Promise<void> {
  const jobs: RecordedJob[] = [];
  for (const task of wanted) {
    jobs.push(await play(task, values, live));
    // A run that is interrupted keeps what it has.
    if (values.record !== undefined) keep(values.record, jobs);
  }
  tell(values, jobs);
}

async function replay(): Promise<void> {
  for (const recording of readRecordings()) {
    const jobs: RecordedJob[] = [];
    for (const task of wanted) {
      const job = recording.jobs.find((one) => one.task === task.name);
      if (job === undefined) continue;
      const played = await play(task, recording, replayed(job));
      jobs.push(played);
      if (ENDS.indexOf(played.ends) > ENDS.indexOf(job.ends)) process.exitCode = 1;
    }
    tell(recording, jobs);
  }
}

/** Adds the jobs to a recording; tasks that ran again replace their older jobs. */
function keep(file: string, jobs: readonly RecordedJob[]): void {
  const before = existsSync(file) ? recordingSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).jobs : [];
  const played = new Map([...before, ...jobs].map((job) => [job.task, job]));
  const all = ONE_FILE_TASKS.flatMap(({ name }) => played.get(name) ?? []);
  const recorded = { model: values.model, tools: values.tools, jobs: all };
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
