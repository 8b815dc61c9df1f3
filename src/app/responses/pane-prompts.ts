/** Prompts to the followed pane: sends them, shows their state, and confirms them by its session file. */
import { lazy } from '../../lib/lazy.ts';
import { type MarkerPolicy, wantsMarkers } from '../../lib/marker-policy.ts';
import { type Failure, fail, ok, type Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { DeliveryState, OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import { isPromptOf } from '../../responses/core/arrival.ts';
import { isSamePane } from '../../tmux/core/formats.ts';
import type { WhenBusy } from '../../tmux/core/send-model.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import type { Sender, SendPane } from '../../tmux/sender.ts';

export interface PanePromptsOptions {
  readonly client: Client;
  /** Loads the sender once a pane is followed. */
  readonly openSender: () => Promise<Sender>;
  readonly timers: Timers;
  readonly markers: MarkerPolicy;
  readonly onChange: (deliveries: readonly OutboxEntry[]) => void;
  readonly onProblem: (problem: Failure) => void;
}

export interface PromptRequest {
  readonly text: string;
  readonly whenBusy: WhenBusy;
  /** Whether the pane's program writes a session file that we can read. */
  readonly hasTranscript: boolean;
}

export class PanePrompts {
  readonly #options: PanePromptsOptions;
  readonly #sender: () => Promise<Sender>;
  #pane: PaneListing | null = null;
  /** Newest first. */
  #deliveries: readonly OutboxEntry[] = [];

  constructor(options: PanePromptsOptions) {
    this.#options = options;
    this.#sender = lazy(options.openSender);
  }

  /** Loads the prompts sent to another pane, and resumes the sends of a process that died. */
  async follow(pane: PaneListing): Promise<void> {
    this.#pane = pane;
    this.#deliveries = [];
    const { client, timers, onProblem } = this.#options;
    const listed = await client.request('outbox/list', {
      pane: pane.facts.identity,
      limit: DELIVERIES_SHOWN,
    });
    if (this.#pane !== pane) return;
    if (!listed.ok) return onProblem(listed.error);
    this.#show(listed.value);
    const orphans = listed.value.filter((entry) => isOrphan(entry, timers.now()));
    // Load it now even if unused: an update of copane may remove the file before the first prompt.
    const sender = await this.#sender();
    void (async () => {
      for (const entry of orphans) await sender.resume(entry, sendPaneOf(pane));
    })();
  }

  /** The record of a prompt to some pane has changed. */
  hear(entry: OutboxEntry): void {
    if (this.#pane === null || !isSamePane(this.#pane.facts, entry.pane)) return;
    this.#show(withDelivery(this.#deliveries, entry));
  }

  /** A prompt queued by a busy AI is delivered once its session file has it. */
  async confirm(turns: readonly Turn[]): Promise<void> {
    for (const id of arrivedIn(turns, this.#deliveries)) {
      const arrived = { id, state: 'delivered', reason: null, proof: 'transcript' } as const;
      await this.#options.client.request('outbox/update', arrived);
    }
  }

  async send(
    pane: PaneListing,
    { text, whenBusy, hasTranscript }: PromptRequest,
  ): Promise<Result<OutboxEntry>> {
    const sender = await this.#sender();
    const sent = await sender.send({
      pane: sendPaneOf(pane),
      text,
      mode: 'prompt',
      markers: wantsMarkers(this.#options.markers, text, hasTranscript),
      submit: true,
      whenBusy,
    });
    return sent.ok ? this.entry(sent.value.id) : sent;
  }

  /** Presses Enter for a prompt in the composer. */
  async submit(pane: PaneListing, entryId: string): Promise<Result<OutboxEntry>> {
    const entry = this.#deliveries.find(({ id }) => id === entryId);
    if (entry === undefined) return fail('not_found', 'that prompt is no longer known');
    const sender = await this.#sender();
    const sent = await sender.submit(entry, sendPaneOf(pane));
    return sent.ok ? this.entry(entryId) : sent;
  }

  /** The current record of a prompt. */
  async entry(id: string): Promise<Result<OutboxEntry>> {
    const listed = await this.#options.client.request('outbox/list', { limit: DELIVERIES_SHOWN });
    if (!listed.ok) return listed;
    const entry = listed.value.find((one) => one.id === id);
    return entry === undefined ? fail('internal', 'the prompt was sent, but its record is gone') : ok(entry);
  }

  #show(deliveries: readonly OutboxEntry[]): void {
    this.#deliveries = deliveries;
    this.#options.onChange(deliveries);
  }
}

/** The pane in the form that the sender needs. */
export function sendPaneOf({ facts, cli, cliPid }: PaneListing): SendPane {
  return { identity: facts.identity, cli, cliPid };
}

/** How many prompts are shown with their state. */
export const DELIVERIES_SHOWN = 50;
/** A record that is unchanged for this long has no active sender. */
const ORPHAN_MS = 20_000;

/** The send is unfinished: it is in progress, or was when its process died. */
const UNFINISHED: ReadonlySet<DeliveryState> = new Set(['recorded', 'pasted', 'submitted']);

/** Whether an unfinished send has no active sender. */
function isOrphan({ state, updatedAt }: OutboxEntry, now: number): boolean {
  return UNFINISHED.has(state) && now - updatedAt > ORPHAN_MS;
}

/** Not confirmed, but possibly on its way. */
const OPEN: ReadonlySet<DeliveryState> = new Set(['queued', 'unconfirmed', 'staged']);

/** Ids of the open records that these turns begin with. One turn confirms one record, the oldest first. */
export function arrivedIn(turns: readonly Turn[], deliveries: readonly OutboxEntry[]): readonly string[] {
  const open = deliveries.filter(({ state }) => OPEN.has(state)).toReversed();
  const free = new Set(turns.toReversed());
  return open.flatMap((entry) => {
    const turn = [...free].find((each) => isPromptOf(each, entry));
    if (turn !== undefined) free.delete(turn);
    return turn === undefined ? [] : [entry.id];
  });
}

/** The list with this updated record, newest first, in the order of the records, not of their clocks. */
export function withDelivery(deliveries: readonly OutboxEntry[], entry: OutboxEntry): readonly OutboxEntry[] {
  if (deliveries.some(({ id }) => id === entry.id))
    return deliveries.map((one) => (one.id === entry.id ? entry : one));
  // A record that is neither new nor in a full list is older than the whole list.
  const isOld = entry.state !== 'recorded' && deliveries.length >= DELIVERIES_SHOWN;
  return isOld ? deliveries : [entry, ...deliveries].slice(0, DELIVERIES_SHOWN);
}
