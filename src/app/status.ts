/** What `copane status` tells: who leads, and what every AI pane is doing. Starts nothing and changes nothing. */
import { existsSync } from 'node:fs';
import { ok, type Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { HostStatus } from '../protocol/commands/host.ts';
import type { AiPane } from '../protocol/pane.ts';
import { hookWitness, judgeState, stateOfTitle } from '../responses/core/agent-state.ts';
import { screenRulesFor } from '../responses/screens/registry.ts';
import { viewPane } from '../tmux/capture.ts';
import { formatPaneLabel } from '../tmux/core/formats.ts';
import type { PaneListing } from '../tmux/panes.ts';
import type { TmuxPort } from '../tmux/port.ts';
import { openPaneHooks, type PaneHooks } from './responses/pane-hooks.ts';
import { openTmux } from './tmux.ts';

export interface StatusReport {
  /** Null: no copane leads. `suspended`: the leader is stopped. */
  readonly host: HostStatus | { readonly suspended: number } | null;
  readonly panes: readonly AiPane[];
}

/** One look at everything. tmux without a server is no error: there are no panes then. */
export async function readStatus(env: Env): Promise<Result<StatusReport>> {
  const [host, panes] = await Promise.all([readHost(env), readPanes(env)]);
  return panes.ok ? ok({ host, panes: panes.value }) : panes;
}

async function readHost(env: Env): Promise<StatusReport['host']> {
  // Nobody listens where there is no socket: then nothing of the host is loaded.
  if (!existsSync(copanePaths(env).socketFile)) return null;
  const { openHost } = await import('./host-access.ts');
  const client = await openHost(env, { lead: false });
  if (!client.ok) return null;
  try {
    const { state } = client.value;
    if (state.kind === 'suspended') return { suspended: state.pid };
    const status = await client.value.request('host/status', {});
    return status.ok ? status.value : null;
  } finally {
    await client.value.close();
  }
}

async function readPanes(env: Env): Promise<Result<readonly AiPane[]>> {
  const { tmux, panes, processes } = openTmux(env);
  const listed = await panes.listAi();
  if (!listed.ok) return listed.error.code === 'not_found' ? ok([]) : listed;
  const hooks = openPaneHooks({ stateDir: copanePaths(env).stateDir, processes });
  return ok(await Promise.all(listed.value.map((listing) => describe(tmux, hooks, listing))));
}

async function describe(tmux: TmuxPort, hooks: PaneHooks, listing: PaneListing): Promise<AiPane> {
  const { facts, cli, cliPid } = listing;
  const hook = await hooks.stateOf(listing, null);
  const view = await viewPane(tmux, facts.identity.paneId);
  const reading = view.ok ? screenRulesFor(cli).read(view.value.screen) : null;
  const title = cli === 'generic' ? 'unknown' : stateOfTitle(facts.title);
  const { state, trust } = judgeState({
    hook: hookWitness(hook, [{ state: title, at: Date.now() }]),
    transcript: 'unknown',
    title,
    screen: reading?.state ?? 'unknown',
    dialog: (reading?.dialog ?? null) !== null,
  });
  return {
    identity: facts.identity,
    label: formatPaneLabel(facts),
    title: facts.title,
    cwd: facts.cwd,
    cli,
    cliPid,
    state,
    trust,
  };
}
