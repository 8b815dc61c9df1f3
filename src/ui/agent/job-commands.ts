/** Commands for a session and its jobs: save, stop, skip a question, rerun, keep context. */
import type { ContextRow } from '../../protocol/agent.ts';
import type { AgentModel } from './model.ts';
import { type AgentFacts, type AgentHandler, type AgentOutcome, done, say } from './model.ts';
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
  done(state, { kind: 'agent', act: { kind: 'save', session }, what: 'Saving' }),
);

export const stop: AgentHandler = (state, facts) => {
  const job = liveJob(facts.agent);
  if (job === null) return say(state, facts, 'info', 'No job is running');
  return done(state, { kind: 'agent', act: { kind: 'cancel', job: job.id }, what: 'Stopping' });
};

export const skip: AgentHandler = (state, facts) => {
  const job = askingJob(facts.agent);
  if (job === null) return say(state, facts, 'info', 'There is no question to answer');
  const act = { kind: 'answer', job: job.id, question: job.question.question_id, answer: null } as const;
  return done(state, { kind: 'agent', act, what: 'Going on' });
};

export const rerun: AgentHandler = (state, facts) => {
  const job = facts.agent.jobs.at(-1);
  if (job === undefined || isLive(job.status)) return say(state, facts, 'info', 'No job has ended yet');
  return done(state, { kind: 'agent', act: { kind: 'rerun', job: job.id }, what: 'Running it again' });
};

/** Makes the installed AI CLI the agent. */
export const useOffer: AgentHandler = (state, facts) => {
  const offer = facts.agent.notReady?.offer;
  if (offer === undefined)
    return say(state, facts, 'info', 'The agent is set up, or no AI CLI is there to be it');
  return done(state, { kind: 'agent', act: { kind: 'use-offer' }, what: `Setting ${offer} up` });
};

/** Replaces the session's rows. */
export function setRows(state: AgentModel, rows: readonly ContextRow[]): AgentOutcome {
  const act = { kind: 'context', session: state.agent.session, rows } as const;
  return done(state, { kind: 'agent', act, what: 'Keeping the context' });
}
