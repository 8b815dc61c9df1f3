/** The tmux server that we run in (or the default one), its panes and its version, put together once. */
import { ok, type Result } from '../lib/result.ts';
import type { Env } from '../platform/paths.ts';
import { createProcessSource, type ProcessSource } from '../platform/process-tree.ts';
import {
  createTmuxCommand,
  probeTmux,
  serverFlags,
  serverFromEnv,
  type TmuxServer,
  tmuxEnv,
} from '../tmux/command.ts';
import type { TmuxFeatures } from '../tmux/core/features.ts';
import { createPanes, type Panes } from '../tmux/panes.ts';
import type { TmuxPort } from '../tmux/port.ts';

export interface TmuxAccess {
  readonly server: TmuxServer;
  readonly features: TmuxFeatures;
  /** Starts a process per call; for one-shot commands. */
  readonly tmux: TmuxPort;
  readonly processes: ProcessSource;
  readonly panes: Panes;
}

/** Access to tmux; fails with the reason when it is missing or too old. Starts no server. */
export async function openTmux(env: Env): Promise<Result<TmuxAccess>> {
  const server = serverFromEnv(env);
  const features = await probeTmux({ server, env });
  if (!features.ok) return features;
  const tmux = createTmuxCommand({ server, env });
  const processes = createProcessSource(process.platform);
  return ok({
    server,
    features: features.value,
    tmux,
    processes,
    panes: createPanes({ tmux, processes, env }),
  });
}

/** The words of a tmux process that attaches a terminal to `session`, and its environment. */
export function attachCommand(
  server: TmuxServer,
  session: string,
  env: Env,
): { readonly args: readonly string[]; readonly env: Env } {
  return { args: [...serverFlags(server), 'attach-session', '-t', `=${session}`], env: tmuxEnv(env) };
}
