/** Looks, when a process begins to lead, for jobs that another one left: they are failed, queued ones run. */
import type { LeaderService } from '../host/leader.ts';

/** Loads the agent only where there is something to mend. */
export function agentService(): LeaderService {
  return {
    name: 'agent',
    start: async (host) => {
      const isLeft = ({ job }: { readonly job: { readonly status: string } }) =>
        job.status === 'running' || job.status === 'queued';
      if (host.store.agent.jobs(null).some(isLeft) || host.store.agent.saves().length > 0) await host.agent();
    },
    stop: () => undefined,
  };
}
