/** Handlers of the agent. */
import type { Handlers } from '../handler.ts';

type AgentCommand = Extract<keyof Handlers, `agent/${string}`>;

export const agentHandlers: Pick<Handlers, AgentCommand> = {
  'agent/create': async (input, { agent }) => (await agent()).create(input),
  'agent/sessions': async (input, { agent }) => (await agent()).sessions(input),
  'agent/session': async (input, { agent }) => (await agent()).session(input),
  'agent/archive': async (input, { agent }) => (await agent()).archive(input),
  'agent/context': async (input, { agent }) => (await agent()).context(input),
  'agent/run': async (input, { agent }) => (await agent()).run(input),
  'agent/rerun': async (input, { agent }) => (await agent()).rerun(input),
  'agent/job': async (input, { agent }) => (await agent()).job(input),
  'agent/jobs': async (input, { agent }) => (await agent()).jobs(input),
  'agent/events': async (input, { agent }) => (await agent()).events(input),
  'agent/stream': async (input, { agent }) => (await agent()).stream(input),
  'agent/clarify': async (input, { agent }) => (await agent()).clarify(input),
  'agent/cancel': async (input, { agent }) => (await agent()).cancel(input),
  'agent/apply': async (input, { agent }) => (await agent()).apply(input),
  'agent/save': async (input, { agent }) => (await agent()).save(input),
  'agent/edit': async (input, { agent }) => (await agent()).edit(input),
  'agent/merge': async (input, { agent }) => (await agent()).merge(input),
  'agent/working': async (input, { agent }) => (await agent()).working(input),
  'agent/checkpoints': async (input, { agent }) => (await agent()).checkpoints(input),
  'agent/checkpoint': async (input, { agent }) => (await agent()).checkpoint(input),
  'agent/forget-checkpoint': async (input, { agent }) => (await agent()).forgetCheckpoint(input),
  'agent/diff3': async (input, { agent }) => (await agent()).diff3(input),
  'agent/rollback': async (input, { agent }) => (await agent()).rollback(input),
};
