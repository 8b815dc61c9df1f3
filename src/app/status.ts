/** The data of `copane status`: who leads, and what every AI pane is doing. Starts and changes nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { ok, type Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { ProcessSource } from '../platform/process-tree.ts';
import type { HostStatus } from '../protocol/commands/host.ts';
import type { AiPane } from '../protocol/pane.ts';
import { hookWitness, judgeState, stateOfTitle } from '../responses/core/ai-state.ts';
import { hookFolderOf } from '../responses/hooks/folder.ts';
import { screenRulesFor } from '../responses/screens/registry.ts';
import { databaseFileOf } from '../store/database-file.ts';
import { countWaitingReviews } from '../store/waiting-reviews.ts';
import { type PaneView, viewPanes } from '../tmux/capture.ts';
import { formatPaneLabel } from '../tmux/core/formats.ts';
import { isSuspended, type PaneListing } from '../tmux/panes.ts';
import type { TmuxPort } from '../tmux/port.ts';
import { branchOf } from './responses/ai-pane.ts';
import type { PaneHooks } from './responses/pane-hooks.ts';
import { openTmux } from './tmux.ts';

export interface StatusReport {
  /** Null if no copane leads. `suspended`: the pid of a stopped leader. */
  readonly host: HostStatus | { readonly suspended: number } | null;
  readonly panes: readonly AiPane[];
  readonly suggestions: number;
}

/** Reads the whole status, through `live` if tmux is connected. No tmux server means no panes, not an error. */
export async function readStatus(env: Env, live?: TmuxPort): Promise<Result<StatusReport>> {
  const [host, line] = await Promise.all([readHost(env), readStatusLine(env, live)]);
  return line.ok ? ok({ host, ...line.value }) : line;
}

/** The data of a status line: uses no host and loads little, since it runs every few seconds. */
export async function readStatusLine(env: Env, live?: TmuxPort): Promise<Result<Omit<StatusReport, 'host'>>> {
  const panes = await readPanes(env, live);
  if (!panes.ok) return panes;
  const suggestions = countWaitingReviews(databaseFileOf(copanePaths(env).stateDir)) ?? 0;
  return ok({ panes: panes.value, suggestions });
}

async function readHost(env: Env): Promise<StatusReport['host']> {
  // Without a socket nobody listens, so no host code is loaded.
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

async function readPanes(env: Env, live?: TmuxPort): Promise<Result<readonly AiPane[]>> {
  const { tmux, panes, processes } = openTmux(env, 'once', (tmux) => live ?? tmux);
  const listed = await panes.listAi();
  if (!listed.ok) return listed.error.code === 'not_found' ? ok([]) : listed;
  const hooks = await openHooks(copanePaths(env).stateDir, processes);
  const views = await viewPanes(
    tmux,
    listed.value.map(({ facts }) => facts.identity.paneId),
  );
  return ok(
    await Promise.all(listed.value.map((listing, at) => describe(hooks, listing, views[at] ?? null))),
  );
}

/** Loads the code for hooks only if a hook has ever run. */
async function openHooks(stateDir: string, processes: ProcessSource): Promise<PaneHooks | null> {
  const folder = hookFolderOf(stateDir);
  if (!existsSync(folder) || readdirSync(folder).length === 0) return null;
  const { openPaneHooks } = await import('./responses/pane-hooks.ts');
  return openPaneHooks({ stateDir, processes });
}

async function describe(
  hooks: PaneHooks | null,
  listing: PaneListing,
  view: PaneView | null,
): Promise<AiPane> {
  const { facts, cli, cliPid } = listing;
  const hook = (await hooks?.stateOf(listing, null)) ?? null;
  const reading = view === null ? null : screenRulesFor(cli).read(view.screen);
  const title = cli === 'generic' ? 'unknown' : stateOfTitle(facts.title);
  const judged = judgeState({
    hook: hookWitness(hook, [{ state: title, at: Date.now() }]),
    transcript: 'unknown',
    title,
    screen: reading?.state ?? 'unknown',
    dialog: (reading?.dialog ?? null) !== null,
  });
  const { state, trust } = isSuspended(listing) ? ({ state: 'suspended', trust: null } as const) : judged;
  return {
    identity: facts.identity,
    label: formatPaneLabel(facts),
    title: facts.title,
    cwd: facts.cwd,
    branch: await branchOf(facts.cwd),
    cli,
    cliPid,
    state,
    trust,
  };
}
