/** What runs only in the process that leads. Each starts with the leadership and ends with it. */

import { type CompletionService, startCompletion } from '../completion/start.ts';
import type { Env } from '../platform/paths.ts';
import type { LeaderService } from './host/leader.ts';
import type { Log } from './log/log.ts';
import { type SuggestionOptions, type SuggestionService, suggestionService } from './suggestions.ts';

/** The completion worker with its own socket. One that cannot start costs the shell its completions, nothing else. */
function completionService(env: Env, log: Log): LeaderService {
  let running: CompletionService | null = null;
  return {
    name: 'completion',
    start: async () => {
      const started = await startCompletion({
        env,
        onDefect: (where, message) => log.error('the completion worker met a defect', { where, message }),
      });
      if (started.ok) running = started.value;
      else log.warn(`no completions: ${started.error.message}`);
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
  };
}

/**
 * What a leader that stays runs beside the host: the companion and `copane serve`. A short command leads without
 * any of it.
 */
export function leaderServices(options: SuggestionOptions): {
  readonly services: readonly LeaderService[];
  readonly onOther: SuggestionService['onOther'];
} {
  const { service, onOther } = suggestionService(options);
  return { services: [completionService(options.env, options.log), service], onOther };
}
