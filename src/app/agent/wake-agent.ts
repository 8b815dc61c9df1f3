/**
 * Looks, when a process begins to lead, for jobs that another one left: running ones have failed, queued ones run, and
 * those that wait hear what is decided on them.
 */
import type { LeaderService } from '../host/leader.ts';

/** Loads the agent only where there is something to fix. */
export function agentService(): LeaderService {
  return {
    name: 'agent',
    start: async (host) => {
      const isLeft = ({ status }: { readonly status: string }) =>
        status !== 'completed' && status !== 'failed';
      if (host.store.agent.jobFacts().some(isLeft) || host.store.agent.saves().length > 0) await host.agent();
    },
    stop: () => undefined,
  };
}
