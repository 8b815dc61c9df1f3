/** The tmux server we run in (or the default one), with its panes and version. */
import { ok, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import { type ProcessSource, systemProcesses } from '../platform/process-tree.ts';
import {
  createTmuxCommand,
  isSameServer,
  probeTmux,
  serverFlags,
  serverFromEnv,
  type TmuxServer,
  tmuxEnv,
} from '../tmux/command.ts';
import { Panes } from '../tmux/panes.ts';
import type { TmuxPort } from '../tmux/port.ts';

export interface TmuxAccess {
  readonly server: TmuxServer;
  /** Spawns a process per call; for one-shot commands. */
  readonly tmux: TmuxPort;
  readonly processes: ProcessSource;
  readonly panes: Panes;
}

/** Access to tmux; starts nothing. `live`: an asynchronous client, for a responsive process. `noting` logs calls. */
export function openTmux(
  env: Env,
  use: 'once' | 'live' = 'once',
  noting = (tmux: TmuxPort): TmuxPort => tmux,
): TmuxAccess {
  const server = serverFromEnv(env);
  const tmux = noting(createTmuxCommand({ server, env, blocks: use === 'once' }));
  const processes = systemProcesses;
  return { server, tmux, processes, panes: new Panes({ tmux, processes, env }) };
}

export interface LiveTmux {
  readonly server: TmuxServer;
  readonly tmux: TmuxPort;
}

/** tmux as a program with this environment would reach it: through `live` if that is the same server. */
export function tmuxFor(env: Env, live: LiveTmux | null): TmuxPort {
  const server = serverFromEnv(env);
  const isThere =
    live !== null && isSameServer(server, live.server) && env.TMUX_TMPDIR === process.env.TMUX_TMPDIR;
  return isThere ? live.tmux : createTmuxCommand({ server, env });
}

/** The same for commands that build a layout or stay: fails with the reason if tmux is missing or too old. */
export async function openCheckedTmux(env: Env): Promise<Result<TmuxAccess>> {
  const access = openTmux(env);
  const version = await probeTmux({ server: access.server, env });
  return version.ok ? ok(access) : version;
}

/** The prefix key of tmux, as shown to users; tmux's default if it does not answer. */
export async function prefixKey(tmux: TmuxPort): Promise<string> {
  const shown = await tmux.run([['show-options', '-gv', 'prefix']]);
  const key = shown.ok ? shown.value.trim() : '';
  return (key === '' ? 'C-b' : key).replace(/^C-/, 'Ctrl+').replace(/^M-/, 'Alt+');
}

/** The argument list and environment of a tmux process that runs `commands` on this server. */
export function tmuxWords(
  server: TmuxServer,
  commands: readonly (readonly string[])[],
  env: Env,
): { readonly args: readonly string[]; readonly env: Env } {
  const words = commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
  return { args: [...serverFlags(server), ...words], env: tmuxEnv(env) };
}
