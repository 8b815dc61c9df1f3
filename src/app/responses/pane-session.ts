/** Access to one AI pane for one command: finds it, reads it, sends to it. Connects to the host only when needed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from '../../lib/lazy.ts';
import { wantsMarkers } from '../../lib/marker-policy.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { copanePaths, type Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';
import { stateOfTitle } from '../../responses/core/ai-state.ts';
import type { PaneResponses, ResponseSource } from '../../responses/pane-responses.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import { viewPane } from '../../tmux/capture.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { DeliveryReport, SendOptions } from '../../tmux/sender.ts';
import type { HostConnection } from '../client/host-connection.ts';
import { openTmux, type TmuxAccess } from '../tmux.ts';
import { openResponses, resolvePane } from './ai-pane.ts';
import { openPaneHooks } from './pane-hooks.ts';
import { sendPaneOf } from './pane-prompts.ts';
import { readSettled, type SettledReading } from './settled-read.ts';

/** Our newest prompts to a pane, which identify its session file. */
const TIE_PROMPTS = 20;

export interface PaneSendRequest extends Omit<SendOptions, 'pane' | 'markers'> {
  readonly markers: Config['markers'];
}

export interface PaneSession {
  readonly access: TmuxAccess;
  readonly listing: PaneListing;
  readonly responses: PaneResponses;
  /** Reads the turns, including the newest prompt's, and waits until a turn is complete if the CLI says it is over. */
  readonly read: (source: ResponseSource, turns: number) => Promise<Result<SettledReading>>;
  /** The host; the first call connects (or leads). */
  readonly host: () => Promise<Result<HostConnection>>;
  readonly send: (wanted: PaneSendRequest) => Promise<Result<DeliveryReport>>;
  readonly close: () => Promise<void>;
}

/** Finds the pane; fails with the candidates if it is ambiguous. `live`: an open connection to the tmux server. */
export async function openPaneSession(
  env: Env,
  requested: string | null,
  live?: TmuxPort,
): Promise<Result<PaneSession>> {
  const access = openTmux(env, 'once', (tmux) => live ?? tmux);
  const { tmux, panes } = access;
  const found = await resolvePane(panes, requested);
  if (!found.ok) return found;
  const listing = found.value;
  let connected: HostConnection | null = null;
  // A pull from a known session file needs no host, and does not wait for one.
  const host = lazy(async () => {
    const { openHostNow } = await import('../host-access.ts');
    const result = await openHostNow(env);
    if (result.ok) connected = result.value;
    return result;
  });
  const sent: Parameters<typeof openResponses>[0]['sent'] = async (pane) => {
    const client = await host();
    if (!client.ok) return [];
    const listed = await client.value.request('outbox/list', { pane, limit: TIE_PROMPTS });
    return listed.ok ? listed.value : [];
  };
  const { stateDir } = copanePaths(env);
  const hooks = openPaneHooks({ stateDir, processes: access.processes });
  const responses = openResponses({ tmux, panes, hooks, sent }, listing);
  const settled = {
    read: (source: ResponseSource, turns: number) => responses.read(source, turns),
    reportOf: async (sessionId: string | null) => ({
      state: await hooks.stateOf(listing, sessionId),
      prompt: await hooks.promptOf(listing, sessionId),
    }),
    isAtWork: () => isSeenAtWork(access, listing),
    now: Date.now,
    sleep,
  };
  return ok({
    access,
    listing,
    responses,
    read: (source, turns) => {
      const asksScreen = source !== 'screen' && responses.hasTranscript;
      const ports = asksScreen ? settled : { ...settled, isAtWork: async () => false };
      return readSettled(ports, source, turns);
    },
    host,
    send: async (wanted) => {
      const client = await host();
      if (!client.ok) return notRecorded(client);
      const { openSender } = await import('./sender.ts');
      const sender = openSender({ tmux, panes, client: client.value, hooks, responsesOf: () => responses });
      const { text, mode, submit, signal, whenBusy = 'queue' } = wanted;
      const markers = wantsMarkers(wanted.markers, text, responses.hasTranscript);
      return sender.send({ pane: sendPaneOf(listing), text, mode, markers, submit, signal, whenBusy });
    },
    close: async () => {
      await connected?.close();
    },
  });
}

/** A CLI that accepted a prompt shows at once that it is working; a pane that cannot be read proves nothing. */
async function isSeenAtWork({ tmux }: TmuxAccess, { cli, facts }: PaneListing): Promise<boolean> {
  const view = await viewPane(tmux, facts.identity.paneId);
  if (!view.ok) return false;
  const { screen } = view.value;
  return screenRulesFor(cli).read(screen).state === 'working' || stateOfTitle(screen.title) === 'working';
}

/** Without a record, a crash could lose or repeat the prompt: type nothing. */
function notRecorded(refused: Result<never> & { readonly ok: false }): Result<never> {
  const { message, hint } = refused.error;
  return fail('refused', `nothing was sent, because the prompt cannot be recorded first: ${message}`, hint);
}
