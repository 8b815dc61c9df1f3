/**
 * Clears the change log: where every proposal on a file is forgotten by its job and the disk is what the log makes of
 * it, the log of that file begins anew. What anybody could still decide, save or take back stays.
 */
import { ok, type Result } from '../lib/result.ts';
import type { AgentLimits } from '../protocol/agent.ts';
import type { ByteString } from '../review/core/bytes.ts';
import { sameImage } from '../review/core/file-state.ts';
import { type ChangeLog, hasUndecided, type LogState } from './change-log.ts';
import { jobsToForget, sessionsToForget } from './core/retention.ts';
import type { AgentRecords } from './records.ts';

/** Forgets what has ended, within the limits; `arriving` is a session that gets one more job. */
export async function forgetEnded(
  records: AgentRecords,
  logOf: (root: string) => ChangeLog,
  facts: { readonly limits: AgentLimits; readonly now: number; readonly arriving: string | null },
): Promise<Result<void>> {
  const { limits, now, arriving } = facts;
  const jobs = records.jobs(null).map(({ job }) => job);
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

/** The place that the coming job takes. */
const arrivalIn = (session: string, now: number) =>
  ({ id: '', session_id: session, status: 'queued', created_at: now, finished_at: null }) as const;

/** Forgets what is settled in every folder that has a log. */
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
  // A layer counts as long as its job, or a checkpoint that its job left, may be gone back to.
  const kept = records.checkpoints(null).filter((stored) => stored.root === log.root);
  const oldest = Math.min(...kept.map((stored) => stored.seq), Number.POSITIVE_INFINITY);
  const isNeeded = (seq: number, job: string | null) =>
    seq >= oldest || (job !== null && records.job(job) !== null);
  if (layers.length === 0 || layers.some(({ seq, job }) => isNeeded(seq, job))) return ok(undefined);
  const state = await log.state();
  if (!state.ok) return state;
  for (const path of state.value.tracked.keys()) {
    const settled = isQuiet(log, state.value, path);
    if (!settled.ok) return settled;
    if (!settled.value) return ok(undefined);
  }
  return records.write((writer) => {
    for (const { suggestion } of layers) writer.dropLayer(suggestion);
    for (const path of state.value.tracked.keys()) writer.dropTracked(log.root, path);
    return ok(undefined);
  });
}

function isQuiet(log: ChangeLog, state: LogState, path: ByteString): Result<boolean> {
  const disk = log.imageOf(path, state.tracked.get(path)?.disk ?? null);
  if (!disk.ok) return disk;
  const saved = state.saved.tree.get(path) ?? null;
  const working = state.working.tree.get(path) ?? null;
  return ok(sameImage(saved, disk.value) && sameImage(working, saved) && !hasUndecided(state, path));
}
