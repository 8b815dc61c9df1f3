/**
 * When a process begins to lead, takes over jobs of the last leader: fails running ones, starts queued ones, and
 * delivers decisions to waiting ones.
 */
import type { LeaderService } from '../host/leader.ts';

/** Loads the agent only if there are such jobs. */
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
