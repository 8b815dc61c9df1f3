/** The tmux server that we run in (or the default one), its panes and its version, put together once. */
import { ok, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import { createProcessSource, type ProcessSource } from '../platform/process-tree.ts';
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
  /** Starts a process per call; for one-shot commands. */
  readonly tmux: TmuxPort;
  readonly processes: ProcessSource;
  readonly panes: Panes;
}

/**
 * Access to tmux; starts nothing. A tmux that is missing shows at the first call. `live`: for a process that has other
 * things to do while tmux answers. `noting` sees every call.
 */
export function openTmux(
  env: Env,
  use: 'once' | 'live' = 'once',
  noting = (tmux: TmuxPort): TmuxPort => tmux,
): TmuxAccess {
  const server = serverFromEnv(env);
  const tmux = noting(createTmuxCommand({ server, env, blocks: use === 'once' }));
  const processes = createProcessSource(process.platform);
  return { server, tmux, processes, panes: new Panes({ tmux, processes, env }) };
}

/** A connection to a tmux server that is open already. */
export interface LiveTmux {
  readonly server: TmuxServer;
  readonly tmux: TmuxPort;
}

/** tmux as a program with this environment would reach it: by `live`, where that leads to the same server. */
export function tmuxFor(env: Env, live: LiveTmux | null): TmuxPort {
  const server = serverFromEnv(env);
  const isThere =
    live !== null && isSameServer(server, live.server) && env.TMUX_TMPDIR === process.env.TMUX_TMPDIR;
  return isThere ? live.tmux : createTmuxCommand({ server, env });
}

/** The same for what stays or builds a layout: fails with the reason when tmux is missing or too old. */
export async function openCheckedTmux(env: Env): Promise<Result<TmuxAccess>> {
  const access = openTmux(env);
  const version = await probeTmux({ server: access.server, env });
  return version.ok ? ok(access) : version;
}

/** The key that comes before tmux's own, for people; where tmux does not say, the one that it begins with. */
export async function prefixKey(tmux: TmuxPort): Promise<string> {
  const shown = await tmux.run([['show-options', '-gv', 'prefix']]);
  const key = shown.ok ? shown.value.trim() : '';
  return (key === '' ? 'C-b' : key).replace(/^C-/, 'Ctrl+').replace(/^M-/, 'Alt+');
}

/** The words of a tmux process that runs `commands` one by one on this server, and its environment. */
export function tmuxWords(
  server: TmuxServer,
  commands: readonly (readonly string[])[],
  env: Env,
): { readonly args: readonly string[]; readonly env: Env } {
  const words = commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
  return { args: [...serverFlags(server), ...words], env: tmuxEnv(env) };
}
