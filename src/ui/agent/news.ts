/** What to tell a reader who is elsewhere when a job changed: it asks, it proposes, it failed. Pure. */

import type { JobSummary } from '../../protocol/commands/agent.ts';
import { type AgentFacts, type AgentModel, type AgentOutcome, done, say } from './model.ts';
import type { AgentView } from './port.ts';

/** The state with news of jobs that changed since `before`. */
export function tellAgentNews(state: AgentModel, before: AgentView, facts: AgentFacts): AgentOutcome {
  const { jobs } = facts.agent;
  if (before.isLooking || jobs === before.jobs || state.screen === 'agent') return done(state);
  const known = new Map(before.jobs.map((job) => [job.id, job.status]));
  const changed = jobs.find(({ id, status }) => known.has(id) && known.get(id) !== status);
  const words = changed === undefined ? null : newsOf(changed);
  if (words === null) return done(state);
  const where = facts.keyOf('screen/agent') ?? 'Agent';
  return say(state, facts, changed?.status === 'failed' ? 'warn' : 'info', `${words}: ${where} shows it`);
}

function newsOf({ status, error }: JobSummary): string | null {
  switch (status) {
    case 'waiting_for_user':
      return 'The agent asks something';
    case 'awaiting_review':
      return 'The agent has a proposal';
    case 'completed':
      return 'The agent is done';
    case 'failed':
      return error?.code === 'cancelled' ? null : `The agent failed (${error?.message ?? 'no reason given'})`;
    case 'queued':
    case 'running':
      return null;
  }
}
