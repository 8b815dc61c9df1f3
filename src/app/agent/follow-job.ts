/** Follows a job through its events, across changes of leader, until the model is done. */
import { ok, type Result } from '../../lib/result.ts';
import type { AgentEvent, AgentJob, JobStatus } from '../../protocol/agent.ts';
import type { Client } from '../../protocol/client.ts';
import { StreamReader } from './stream-reader.ts';

const WORKING: ReadonlySet<JobStatus> = new Set(['queued', 'running']);

export interface JobListener {
  readonly onEvent: (event: AgentEvent) => void;
  /** Called with the whole current message as the model writes it; null to skip the text. */
  readonly onText: ((text: string) => void) | null;
}

/** Resolves with the job once it waits for the user or a review, or has ended. */
export async function followJob(
  client: Client,
  jobId: string,
  { onEvent, onText }: JobListener,
): Promise<Result<AgentJob>> {
  const stream =
    onText === null
      ? null
      : new StreamReader({ client, onText: (_, text) => onText(text), onProblem: () => undefined });
  let wake: () => void = () => undefined;
  const stop = client.subscribe((event) => {
    if (event.body.type === 'agent/event' && event.body.jobId === jobId) wake();
  });
  try {
    for (let cursor = 0; ; ) {
      const news = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await client.request('agent/events', { job_id: jobId, cursor });
      if (!found.ok) return found;
      for (const event of found.value.events) onEvent(event);
      cursor = found.value.next_cursor;
      stream?.follow(jobId);
      if (!WORKING.has(found.value.status)) {
        const job = await client.request('agent/job', { job_id: jobId });
        return job.ok ? ok(job.value) : job;
      }
      // Polls as well, in case an event was missed.
      if (found.value.events.length === 0) await within(found.value.poll_interval_ms, news);
    }
  } finally {
    stop();
    stream?.stop();
  }
}

async function within(timeoutMs: number, news: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([news, late]);
  clearTimeout(timer);
}
