/** What may be deleted: only ended work. Running, waiting and unreviewed work stays, whatever the limits. */
import type { AgentJob, AgentLimits, AgentSession } from '../../protocol/agent.ts';
import { isOver } from './job-machine.ts';

const MS_PER_HOUR = 3_600_000;

type JobFacts = Pick<AgentJob, 'id' | 'session_id' | 'status' | 'created_at' | 'finished_at'>;

/** Ended jobs that are too old, and the oldest ones of a session with too many. */
export function jobsToForget(jobs: readonly JobFacts[], limits: AgentLimits, now: number): string[] {
  const forgotten: string[] = [];
  for (const own of Map.groupBy(jobs, (job) => job.session_id).values()) {
    const oldestFirst = [...own].sort((a, b) => a.created_at - b.created_at);
    let surplus = own.length - limits.max_jobs_per_session;
    for (const job of oldestFirst) {
      if (!isOver(job.status)) continue;
      const isOld = now - (job.finished_at ?? now) > limits.completed_ttl_hours * MS_PER_HOUR;
      if (!isOld && surplus <= 0) continue;
      forgotten.push(job.id);
      surplus -= 1;
    }
  }
  return forgotten;
}

/** Archived sessions without a remaining job; the oldest first. */
export function sessionsToForget(
  sessions: readonly Pick<AgentSession, 'id' | 'status' | 'updated_at'>[],
  jobs: readonly JobFacts[],
  limits: AgentLimits,
  now: number,
): string[] {
  const busy = new Set(jobs.filter((job) => !isOver(job.status)).map((job) => job.session_id));
  const archived = sessions
    .filter((session) => session.status === 'archived' && !busy.has(session.id))
    .sort((a, b) => a.updated_at - b.updated_at);
  const surplus = sessions.length - limits.max_sessions;
  return archived
    .filter(
      (session, i) => i < surplus || now - session.updated_at > limits.completed_ttl_hours * MS_PER_HOUR,
    )
    .map((session) => session.id);
}

/** The active session to archive if there is no room for another: the least recently used one whose work is over. */
export function sessionToPutAway(
  sessions: readonly Pick<AgentSession, 'id' | 'status' | 'updated_at'>[],
  jobs: readonly JobFacts[],
): string | null {
  const jobsOf = Map.groupBy(jobs, (job) => job.session_id);
  const ended = sessions.filter(({ id, status }) => {
    const own = jobsOf.get(id) ?? [];
    // A session without a job is new.
    return status === 'active' && own.length > 0 && own.every((job) => isOver(job.status));
  });
  const [least] = ended.sort((a, b) => a.updated_at - b.updated_at);
  return least?.id ?? null;
}

/** Whether the limit of sessions is reached: only unarchived ones count. */
export function isFull(sessions: readonly Pick<AgentSession, 'status'>[], limits: AgentLimits): boolean {
  return sessions.filter((session) => session.status === 'active').length >= limits.max_sessions;
}
