/**
 * The Responses screen's data, alive: every AI pane with its state, the turns of the one that is followed, what
 * became of the prompts sent there. Reads what changed and nothing else; an idle pane costs nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { wantsMarkers } from '../../lib/marker-policy.ts';
import { errorMessage, type Failure, fail, ok, type Result } from '../../lib/result.ts';
import { Scheduler, type Timers } from '../../lib/scheduler.ts';
import type { Client } from '../../protocol/client.ts';
import type { Config } from '../../protocol/config.ts';
import type { AskedCall } from '../../protocol/dialog.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import type { AnswerWish } from '../../responses/core/answer.ts';
import { composeDialog } from '../../responses/core/dialog.ts';
import { turnTitle } from '../../responses/core/turn.ts';
import type { PaneResponses, ResponsesReading } from '../../responses/pane-responses.ts';
import type { TranscriptRef } from '../../responses/transcripts/port.ts';
import { FileWatcher } from '../../responses/transcripts/watch.ts';
import type { WhenBusy } from '../../tmux/core/send-model.ts';
import type { PaneFeed } from '../../tmux/feed.ts';
import { isAiPane, type PaneListing, type Panes } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import type { Sender } from '../../tmux/sender.ts';
import { paneKey, type ResponsesPort, type ResponsesView } from '../../ui/responses/port.ts';
import { LiveView } from '../live-view.ts';
import { openResponses } from './ai-pane.ts';
import { answerDialog } from './answer-dialog.ts';
import { arrivedIn, DELIVERIES_SHOWN, isOrphan, withDelivery } from './deliveries.ts';
import { FollowedPane } from './followed-pane.ts';
import type { PaneHooks } from './pane-hooks.ts';
import { replyToPlan } from './plan-reply.ts';
import { sameList, sameTurns } from './same-turns.ts';
import { openSender, sendPaneOf } from './sender.ts';
import { markLooked, NO_CHANGES, readFigures } from './turn-figures.ts';
import { TurnMarks } from './turn-marks.ts';

/** Newest turns that are kept in the list. */
const TURNS_SHOWN = 500;
/** A growing answer is read at most this often. */
const READ_GAP_MS = 100;
/** So long after a pane printed last it is read once more: a session that began there has its file by then. */
const LATE_READ_MS = 1_000;
/** Of the first line of a prompt, as the name of a review. */
const TITLE_MAX_CHARACTERS = 200;
/** Programs start and end inside a pane without tmux telling. */
const RELIST_MS = 5000;

export interface LiveResponsesOptions {
  readonly client: Client;
  /** Panes over a port: listing them over the feed's control client starts no process. */
  readonly openPanes: (tmux: TmuxPort) => Panes;
  readonly hooks: PaneHooks;
  readonly openFeed: (listener: { onTopology(): void; onProblem(message: string): void }) => PaneFeed;
  readonly timers: Timers;
  readonly markers: Config['markers'];
  /** `--pane`; null: the AI pane of this window. */
  readonly requested: string | null;
  readonly onProblem: (message: string) => void;
}

/** The pane that is followed, and what was read of it. */
interface Current {
  readonly key: string;
  readonly responses: PaneResponses;
  /** The session that was read; null before, and where the screen was read. */
  ref: TranscriptRef | null;
  /** Calls without a result, as its session file says. */
  asked: readonly AskedCall[];
  /** The session that it is known to have, and what tells that its file changed. */
  session: string | null;
  /** Its program or its pane is not there any more: what is to be said about that. */
  ended: Failure | null;
  watched: string | null;
  unwatch: () => void;
}

const EMPTY: ResponsesView = {
  panes: [],
  selected: null,
  turns: [],
  deliveries: [],
  status: { state: 'unknown', since: null, dialog: null, queued: false },
  changes: NO_CHANGES,
  problem: null,
  markers: { policy: 'auto', hasTranscript: true },
  isLooking: true,
};

export class LiveResponses extends LiveView<ResponsesView> implements ResponsesPort {
  readonly #options: LiveResponsesOptions;
  readonly #feed: PaneFeed;
  readonly #panes: Panes;
  readonly #watcher: FileWatcher;
  readonly #followed = new Map<string, { pane: FollowedPane; unfollow: () => void }>();
  readonly #reads: Scheduler;
  readonly #sender: Sender;
  readonly #marks: TurnMarks;
  #current: Current | null = null;
  /** `--pane` until it was found: a pane that is gone is not asked for again. */
  #requested: string | null;
  #relist: unknown = null;
  #lateRead: unknown = null;
  #isStarted = false;
  /** Settles when it is known which pane is followed. */
  #started: Promise<void> = Promise.resolve();
  readonly #known = Promise.withResolvers<void>();

  constructor(options: LiveResponsesOptions) {
    super(EMPTY);
    this.#options = options;
    this.#requested = options.requested;
    const { timers, onProblem } = options;
    const onError = (error: unknown) => onProblem(errorMessage(error));
    this.#feed = options.openFeed({ onTopology: () => void this.#list(), onProblem });
    this.#panes = options.openPanes(this.#feed.tmux);
    this.#watcher = new FileWatcher({ timers, onError });
    this.#reads = new Scheduler({ minGapMs: READ_GAP_MS, run: () => this.#read(), onError, timers });
    const { client } = options;
    this.#marks = new TurnMarks({ client, onEnd: () => void this.#readChanges(), onProblem });
    this.#sender = openSender({
      tmux: this.#feed.tmux,
      panes: this.#panes,
      client,
      hooks: options.hooks,
      responsesOf: () => this.#current?.responses ?? null,
    });
  }

  /** Settles when there is something to show, or the host must tell what: until then nothing else is as urgent. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  /** The listing of the followed pane; null when none is. */
  get selected(): PaneListing | null {
    return this.#current === null ? null : (this.#followed.get(this.#current.key)?.pane.listing ?? null);
  }

  /** Finds the panes and follows the one that is meant. */
  start(): Promise<void> {
    this.#started = this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    this.listen(this.#options.client, (body) => {
      if (body.type === 'outbox/changed') this.#takeDelivery(body.entry);
    });
    this.#watcher.watch(this.#options.hooks.bell, () => this.#hearHooks());
    const listed = await this.#list();
    await this.#choose(listed);
    this.#isStarted = true;
  }

  /** Some AI CLI told something: each pane gets the last word of its own. */
  async #hearHooks(): Promise<void> {
    for (const [key, { pane }] of this.#followed) await this.#hearHook(key, pane);
    this.#reads.request();
  }

  async #hearHook(key: string, pane: FollowedPane): Promise<void> {
    const session = key === this.#current?.key ? this.#current.session : null;
    pane.tell(await this.#options.hooks.stateOf(pane.listing, session));
  }

  /** Follows the pane that is meant, if it is there. */
  async #choose(listed: readonly PaneListing[] | undefined): Promise<void> {
    const resolved = await this.#panes.resolve(this.#requested, listed);
    if (!resolved.ok) return this.publish({ problem: resolved.error, isLooking: false });
    const { value } = resolved;
    if (value.kind === 'found') this.#settleOn(value.pane);
    else if (value.candidates[0] !== undefined && value.kind === 'ambiguous') {
      this.selectPane(paneKey(value.candidates[0].facts.identity));
    } else this.publish({ problem: value.failure, isLooking: false });
  }

  /** In place of a pane that was closed: the one that is meant now. Until there is one, its answers stay. */
  async #replace(listed: readonly PaneListing[] | undefined): Promise<void> {
    const resolved = await this.#panes.resolve(null, listed);
    if (resolved.ok && resolved.value.kind === 'found') this.#settleOn(resolved.value.pane);
  }

  #settleOn(pane: PaneListing): void {
    this.#requested = null;
    this.#follow(pane);
    this.selectPane(paneKey(pane.facts.identity));
  }

  override async close(): Promise<void> {
    super.close();
    this.#options.timers.clear(this.#relist);
    this.#options.timers.clear(this.#lateRead);
    this.#reads.stop();
    this.#watcher.close();
    for (const { pane } of this.#followed.values()) pane.stop();
    await this.#feed.close();
  }

  readonly selectPane = (key: string): void => {
    const followed = this.#followed.get(key);
    if (followed === undefined || this.#current?.key === key) return;
    this.#current?.unwatch();
    const { listing } = followed.pane;
    const loaded = this.#loadDeliveries(key);
    // What was sent is waited for only where nothing else tells which session is the pane's.
    const sent = async () => {
      this.#known.resolve();
      await loaded;
      return this.view.deliveries;
    };
    const access = { tmux: this.#feed.tmux, panes: this.#panes, hooks: this.#options.hooks, sent };
    this.#current = {
      key,
      responses: openResponses(access, listing),
      ref: null,
      session: null,
      ended: null,
      asked: [],
      watched: null,
      unwatch: () => undefined,
    };
    const { hasTranscript } = this.#current.responses;
    this.publish({
      selected: key,
      turns: [],
      deliveries: [],
      changes: NO_CHANGES,
      markers: { policy: this.#options.markers, hasTranscript },
      problem: null,
      isLooking: true,
    });
    this.#reads.request();
  };

  readonly refresh = async (): Promise<Result<void>> => {
    await this.#list();
    await this.#read();
    return this.view.problem === null ? ok(undefined) : { ok: false, error: this.view.problem };
  };

  readonly send = async (text: string, whenBusy: WhenBusy = 'queue'): Promise<Result<OutboxEntry>> => {
    // Someone types faster than the panes are found.
    await this.#started;
    const listing = this.selected;
    if (listing === null || this.#current === null) return noPane();
    const sent = await this.#sender.send({
      pane: sendPaneOf(listing),
      text,
      mode: 'prompt',
      markers: wantsMarkers(this.#options.markers, text, this.#current.responses.hasTranscript),
      submit: true,
      whenBusy,
    });
    this.#reads.request();
    return sent.ok ? this.#entry(sent.value.id) : sent;
  };

  readonly pressEnter = async (entryId: string): Promise<Result<OutboxEntry>> => {
    const listing = this.selected;
    const entry = this.view.deliveries.find(({ id }) => id === entryId);
    if (listing === null) return noPane();
    if (entry === undefined) return fail('not_found', 'that prompt is no longer known');
    const sent = await this.#sender.submit(entry, sendPaneOf(listing));
    return sent.ok ? this.#entry(entryId) : sent;
  };

  readonly answerDialog = async (wish: AnswerWish): Promise<Result<void>> => {
    const listing = this.selected;
    return listing === null ? noPane() : answerDialog(this.#feed.tmux, listing, wish);
  };

  readonly replyToPlan = async (text: string): Promise<Result<OutboxEntry>> => {
    const listing = this.selected;
    if (listing === null) return noPane();
    const access = { tmux: this.#feed.tmux, client: this.#options.client };
    const replied = await replyToPlan(access, listing, { dialog: this.view.status.dialog, text });
    this.#reads.request();
    return replied.ok ? this.#entry(replied.value) : replied;
  };

  /** Follows the AI panes that there are; gives all panes, unless they could not be listed. */
  async #list(): Promise<readonly PaneListing[] | undefined> {
    this.#options.timers.clear(this.#relist);
    const listed = await this.#panes.list();
    const all = listed.ok ? listed.value : undefined;
    if (this.isClosed) return all;
    if (all !== undefined) {
      const ofAi = all.filter(isAiPane);
      this.#noticeEnd(all);
      for (const listing of ofAi) this.#follow(listing);
      const alive = new Set(ofAi.map(({ facts }) => paneKey(facts.identity)));
      // The followed pane stays, whatever runs in it now: its answers are still there to read.
      for (const key of this.#followed.keys())
        if (!alive.has(key) && key !== this.#current?.key) this.#forget(key);
    }
    this.publish(listed.ok ? {} : { problem: listed.error });
    if (this.#isStarted && this.#current === null) await this.#choose(all);
    else if (this.#current !== null && !this.#followed.has(this.#current.key)) await this.#replace(all);
    this.#reads.request();
    this.#relist = this.#options.timers.set(() => void this.#list(), RELIST_MS);
    return all;
  }

  /** The followed pane has no AI CLI any more: said at once, and what it answered stays to be read. */
  #noticeEnd(all: readonly PaneListing[]): void {
    const current = this.#current;
    const pane = current === null ? undefined : this.#followed.get(current.key)?.pane;
    if (current === null || pane === undefined || current.ended !== null) return;
    const now = all.find(({ facts }) => paneKey(facts.identity) === current.key);
    const wasSeen = pane.listing.cliPid !== null;
    if (now === undefined || !wasSeen || (now.cliPid !== null && !now.facts.dead)) return;
    const message = `${pane.listing.cli} has ended in its pane; its answers stay here to be read`;
    current.ended = fail(
      'not_found',
      message,
      'Start it again there, or choose another AI pane with t.',
    ).error;
    pane.end();
    this.publish({ problem: current.ended });
  }

  #follow(listing: PaneListing): void {
    const key = paneKey(listing.facts.identity);
    const known = this.#followed.get(key);
    const hasEnded = this.#current?.key === key && this.#current.ended !== null;
    if (hasEnded && listing.cliPid === null) return;
    if (known !== undefined) {
      const before = known.pane.listing;
      known.pane.relist(listing);
      if (before.cliPid === listing.cliPid && !hasEnded) return;
      void this.#hearHook(key, known.pane);
      if (this.#current?.key === key) this.#reopen(key);
      return;
    }
    const { timers } = this.#options;
    const pane = new FollowedPane({ listing, timers, onChange: () => this.publish({}) });
    const unfollow = this.#feed.follow(listing.facts, {
      onView: (view) => {
        const before = pane.listing.facts.currentCommand;
        pane.see(view);
        if (before !== view.facts.currentCommand) void this.#list();
        if (this.#current?.key === key) this.#readNowAndLate();
      },
      onGone: () => this.#onGone(key),
    });
    this.#followed.set(key, { pane, unfollow });
    void this.#hearHook(key, pane);
  }

  /** The program in the followed pane was started again: its session is another one. */
  #reopen(key: string): void {
    this.#current?.unwatch();
    this.#current = null;
    this.selectPane(key);
  }

  #onGone(key: string): void {
    if (this.#current?.key === key) {
      this.#current.ended = fail('not_found', 'the AI pane was closed', 'Choose another one with t.').error;
      this.publish({ problem: this.#current.ended });
    }
    this.#forget(key);
    this.publish({});
  }

  #forget(key: string): void {
    const followed = this.#followed.get(key);
    this.#followed.delete(key);
    followed?.pane.stop();
    followed?.unfollow();
  }

  #readNowAndLate(): void {
    const { timers } = this.#options;
    this.#reads.request();
    timers.clear(this.#lateRead);
    this.#lateRead = timers.set(() => this.#reads.request(), LATE_READ_MS);
  }

  async #read(): Promise<void> {
    const current = this.#current;
    if (current === null) return;
    const reading = await current.responses.read('auto', TURNS_SHOWN);
    if (current !== this.#current || this.isClosed) return;
    if (!reading.ok) return this.publish({ problem: reading.error, isLooking: false });
    const { ref, state, asked } = reading.value;
    current.asked = asked;
    this.#watchFile(current, reading.value);
    const isOther = ref?.sessionId !== current.ref?.sessionId;
    current.ref = ref;
    if (isOther) void this.#readChanges();
    current.session = ref === null || ref.tie === 'folder' ? null : ref.sessionId;
    const pane = this.#followed.get(current.key)?.pane;
    pane?.hear(state, ref?.modifiedAt ?? 0);
    void this.#confirmArrivals(reading.value.turns);
    if (pane !== undefined) await this.#hearHook(current.key, pane);
    this.publish({
      turns: sameTurns(this.view.turns, reading.value.turns),
      problem: current.ended,
      isLooking: false,
    });
  }

  /** What a busy AI held is delivered once its session file has it. */
  async #confirmArrivals(turns: readonly Turn[]): Promise<void> {
    for (const id of arrivedIn(turns, this.view.deliveries)) {
      await this.#options.client.request('outbox/update', {
        id,
        state: 'delivered',
        reason: null,
        proof: 'transcript',
      });
    }
  }

  #watchFile(current: Current, { ref, beside }: ResponsesReading): void {
    const watched = ref === null ? null : [ref.path, ...beside].join('\n');
    if (watched === current.watched) return;
    current.unwatch();
    current.watched = watched;
    const onChange = async () => this.#reads.request();
    current.unwatch = ref === null ? () => undefined : this.#watcher.watch(ref.path, onChange, beside);
  }

  async #loadDeliveries(key: string): Promise<void> {
    const listing = this.#followed.get(key)?.pane.listing;
    if (listing === undefined) return;
    const pane = listing.facts.identity;
    const listed = await this.#options.client.request('outbox/list', { pane, limit: DELIVERIES_SHOWN });
    if (this.#current?.key !== key) return;
    if (!listed.ok) return this.publish({ problem: listed.error });
    this.publish({ deliveries: listed.value });
    void this.#resumeOrphans(listed.value, listing);
  }

  async #resumeOrphans(entries: readonly OutboxEntry[], listing: PaneListing): Promise<void> {
    for (const entry of entries)
      if (isOrphan(entry, this.#options.timers.now())) await this.#sender.resume(entry, sendPaneOf(listing));
  }

  #takeDelivery(entry: OutboxEntry): void {
    if (this.#current === null || paneKey(entry.pane) !== this.#current.key) return;
    this.publish({ deliveries: withDelivery(this.view.deliveries, entry) });
  }

  async #entry(id: string): Promise<Result<OutboxEntry>> {
    const listed = await this.#options.client.request('outbox/list', { limit: DELIVERIES_SHOWN });
    if (!listed.ok) return listed;
    const entry = listed.value.find((one) => one.id === id);
    return entry === undefined ? fail('internal', 'the prompt was sent, but its record is gone') : ok(entry);
  }

  protected override publish(change: Partial<ResponsesView>): void {
    const listed = [...this.#followed.values()].map(({ pane }) => pane.pane);
    const before = this.view;
    const panes = sameList(before.panes, listed);
    super.publish({ ...change, panes, status: this.#status(before.status) });
    if (this.view === before) return;
    this.#watchTurns(this.view);
    if (!this.view.isLooking) this.#known.resolve();
  }

  readonly reviewTurn = async (turn: Turn): Promise<Result<string>> => {
    const { selected } = this;
    const ref = this.#current?.ref ?? null;
    if (selected === null || ref === null)
      return fail('not_found', 'What this answer changed is not known: it was read from the screen');
    const session = sessionOf(ref);
    const published = await this.#options.client.request('review/publish', {
      target: selected.facts.cwd,
      description: turnTitle(turn).slice(0, TITLE_MAX_CHARACTERS) || 'What an answer changed',
      source: { kind: 'turn', session, from: turn.id, to: turn.id },
    });
    if (!published.ok) return published;
    await markLooked(this.#options.client, session, turn.id);
    void this.#readChanges();
    return ok(published.value.id);
  };

  async #readChanges(): Promise<void> {
    const ref = this.#current?.ref ?? null;
    if (ref === null) return;
    const changes = await readFigures(this.#options.client, sessionOf(ref));
    if (changes !== null && this.#current?.ref === ref) this.publish({ changes });
  }

  #watchTurns({ status, turns, selected }: ResponsesView): void {
    const current = this.#current;
    const listing = current === null ? undefined : this.#followed.get(current.key)?.pane.listing;
    if (current?.key !== selected || current?.ref == null || listing === undefined) return;
    const [newest] = turns;
    const facts = {
      newest: newest === undefined ? null : { id: newest.id, isOver: newest.progress !== 'streaming' },
      busy: status.state === 'working' || status.state === 'waiting',
    };
    this.#marks.see(facts, {
      session: sessionOf(current.ref),
      folder: listing.facts.cwd,
      startedAt: newest?.startedAt ?? null,
    });
  }

  #status(before: ResponsesView['status']): ResponsesView['status'] {
    const pane = this.#current === null ? undefined : this.#followed.get(this.#current.key)?.pane;
    if (pane === undefined) return EMPTY.status;
    const { state } = pane.pane;
    const choice = pane.reading?.choice ?? null;
    const dialog = choice === null ? null : composeDialog(choice, this.#current?.asked ?? []);
    const status = {
      state,
      since: pane.since,
      dialog: isDeepStrictEqual(dialog, before.dialog) ? before.dialog : dialog,
      queued: pane.reading?.queued ?? false,
    };
    const same = (Object.keys(status) as (keyof typeof status)[]).every((key) => status[key] === before[key]);
    return same ? before : status;
  }
}

const sessionOf = ({ cli, path, sessionId }: TranscriptRef): SessionRef => ({ cli, path, sessionId });

function noPane(): { readonly ok: false; readonly error: Failure } {
  return fail('not_found', 'no AI pane is followed', 'Choose one with t.');
}
