/** The services that run only in the leader. Each starts and stops with the leadership. */

import { modelSettings } from '../completion/models/settings.ts';
import { type CompletionService, startCompletion } from '../completion/start.ts';
import type { RunFront } from '../server/suggestions/port.ts';
import { blobSweepService } from './blob-sweep.ts';
import type { Host } from './host/host.ts';
import type { LeaderEquipment, LeaderService } from './host/leader.ts';
import { createAskModel } from './shell/ask-model.ts';
import { type SuggestionOptions, suggestionService } from './suggestions.ts';
import type { LiveTmux } from './tmux.ts';

/** The completion worker with its own socket. If it cannot start, only shell completions are unavailable. */
function completionService({ env, config, log }: SuggestionOptions): LeaderService {
  let running: CompletionService | null = null;
  let leader: Host | null = null;
  const writer = createAskModel(env);
  return {
    name: 'completion',
    start: async (host) => {
      leader = host;
      const started = await startCompletion({
        env,
        model: modelSettings(config, env),
        askModel: writer.ask,
        onDefect: (where, message) =>
          log.error('the completion worker failed because of a defect', { where, message }),
      });
      if (started.ok) running = started.value;
      else log.warn(`no completions: ${started.error.message}`);
      host.completion = { service: running, refusal: started.ok ? null : started.error };
    },
    stop: async () => {
      if (leader !== null) leader.completion = { service: null, refusal: null };
      await running?.stop();
      writer.close();
      running = null;
    },
  };
}

/** Loads the runner of commands for `bin/copane`; without `live`, each command spawns tmux. */
export type OpenFront = (live: LiveTmux | null) => Promise<RunFront>;

/** The services of a long-lived leader: the companion and `copane serve`. A short command leads without them. */
export function leaderServices(options: SuggestionOptions): LeaderEquipment {
  const { service, onOther } = suggestionService(options);
  const sweep = blobSweepService({ ...options, now: Date.now });
  return { services: [completionService(options), service, agentService(), sweep], onOther };
}

/** Takes over the jobs of the last leader. Loads the agent only if there are any. */
function agentService(): LeaderService {
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
