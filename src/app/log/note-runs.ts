/** Logs each call of tmux: command names, times and sizes, never typed, pasted or displayed text. */
import type { TmuxPort } from '../../tmux/port.ts';
import type { Log } from './log.ts';

/** The same `tmux` with a log line at level `debug` per run; `now` in ms. */
export function noteRuns<T extends TmuxPort>(tmux: T, log: Log, now: () => number): T {
  const run: TmuxPort['run'] = async (commands, options) => {
    const begun = now();
    const outcome = await tmux.run(commands, options);
    log.debug('tmux', {
      commands: commands.map(([name = '']) => name).join(' ; '),
      ms: Math.round(now() - begun),
      outcome: outcome.ok ? 'ok' : outcome.error.code,
      chars: outcome.ok ? outcome.value.length : 0,
    });
    return outcome;
  };
  return new Proxy(tmux, {
    get: (target, name) => {
      if (name === 'run') return run;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
