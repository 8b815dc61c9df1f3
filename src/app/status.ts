/** What `copane status` tells: who leads, and show what every AI pane is doing. Starts nothing and changes nothing. */
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
  /** Null: no copane leads. `suspended`: the leader is stopped. */
  readonly host: HostStatus | { readonly suspended: number } | null;
  readonly panes: readonly AiPane[];
  /** Suggestions that wait for a decision. */
  readonly suggestions: number;
}

/** One look at everything. `live`: an open connection to the tmux server. tmux without a server is not an error: there are no panes then. */
export async function readStatus(env: Env, live?: TmuxPort): Promise<Result<StatusReport>> {
  const [host, line] = await Promise.all([readHost(env), readStatusLine(env, live)]);
  return line.ok ? ok({ host, ...line.value }) : line;
}

/** What a status line shows: asks no host, and loads little, since it is run every few seconds. */
export async function readStatusLine(env: Env, live?: TmuxPort): Promise<Result<Omit<StatusReport, 'host'>>> {
  const panes = await readPanes(env, live);
  if (!panes.ok) return panes;
  const suggestions = countWaitingReviews(databaseFileOf(copanePaths(env).stateDir)) ?? 0;
  return ok({ panes: panes.value, suggestions });
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

/** Where no hook has ever said anything, nothing of them is loaded. */
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
