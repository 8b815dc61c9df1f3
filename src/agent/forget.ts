/** Shortens the change log: a file starts anew once the jobs of its proposals are deleted and the disk matches. */
import { ok, type Result } from '../lib/result.ts';
import type { AgentLimits } from '../protocol/agent.ts';
import { type ChangeLog, isSettled } from './change-log.ts';
import { jobsToForget, sessionsToForget } from './core/retention.ts';
import type { AgentRecords } from './records.ts';

/** Deletes ended jobs beyond the limits; `arriving` is a session that gets one more job. */
export async function forgetEnded(
  records: AgentRecords,
  logOf: (root: string) => ChangeLog,
  facts: { readonly limits: AgentLimits; readonly now: number; readonly arriving: string | null },
): Promise<Result<void>> {
  const { limits, now, arriving } = facts;
  const jobs = records.jobFacts();
  const counted = arriving === null ? jobs : [...jobs, arrivalIn(arriving, now)];
  const forgotten = new Set(jobsToForget(counted, limits, now));
  const left = jobs.filter((job) => !forgotten.has(job.id));
  const sessions = sessionsToForget(records.sessions(), left, limits, now);
  const written = records.write((writer) => {
    for (const id of forgotten) writer.dropJob(id);
    for (const id of sessions) writer.dropSession(id);
    return ok(undefined);
  });
  return written.ok ? forgetSettled(records, logOf) : written;
}

/** Stands for the new job, to make room for it. */
const arrivalIn = (session: string, now: number) =>
  ({ id: '', session_id: session, status: 'queued', created_at: now, finished_at: null }) as const;

async function forgetSettled(
  records: AgentRecords,
  logOf: (root: string) => ChangeLog,
): Promise<Result<void>> {
  for (const root of records.roots()) {
    const done = await forgetIn(records, logOf(root));
    if (!done.ok) return done;
  }
  return ok(undefined);
}

async function forgetIn(records: AgentRecords, log: ChangeLog): Promise<Result<void>> {
  const layers = records.layers(log.root);
  // Changes in this folder can be undone hunk by hunk as long as their jobs are kept.
  const isNeeded = layers.some(({ job }) => job !== null && records.sessionOfJob(job) !== null);
  if (layers.length === 0 || isNeeded) return ok(undefined);
  const synced = await log.sync();
  if (!synced.ok) return synced;
  const { state, moved } = synced.value;
  if (moved.size > 0 || [...state.tracked.values()].some((file) => !isSettled(state, file)))
    return ok(undefined);
  return records.write((writer) => {
    for (const { suggestion } of records.layers(log.root)) writer.dropLayer(suggestion);
    for (const path of state.tracked.keys()) writer.dropTracked(log.root, path);
    return ok(undefined);
  });
}
