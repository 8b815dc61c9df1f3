/** Commands for a session and its jobs: save, stop, skip a question, rerun, keep context. */

import type { ContextRow } from '../../protocol/agent.ts';
import { type AgentFacts, type AgentHandler, type AgentModel, type AgentOutcome, say } from './model.ts';
import { request } from './moves.ts';
import { askingJob, isLive, liveJob } from './state.ts';

/** Acts on the session in view, or says that there is none. */
const inSession =
  (act: (state: AgentModel, facts: AgentFacts, session: string) => AgentOutcome): AgentHandler =>
  (state, facts) => {
    const { session } = state.agent;
    return session === null
      ? say(state, facts, 'info', 'This session has not started; the first instruction starts it')
      : act(state, facts, session);
  };

export const save = inSession((state, _facts, session) =>
  request(state, { kind: 'save', session }, 'Saving'),
);

export const stop: AgentHandler = (state, facts) => {
  const job = liveJob(facts.agent);
  if (job === null) return say(state, facts, 'info', 'No job is running');
  return request(state, { kind: 'cancel', job: job.id }, 'Stopping');
};

export const skip: AgentHandler = (state, facts) => {
  const job = askingJob(facts.agent);
  if (job === null) return say(state, facts, 'info', 'There is no question to answer');
  const { question_id: question } = job.question;
  return request(state, { kind: 'answer', job: job.id, question, answer: null }, 'Going on');
};

export const rerun: AgentHandler = (state, facts) => {
  const job = facts.agent.jobs.at(-1);
  if (job === undefined || isLive(job.status)) return say(state, facts, 'info', 'No job has ended yet');
  return request(state, { kind: 'rerun', job: job.id }, 'Running it again');
};

/** Makes the installed AI CLI the agent. */
export const useOffer: AgentHandler = (state, facts) => {
  const offer = facts.agent.notReady?.offer;
  if (offer === undefined)
    return say(state, facts, 'info', 'The agent is set up, or no AI CLI is there to be it');
  return request(state, { kind: 'use-offer' }, `Setting ${offer} up`);
};

/** Replaces the session's rows. */
export function setRows(state: AgentModel, rows: readonly ContextRow[]): AgentOutcome {
  return request(state, { kind: 'context', session: state.agent.session, rows }, 'Keeping the context');
}
