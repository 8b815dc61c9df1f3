/** All AI panes with their states: listed, read when they print, and updated by their hooks. */
import { wordsFor } from '../../lib/pane-names.ts';
import { type Failure, fail, type Result } from '../../lib/result.ts';
import type { Timers } from '../../lib/scheduler.ts';
import type { AiPane } from '../../protocol/pane.ts';
import type { PaneFeed } from '../../tmux/feed.ts';
import { isAiPane, type PaneListing, type Panes } from '../../tmux/panes.ts';
import { paneKey } from '../../ui/responses/port.ts';
import { branchOf } from './ai-pane.ts';
import { FollowedPane } from './followed-pane.ts';
import type { PaneHooks } from './pane-hooks.ts';

/** Programs start and end in other sessions, and under scripts, without a notification from tmux. */
const RELIST_MS = 15_000;
/** The pause doubles up to this while nothing is printed or changes. */
const RELIST_CALM_MS = 60_000;
/** How often panes are listed while there is no AI pane, and so no control client to report changes. */
const RELIST_SILENT_MS = 5_000;

export interface AiPanesOptions {
  readonly feed: PaneFeed;
  readonly panes: Panes;
  readonly hooks: PaneHooks;
  readonly timers: Timers;
  /** Whether to keep a pane, whatever runs in it now, because its answers can still be read. */
  readonly keeps: (key: string) => boolean;
  /** The known session of a pane; null if unknown. */
  readonly sessionOf: (key: string) => string | null;
  readonly listener: AiPanesListener;
}

export interface AiPanesListener {
  /** A pane appeared, disappeared, or changed its state, title or dialog. */
  onChange(): void;
  /** Something was printed in this pane. */
  onPrint(key: string): void;
  /** A new process of an AI CLI started in this pane. */
  onRestart(key: string): void;
  /** The pane was closed and is no longer listed. */
  onGone(key: string): void;
  /** The panes were listed. `isRoutine`: by the timer, not because something changed. */
  onListed(all: Result<readonly PaneListing[]>, isRoutine: boolean): Promise<void>;
}

interface Followed {
  readonly pane: FollowedPane;
  readonly unfollow: () => void;
}

export class AiPanes {
  readonly #options: AiPanesOptions;
  readonly #followed = new Map<string, Followed>();
  /** The number of lists requested, and the number of the newest one processed. */
  #asked = 0;
  #taken = 0;
  /** By pane, the last list requested before it was followed or closed: lists up to it are outdated for the pane. */
  readonly #reportedAt = new Map<string, number>();
  #relist: unknown = null;
  #pauseMs = RELIST_MS;
  #isClosed = false;

  constructor(options: AiPanesOptions) {
    this.#options = options;
  }

  /** The listed panes; each stays the same object until it changes. */
  get all(): readonly AiPane[] {
    return [...this.#followed.values()].map(({ pane }) => pane.pane);
  }

  find(key: string | undefined): FollowedPane | null {
    return key === undefined ? null : (this.#followed.get(key)?.pane ?? null);
  }

  /** Lists all panes of tmux now, and again soon. `isRoutine`: by the timer, not because something changed. */
  async list(isRoutine = false): Promise<Result<readonly PaneListing[]>> {
    const { panes, timers, listener } = this.#options;
    timers.clear(this.#relist);
    this.#pauseMs = isRoutine ? Math.min(2 * this.#pauseMs, RELIST_CALM_MS) : RELIST_MS;
    this.#asked += 1;
    const asked = this.#asked;
    const listed = await panes.list();
    if (this.#isClosed) return listed;
    if (listed.ok) this.#take(listed.value, asked);
    void this.#readBranches();
    await listener.onListed(listed, isRoutine);
    this.#arm();
    return listed;
  }

  #arm(): void {
    if (this.#isClosed) return;
    const { timers } = this.#options;
    timers.clear(this.#relist);
    const pauseMs = this.#followed.size > 0 ? this.#pauseMs : RELIST_SILENT_MS;
    this.#relist = timers.set(() => void this.list(true), pauseMs);
  }

  /** Something was printed: the lists need no longer be rare. */
  #wake(): void {
    if (this.#pauseMs === RELIST_MS) return;
    this.#pauseMs = RELIST_MS;
    this.#arm();
  }

  /** Watches this pane from now on; a known pane may run another process. */
  follow(listing: PaneListing): void {
    const key = paneKey(listing.facts.identity);
    this.#reportedAt.set(key, this.#asked);
    this.#find(key, listing);
  }

  #find(key: string, listing: PaneListing): void {
    const pane = this.find(key);
    if (pane === null) {
      this.#begin(key, listing);
      return;
    }
    const hasEnded = pane.ended !== null;
    if (hasEnded && listing.cliPid === null) return;
    const before = pane.listing;
    pane.relist(listing);
    if (before.cliPid === listing.cliPid && !hasEnded) return;
    void this.hearHook(key);
    this.#options.listener.onRestart(key);
  }

  /** Processes the last report of the pane's own hook. */
  async hearHook(key: string): Promise<void> {
    const pane = this.find(key);
    if (pane === null) return;
    pane.tell(await this.#options.hooks.stateOf(pane.listing, this.#options.sessionOf(key)));
  }

  /** An AI CLI reported something: each pane gets its own last report. */
  async hearHooks(): Promise<void> {
    for (const key of [...this.#followed.keys()]) await this.hearHook(key);
  }

  close(): void {
    this.#isClosed = true;
    this.#options.timers.clear(this.#relist);
    for (const { pane } of this.#followed.values()) pane.stop();
  }

  #begin(key: string, listing: PaneListing): void {
    const { feed, timers, listener } = this.#options;
    const pane = new FollowedPane({ listing, timers, onChange: () => listener.onChange() });
    const unfollow = feed.follow(listing.facts, {
      onView: (view) => {
        const before = pane.listing.facts.currentCommand;
        pane.see(view);
        this.#wake();
        // A kept pane still shows the name of its ended program.
        const hasEnded = view.facts.dead && pane.ended === null;
        if (hasEnded || before !== view.facts.currentCommand) void this.list();
        listener.onPrint(key);
      },
      onGone: () => this.#close(key),
    });
    this.#followed.set(key, { pane, unfollow });
    void this.hearHook(key);
  }

  /** Processes the list with this number, unless a newer one was processed; skips panes reported since. */
  #take(listed: readonly PaneListing[], number: number): void {
    if (number < this.#taken) return;
    this.#taken = number;
    const isNews = (key: string) => (this.#reportedAt.get(key) ?? 0) < number;
    const all = new Map(listed.map((listing) => [paneKey(listing.facts.identity), listing]));
    for (const key of all.keys()) if (!isNews(key)) all.delete(key);
    for (const [key, { pane }] of this.#followed) {
      const now = all.get(key);
      if (!isNews(key)) continue;
      if (now === undefined) this.#close(key);
      else if (isAiPane(now) || this.#options.keeps(key)) noticeEnd(pane, now);
      else this.#forget(key);
    }
    for (const [key, listing] of all) if (isAiPane(listing)) this.#find(key, listing);
    for (const [key, at] of this.#reportedAt) if (at <= number) this.#reportedAt.delete(key);
  }

  async #readBranches(): Promise<void> {
    for (const { pane } of [...this.#followed.values()]) pane.isOn(await branchOf(pane.listing.facts.cwd));
  }

  #close(key: string): void {
    this.#reportedAt.set(key, this.#asked);
    const pane = this.find(key);
    if (pane !== null) pane.end(closed(pane));
    this.#forget(key);
    this.#options.listener.onGone(key);
  }

  #forget(key: string): void {
    const followed = this.#followed.get(key);
    this.#followed.delete(key);
    followed?.pane.stop();
    followed?.unfollow();
  }
}

/** A pane whose AI CLI has ended shows that at once, and its answers can still be read. */
function noticeEnd(pane: FollowedPane, now: PaneListing): void {
  const wasSeen = pane.listing.cliPid !== null && pane.ended === null;
  if (!wasSeen || (now.cliPid !== null && !now.facts.dead)) return;
  const message = `${pane.listing.cli} has ended in its pane; its answers stay here to be read`;
  const hint = 'Start it again there, or choose another AI pane with t.';
  pane.end(fail('not_found', message, hint).error);
}

function closed({ pane }: FollowedPane): Failure {
  const hint = 'Press t to follow another one or start one again.';
  return fail('not_found', `the AI pane was closed: ${wordsFor(pane)}`, hint).error;
}

/** Why nothing can be done without a listed pane: the followed one was closed, or there never was one. */
export const noPane = (last: FollowedPane | undefined): Result<never> => {
  const why = last?.ended ?? fail('not_found', 'no AI pane is followed', 'Choose one with t.').error;
  return { ok: false, error: why };
};
