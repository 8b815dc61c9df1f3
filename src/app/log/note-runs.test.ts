import { expect, it } from 'vitest';
import { fail, ok } from '../../lib/result.ts';
import type { TmuxPort, TmuxRunOptions } from '../../tmux/port.ts';
import { type LogFields, SILENT_LOG } from './log.ts';
import { noteRuns } from './note-runs.ts';

/** A client whose methods depend on `this`. */
class Client implements TmuxPort {
  readonly #name = 'client';
  name(): string {
    return this.#name;
  }
  async run(commands: readonly (readonly string[])[], _options?: TmuxRunOptions) {
    if (commands[0]?.[0] !== 'kill-pane') return ok('the secret of the screen');
    return { ok: false as const, error: { ...fail('not_found', 'no pane').error, certain: true } };
  }
}

it('logs names, times and sizes of tmux commands, and none of their text', async () => {
  const lines: [string, LogFields | undefined][] = [];
  let clock = 0;
  const log = {
    ...SILENT_LOG,
    debug: (...line: [string, LogFields?]) => void lines.push([line[0], line[1]]),
  };
  const tmux = noteRuns(new Client(), log, () => {
    clock += 5;
    return clock;
  });
  const typed = 'my password';
  expect(await tmux.run([['set-buffer', typed], ['paste-buffer']], { input: typed })).toMatchObject({
    ok: true,
  });
  expect(await tmux.run([['kill-pane', '-t', '%1']])).toMatchObject({ ok: false });
  expect(tmux.name()).toBe('client');
  expect(lines).toEqual([
    ['tmux', { commands: 'set-buffer ; paste-buffer', ms: 5, outcome: 'ok', chars: 24 }],
    ['tmux', { commands: 'kill-pane', ms: 5, outcome: 'not_found', chars: 0 }],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/password|secret/);
});
