/** The live data of the Responses screen: AI panes with their states, the followed pane's turns and prompts. */
import { errorMessage, ok, type Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { Env } from '../../platform/paths.ts';
import type { Client } from '../../protocol/client.ts';
import type { Config } from '../../protocol/config.ts';
import type { OutboxEntry } from '../../protocol/outbox.ts';
import type { PastSession } from '../../protocol/past-session.ts';
import type { Turn } from '../../protocol/turn.ts';
import type { SessionRef } from '../../protocol/turn-range.ts';
import type { AnswerRequest } from '../../responses/core/answer.ts';
import type { PaneResponses, ResponsesReading } from '../../responses/pane-responses.ts';
import { FileWatcher } from '../../responses/transcripts/watch.ts';
import type { WhenBusy } from '../../tmux/core/send-model.ts';
import type { FeedListener, PaneFeed } from '../../tmux/feed.ts';
import type { PaneListing, Panes } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';
import { paneKey, type ResponsesPort, type ResponsesView } from '../../ui/responses/port.ts';
import { LiveView } from '../live-view.ts';
import { openResponses } from './ai-pane.ts';
import { AiPanes, noPane } from './ai-panes.ts';
import type { FollowedPane } from './followed-pane.ts';
import type { PaneHooks } from './pane-hooks.ts';
import { PanePrompts } from './pane-prompts.ts';
import { NO_STATUS, statusOf } from './pane-status.ts';
import { PaneTurns } from './pane-turns.ts';
import { sameList, sameTurns } from './same-turns.ts';
import { ShownPane } from './shown-pane.ts';
import { TurnChanges } from './turn-changes.ts';
import { NO_CHANGES } from './turn-figures.ts';

export interface LiveResponsesOptions {
  readonly client: Client;
  /** Creates the panes over a port: the feed's control client lists them without starting a process. */
  readonly openPanes: (tmux: TmuxPort) => Panes;
  readonly hooks: PaneHooks;
  readonly openFeed: (listener: FeedListener) => PaneFeed;
  readonly timers: Timers;
  readonly markers: Config['markers'];
  /** The pane of `--pane`; null for the AI pane of this window. */
  readonly requested: string | null;
  /** The sessions of the project, running or not. */
  readonly sessions: SessionsPort;
  readonly onProblem: (message: string) => void;
}

export interface SessionsPort {
  /** `running`: the environment of the followed AI CLI. */
  readonly list: (words: string | null, running: Env | null) => Promise<Result<readonly PastSession[]>>;
  /** Newest first. */
  readonly read: (session: SessionRef) => Promise<Result<readonly Turn[]>>;
}

/** The followed pane, and the data read from it. */
interface Current {
  readonly key: string;
  readonly pane: FollowedPane;
  readonly turns: PaneTurns;
}

const EMPTY: ResponsesView = {
  panes: [],
  selected: null,
  turns: [],
  deliveries: [],
  status: NO_STATUS,
  changes: NO_CHANGES,
  past: null,
  problem: null,
  markers: { policy: 'auto', hasTranscript: true },
  isLooking: true,
};

export class LiveResponses extends LiveView<ResponsesView> implements ResponsesPort {
  readonly #options: LiveResponsesOptions;
  readonly #feed: PaneFeed;
  readonly #tmuxPanes: Panes;
  readonly #panes: AiPanes;
  readonly #watcher: FileWatcher;
  readonly #prompts: PanePrompts;
  readonly #changes: TurnChanges;
  #current: Current | null = null;
  /** `--pane` until it is found: a pane that is gone is not searched for again. */
  #requested: string | null;
  /** Panes listed before the followed one ended: its notes must not reach them without asking. */
  #others: ReadonlySet<string> = new Set();
  #isStarted = false;
  /** Settles when the followed pane is known. */
  #started: Promise<void> = Promise.resolve();
  /** The next answer waits for it: the keys of two would move one pointer. */
  #lastAnswer: Promise<Result<void>> = Promise.resolve(ok(undefined));
  readonly #known = Promise.withResolvers<void>();
  readonly #shown: ShownPane;

  constructor(options: LiveResponsesOptions) {
    super(EMPTY);
    this.#options = options;
    this.#requested = options.requested;
    const { client, hooks, timers, onProblem, markers } = options;
    const onError = (error: unknown) => onProblem(errorMessage(error));
    this.#feed = options.openFeed({
      onTopology: () => void this.#panes.list(),
      onSwitch: () => this.#shown.onSwitch(),
      onProblem,
    });
    this.#shown = new ShownPane({ tmux: () => this.#feed.tmux, timers });
    this.#tmuxPanes = options.openPanes(this.#feed.tmux);
    this.#panes = this.#openPanes();
    this.#watcher = new FileWatcher({ timers, onError });
    this.#changes = new TurnChanges({
      client,
      timers,
      session: () => this.view.past?.session ?? this.#current?.turns.ref ?? null,
      onChange: (changes) => this.publish({ changes }),
      onProblem,
    });
    this.#prompts = new PanePrompts({
      client,
      openSender: async () => {
        const { openSender } = await import('./sender.ts');
        const responsesOf = () => this.#current?.turns.responses ?? null;
        return openSender({ tmux: this.#feed.tmux, panes: this.#tmuxPanes, client, hooks, responsesOf });
      },
      timers,
      markers,
      onChange: (deliveries) => this.publish({ deliveries }),
      onProblem: (problem) => this.publish({ problem }),
    });
  }

  #openPanes(): AiPanes {
    const isCurrent = (key: string) => this.#current?.key === key;
    return new AiPanes({
      feed: this.#feed,
      panes: this.#tmuxPanes,
      hooks: this.#options.hooks,
      timers: this.#options.timers,
      keeps: isCurrent,
      sessionOf: (key) => (isCurrent(key) ? (this.#current?.turns.sureSession ?? null) : null),
      listener: {
        onChange: () => this.publish({}),
        onPrint: (key) => {
          if (isCurrent(key)) this.#current?.turns.requestTwice();
        },
        onRestart: (key) => {
          if (isCurrent(key)) this.#reopen(key);
        },
        onGone: (key) => {
          if (isCurrent(key)) this.#others = new Set(this.#panes.all.map((pane) => paneKey(pane.identity)));
          this.publish(isCurrent(key) ? { problem: this.#current?.pane.ended ?? null } : {});
        },
        onListed: (listed, isRoutine) => this.#takeList(listed, isRoutine),
      },
    });
  }

  /** Settles when there is something to show, or the host is needed: nothing else is as urgent until then. */
  get known(): Promise<void> {
    return this.#known.promise;
  }

  get selected(): PaneListing | null {
    return this.#panes.find(this.#current?.key)?.listing ?? null;
  }

  /** Finds the panes and follows the one the user means. */
  start(): Promise<void> {
    this.#started = this.#start();
    return this.#started;
  }

  async #start(): Promise<void> {
    this.listen(this.#options.client, (body) => {
      if (body.type === 'outbox/changed') this.#prompts.hear(body.entry);
    });
    this.#watcher.watch(this.#options.hooks.bell, async () => {
      await this.#panes.hearHooks();
      this.#current?.turns.request();
    });
    const listed = await this.#panes.list();
    await this.#choose(listed.ok ? listed.value : undefined);
    this.#isStarted = true;
  }

  /** The control client's port while there is one. */
  get tmux(): TmuxPort {
    return this.#feed.tmux;
  }

  /** Resolves when a pane is visible; at once if tmux cannot tell. */
  whenShown(paneId: string | undefined): Promise<void> {
    return this.#shown.whenShown(paneId);
  }

  override async close(): Promise<void> {
    super.close();
    this.#current?.turns.close();
    this.#changes.close();
    this.#watcher.close();
    this.#panes.close();
    await this.#feed.close();
  }

  /** Follows the intended pane. Replaces a closed one, whose answers stay until then, by a new one. */
  async #choose(listed: readonly PaneListing[] | undefined): Promise<void> {
    const isFirst = this.#current === null;
    const resolved = await this.#tmuxPanes.resolve(isFirst ? this.#requested : null, listed);
    if (resolved.ok && resolved.value.kind === 'found') {
      const { pane } = resolved.value;
      this.#requested = null;
      const key = paneKey(pane.facts.identity);
      if (!isFirst && this.#others.has(key)) return;
      // Panes of AI CLIs are already followed since the list.
      if (this.#panes.find(key) === null) this.#panes.follow(pane);
      this.selectPane(key);
      return;
    }
    if (!isFirst) return;
    if (!resolved.ok) return this.publish({ problem: resolved.error, isLooking: false });
    const { value } = resolved;
    const first = value.kind === 'ambiguous' ? value.candidates[0] : undefined;
    if (first !== undefined) this.selectPane(paneKey(first.facts.identity));
    else if (value.kind !== 'found') this.publish({ problem: value.failure, isLooking: false });
  }

  async #takeList(listed: Result<readonly PaneListing[]>, isRoutine: boolean): Promise<void> {
    const problem = listed.ok ? (this.#current?.pane.trouble ?? this.view.problem) : listed.error;
    this.publish({ problem });
    const all = listed.ok ? listed.value : undefined;
    const isNone = this.#current === null ? this.#isStarted : this.selected === null;
    if (isNone) await this.#choose(all);
    if (isRoutine) this.#current?.turns.requestInCase();
    else this.#current?.turns.request();
  }

  readonly selectPane = (key: string): void => {
    const pane = this.#panes.find(key);
    if (pane === null || this.#current?.key === key) return;
    this.#current?.turns.close();
    const loaded = this.#prompts.follow(pane.listing);
    // Wait for sent texts only if nothing else identifies the session.
    const sent = async () => {
      this.#known.resolve();
      await loaded;
      return this.view.deliveries;
    };
    const { hooks, markers: policy } = this.#options;
    const access = { tmux: this.#feed.tmux, panes: this.#tmuxPanes, hooks, sent };
    const responses = openResponses(access, pane.listing);
    this.#current = { key, pane, turns: this.#openTurns(responses) };
    this.publish({
      selected: key,
      turns: [],
      deliveries: [],
      changes: NO_CHANGES,
      past: null,
      markers: { policy, hasTranscript: responses.hasTranscript },
      problem: null,
      isLooking: true,
    });
    this.#current.turns.request();
  };

  #openTurns(responses: PaneResponses): PaneTurns {
    const { timers, onProblem } = this.#options;
    return new PaneTurns({
      responses,
      watcher: this.#watcher,
      timers,
      onRead: (reading, isOther) => this.#takeReading(reading, isOther),
      onWritten: () => this.#changes.hear(),
      onFailure: (problem) =>
        this.publish({ problem: this.#current?.pane.trouble ?? problem, isLooking: false }),
      onProblem,
    });
  }

  /** The program in the followed pane was restarted, so it has another session. */
  #reopen(key: string): void {
    this.#current?.turns.close();
    this.#current = null;
    this.selectPane(key);
  }

  readonly refresh = async (): Promise<Result<void>> => {
    await this.#panes.list();
    await this.#current?.turns.read();
    return this.view.problem === null ? ok(undefined) : { ok: false, error: this.view.problem };
  };

  readonly send = async (text: string, whenBusy: WhenBusy = 'queue'): Promise<Result<OutboxEntry>> => {
    // The user may type before the panes are found.
    await this.#started;
    // An ended program may be running again.
    if (this.#current?.pane.ended != null) await this.#panes.list();
    const { selected } = this;
    if (selected === null || this.#current?.pane.ended !== null) return noPane(this.#current?.pane);
    const { hasTranscript } = this.#current.turns.responses;
    const sent = await this.#prompts.send(selected, { text, whenBusy, hasTranscript });
    this.#current?.turns.request();
    return sent;
  };

  /** Acts on the followed pane, if its program is there. */
  async #onSelected<T>(
    act: (pane: PaneListing, since: number | null) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const { selected } = this;
    const pane = this.#current?.pane;
    return selected === null ? noPane(pane) : act(selected, pane?.readingSince ?? null);
  }

  readonly pressEnter = (entryId: string): Promise<Result<OutboxEntry>> =>
    this.#onSelected((selected) => this.#prompts.submit(selected, entryId));

  readonly answerDialog = (wanted: AnswerRequest): Promise<Result<void>> =>
    this.#onSelected((selected, since) => {
      const answer = async () => {
        const { answerDialog } = await import('./answer-dialog.ts');
        return answerDialog(this.#feed.tmux, selected, { ...wanted, since });
      };
      this.#lastAnswer = this.#lastAnswer.then(answer, answer);
      return this.#lastAnswer;
    });

  readonly replyToPlan = (text: string): Promise<Result<OutboxEntry>> =>
    this.#onSelected(async (selected, since) => {
      const access = { tmux: this.#feed.tmux, client: this.#options.client };
      const reply = { dialog: this.view.status.dialog, since, text, send: () => this.send(text) };
      const { replyToPlan } = await import('./plan-reply.ts');
      const replied = await replyToPlan(access, selected, reply);
      this.#current?.turns.request();
      return replied.ok ? this.#prompts.entry(replied.value) : replied;
    });

  readonly reviewTurn = (turn: Turn, onward: boolean): Promise<Result<string>> =>
    this.#onSelected((selected) => this.#changes.review(turn, onward, selected.facts.cwd));

  readonly sessions = async (words: string | null): Promise<Result<readonly PastSession[]>> => {
    const { selected } = this;
    const running = selected === null ? null : (await this.#tmuxPanes.place(selected)).env;
    return this.#options.sessions.list(words, running);
  };

  readonly openSession = async (past: PastSession | null): Promise<Result<void>> => {
    if (past === null) {
      this.publish({ past, turns: [], changes: NO_CHANGES, problem: null });
      await this.#current?.turns.read();
    } else {
      const read = await this.#options.sessions.read(past.session);
      if (!read.ok) return read;
      this.publish({ past, turns: read.value, changes: NO_CHANGES, problem: null, isLooking: false });
    }
    void this.#changes.count();
    return ok(undefined);
  };

  async #takeReading({ ref, state, turns }: ResponsesReading, isOther: boolean): Promise<void> {
    const current = this.#current;
    if (current === null) return;
    if (isOther) void this.#changes.count();
    current.pane.hear(state, ref?.modifiedAt ?? 0);
    void this.#prompts.confirm(turns);
    await this.#panes.hearHook(current.key);
    if (current !== this.#current) return;
    this.publish({
      ...(this.view.past === null ? { turns: sameTurns(this.view.turns, turns) } : {}),
      problem: current.pane.trouble,
      isLooking: false,
    });
  }

  protected override publish(change: Partial<ResponsesView>): void {
    const before = this.view;
    const panes = sameList(before.panes, this.#panes.all);
    const pane = this.#panes.find(this.#current?.key) ?? this.#current?.pane;
    const asked = this.#current?.turns.asked ?? [];
    const status = pane === undefined ? NO_STATUS : statusOf(pane, asked, { ...before, ...change });
    super.publish({ ...change, panes, status });
    if (this.view === before) return;
    const { selected } = this;
    if (selected !== null && this.view.past === null && this.view.selected === this.#current?.key)
      this.#changes.see(this.view, selected.facts.cwd);
    if (!this.view.isLooking) this.#known.resolve();
  }
}
