/**
 * Follows panes live: a fresh view within 100 ms of output, by one control client per tmux session, which reconnects.
 * Commands wait for a client that is connecting; without one they run a process each. Does not interpret screens.
 */
import { errorMessage, type Result } from '../lib/result.ts';
import { Scheduler, type Timers } from '../lib/scheduler.ts';
import { type PaneView, viewPane } from './capture.ts';
import type { ControlClient } from './control-client.ts';
import { isSamePane, type PaneFacts } from './core/formats.ts';
import type { Panes } from './panes.ts';
import type { TmuxFailure, TmuxPort } from './port.ts';

interface PaneFollower {
  onView(view: PaneView): void;
  /** The pane is closed, or another program has taken its place. */
  onGone(): void;
}

export interface FeedListener {
  /** Windows, panes or programs appeared or disappeared: list again. */
  onTopology(): void;
  /** Another window or pane is in front now; reported only while a pane is followed. */
  onSwitch(): void;
  /** Reports a failure; the feed continues. */
  onProblem(message: string): void;
}

export interface PaneFeed {
  /** The control client's port while there is one. */
  readonly tmux: TmuxPort;
  /** Follows a pane until the returned function is called; the first view comes at once. */
  follow(pane: PaneFacts, follower: PaneFollower): () => void;
  close(): Promise<void>;
}

export interface PaneFeedOptions {
  /** Spawns a process per call, for when there is no control client. */
  readonly fallback: TmuxPort;
  readonly panes: Panes;
  readonly connect: (sessionId: string) => Promise<Result<ControlClient, TmuxFailure>>;
  readonly timers: Timers;
  readonly listener: FeedListener;
}

/** Shortest pause between two looks at a screen. */
const VIEW_GAP_MS = 100;
const TOPOLOGY_GAP_MS = 1000;
const LOOK_AGAIN_MS = 1000;
const RETRY_MIN_MS = 250;
const RETRY_MAX_MS = 5000;

interface Followed {
  readonly pane: PaneFacts;
  readonly follower: PaneFollower;
  readonly scheduler: Scheduler;
  unwatch: () => void;
}

/** The control client of one session, and its followers. */
interface Link {
  readonly sessionId: string;
  readonly members: Set<Followed>;
  client: ControlClient | null;
  connecting: Promise<void> | null;
  retryMs: number;
  retry: unknown;
}

class Feed implements PaneFeed {
  readonly tmux: TmuxPort;
  readonly #options: PaneFeedOptions;
  readonly #links = new Map<string, Link>();
  readonly #topology: Scheduler;
  #closed = false;

  constructor(options: PaneFeedOptions) {
    this.#options = options;
    this.#topology = new Scheduler({
      minGapMs: TOPOLOGY_GAP_MS,
      timers: options.timers,
      run: () => Promise.resolve(options.listener.onTopology()),
      onError: (error) => options.listener.onProblem(errorMessage(error)),
    });
    this.tmux = { run: async (commands, runOptions) => (await this.#port()).run(commands, runOptions) };
  }

  follow(pane: PaneFacts, follower: PaneFollower): () => void {
    if (this.#closed) throw new Error('the feed is closed');
    const followed: Followed = {
      pane,
      follower,
      unwatch: () => undefined,
      scheduler: new Scheduler({
        minGapMs: VIEW_GAP_MS,
        timers: this.#options.timers,
        run: () => this.#look(followed),
        onError: (error) => this.#options.listener.onProblem(errorMessage(error)),
      }),
    };
    const link = this.#link(pane.sessionId);
    link.members.add(followed);
    if (link.client !== null) this.#watch(link.client, followed);
    followed.scheduler.request();
    return () => this.#unfollow(followed);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#topology.stop();
    const links = [...this.#links.values()];
    this.#links.clear();
    for (const link of links) {
      this.#options.timers.clear(link.retry);
      for (const member of link.members) member.scheduler.stop();
    }
    await Promise.all(links.map((link) => link.client?.close()));
  }

  async #port(): Promise<TmuxPort> {
    // A separate process would cost as much as the client that is connecting.
    const connecting = [...this.#links.values()].flatMap((link) => link.connecting ?? []);
    if (this.#openClient() === null && connecting.length > 0) await Promise.race(connecting);
    return this.#openClient() ?? this.#options.fallback;
  }

  #openClient(): ControlClient | null {
    for (const { client } of this.#links.values()) if (client?.isOpen === true) return client;
    return null;
  }

  #link(sessionId: string): Link {
    const existing = this.#links.get(sessionId);
    if (existing !== undefined) return existing;
    const link: Link = {
      sessionId,
      members: new Set(),
      client: null,
      connecting: null,
      retryMs: RETRY_MIN_MS,
      retry: null,
    };
    this.#links.set(sessionId, link);
    void this.#connect(link);
    return link;
  }

  #connect(link: Link): Promise<void> {
    link.connecting = this.#makeClient(link).finally(() => {
      link.connecting = null;
    });
    return link.connecting;
  }

  async #makeClient(link: Link): Promise<void> {
    const connected = await this.#options.connect(link.sessionId);
    if (this.#links.get(link.sessionId) !== link) {
      // Abandoned while it was connecting.
      if (connected.ok) await connected.value.close();
      return;
    }
    if (!connected.ok) {
      this.#options.listener.onProblem(connected.error.message);
      this.#retryLater(link);
      return;
    }
    const client = connected.value;
    link.client = client;
    link.retryMs = RETRY_MIN_MS;
    client.onTopology(() => this.#topology.request());
    client.onSwitch(() => this.#options.listener.onSwitch());
    for (const member of link.members) {
      this.#watch(client, member);
      member.scheduler.request();
    }
    void client.ended.then(() => this.#onEnd(link, client));
  }

  #onEnd(link: Link, client: ControlClient): void {
    if (link.client !== client) return;
    link.client = null;
    if (this.#links.get(link.sessionId) !== link) return;
    this.#topology.request();
    this.#retryLater(link);
  }

  #retryLater(link: Link): void {
    link.retry = this.#options.timers.set(() => void this.#relink(link), link.retryMs);
    link.retryMs = Math.min(RETRY_MAX_MS, link.retryMs * 2);
  }

  /** The session may be gone while its panes continue in another one. */
  async #relink(link: Link): Promise<void> {
    const listed = await this.#options.panes.facts();
    if (this.#links.get(link.sessionId) !== link) return;
    const panes = listed.ok ? listed.value : [];
    // A server that does not answer may be slow; one that says "no server" has no panes.
    if (!listed.ok && listed.error.code !== 'not_found') return this.#retryLater(link);
    for (const member of [...link.members]) {
      const now = panes.find((pane) => isSamePane(pane, member.pane.identity));
      if (now === undefined) this.#drop(member, true);
      else if (now.sessionId !== link.sessionId) this.#move(member, link, now.sessionId);
    }
    if (link.members.size > 0) await this.#connect(link);
  }

  #move(member: Followed, from: Link, sessionId: string): void {
    from.members.delete(member);
    if (from.members.size === 0) this.#links.delete(from.sessionId);
    const link = this.#link(sessionId);
    link.members.add(member);
    if (link.client !== null) this.#watch(link.client, member);
    member.scheduler.request();
  }

  #watch(client: ControlClient, followed: Followed): void {
    const look = () => followed.scheduler.request();
    followed.unwatch = client.watch(followed.pane.identity.paneId, { onOutput: look, onStatus: look });
  }

  async #look(followed: Followed): Promise<void> {
    const view = await viewPane(this.tmux, followed.pane.identity.paneId);
    if (!this.#isFollowed(followed)) return;
    if (view.ok && isSamePane(view.value.facts, followed.pane.identity)) {
      followed.follower.onView(view.value);
      return;
    }
    if (view.ok || (view.error.certain && view.error.code === 'not_found')) this.#drop(followed, true);
    else this.#lookLater(followed, view.error.message);
  }

  /** tmux did not answer: look again, to miss no output. */
  #lookLater(followed: Followed, problem: string): void {
    this.#options.listener.onProblem(problem);
    this.#options.timers.set(() => followed.scheduler.request(), LOOK_AGAIN_MS);
  }

  #isFollowed(followed: Followed): boolean {
    for (const link of this.#links.values()) if (link.members.has(followed)) return true;
    return false;
  }

  #unfollow(followed: Followed): void {
    if (this.#isFollowed(followed)) this.#drop(followed, false);
  }

  #drop(followed: Followed, isGone: boolean): void {
    followed.unwatch();
    followed.scheduler.stop();
    for (const link of this.#links.values()) {
      if (!link.members.delete(followed) || link.members.size > 0) continue;
      this.#links.delete(link.sessionId);
      this.#options.timers.clear(link.retry);
      void link.client?.close();
    }
    if (isGone) followed.follower.onGone();
  }
}

export const createPaneFeed = (options: PaneFeedOptions): PaneFeed => new Feed(options);
