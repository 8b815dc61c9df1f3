/** A long-lived client: finds a host or leads, again after each loss of the leader. Only the client's state changes. */
import { once } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Failure, Result } from '../../lib/result.ts';
import type { CopanePaths } from '../../platform/paths.ts';
import { processState } from '../../platform/process-state.ts';
import type { Client, ClientState, RequestOptions, SubscribeOptions } from '../../protocol/client.ts';
import type { CommandName, CommandParams, CommandResult } from '../../protocol/command.ts';
import type { CopaneEvent } from '../../protocol/event.ts';
import type { ServerMessage } from '../../protocol/wire.ts';
import { EventFeed } from './event-feed.ts';
import { ANSWER_TIMEOUT_MS, type Attempt, type FoundHost, findHost, type StartLeading } from './find-host.ts';
import { RequestBook } from './request-book.ts';

/** The pause after a failed attempt doubles from the first of these to the second, or to the third after a while. */
const RETRY_MIN_MS = 5;
const RETRY_SOON_MS = 40;
const RETRY_MAX_MS = 250;
/** A quitting leader is gone within this time; its successor waits that long. */
const HAND_OVER_MS = 2_000;
/** How often a stopped leader is checked. */
const SUSPENDED_POLL_MS = 200;
/** Commands fail with the reason after waiting this long for a leader. */
const SEARCH_DEADLINE_MS = 5_000;
/** How often the leader is checked while an answer is awaited, and otherwise. */
const WATCH_INTERVAL_MS = 250;
/** A command that leads waits this long for other processes before it says so. */
const WAIT_SAID_MS = 500;
const IDLE_WATCH_INTERVAL_MS = 5_000;

export interface ConnectionOptions {
  readonly paths: CopanePaths;
  readonly clientId: string;
  /** Null for `status`, which uses an existing leader and never leads. */
  readonly lead: StartLeading | null;
  /** Called once with a user-visible notice about the store, when this process begins to lead. */
  readonly onNotice?: (sentence: string) => void;
}

export class HostConnection implements Client {
  readonly id: string;
  readonly #options: ConnectionOptions;
  readonly #requests: RequestBook;
  readonly #feed = new EventFeed();
  #closing: Promise<void> | null = null;
  readonly #stateListeners = new Set<(state: ClientState) => void>();
  #watch: NodeJS.Timeout | undefined;
  #watchesClosely = false;
  #state: ClientState = { kind: 'searching' };
  #host: FoundHost | null = null;
  #lastMessageAt = 0;
  /** `paused`: leadership was handed over before this process is stopped. */
  #mode: 'active' | 'paused' | 'closed' = 'active';
  #searching = false;
  #isStarting = false;
  #searchSince = 0;

  constructor(options: ConnectionOptions) {
    this.id = options.clientId;
    this.#options = options;
    this.#requests = new RequestBook({ clientId: options.clientId, now: () => performance.now() });
    // Deferred, so that the creator can draw first.
    queueMicrotask(() => void this.#search());
  }

  get state(): ClientState {
    return this.#state;
  }

  /** This process leads or is trying to, or another one has just become the leader. */
  async isStarting(): Promise<boolean> {
    if (this.#isStarting) return true;
    const { isJustTaken } = await import('../host/lock.ts');
    return isJustTaken(this.#options.paths.stateDir);
  }

  async request<C extends CommandName>(
    command: C,
    params: CommandParams<C>,
    options: RequestOptions = {},
  ): Promise<Result<CommandResult<C>>> {
    if (this.#mode === 'closed') return { ok: false, error: CLOSED };
    if (this.#state.kind === 'searching' && this.#requests.isEmpty) this.#searchSince = performance.now();
    // The host validated the command and its handler typed the answer.
    const answer = this.#requests.ask(command, params, options) as Promise<Result<CommandResult<C>>>;
    if (!this.#watchesClosely) this.#watchLeader();
    return answer;
  }

  subscribe(listener: (event: CopaneEvent) => void, options: SubscribeOptions = {}): () => void {
    return this.#feed.add(listener, options);
  }

  onStateChange(listener: (state: ClientState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /** Why no host was found before the deadline. */
  async whyUnreachable(): Promise<Failure> {
    const { lead, paths } = this.#options;
    if (lead === null) return UNREACHABLE;
    const { whyNoLocks } = await import('../host/lock.ts');
    return whyNoLocks(paths.stateDir) ?? UNREACHABLE;
  }

  /** Hands leadership over before this process is stopped (Ctrl-Z), so that no client depends on a stopped leader. */
  async pause(): Promise<void> {
    if (this.#mode !== 'active') return;
    this.#mode = 'paused';
    await this.#leave('the leader was put to sleep', true);
    this.#setState({ kind: 'searching' });
  }

  /** After `pause`: looks for a host again. */
  resume(): void {
    if (this.#mode !== 'paused') return;
    this.#mode = 'active';
    void this.#search();
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** Closes a client that led for one command: waits for others' jobs, or leaves them to the next leader on abort. */
  async closeAfterJobs(signal: AbortSignal, onWait: () => void): Promise<void> {
    const settled = this.#host?.leader?.host.settled();
    // The command may get the same signal and cancel its own job: let it do that first.
    await setImmediate();
    if (settled !== undefined && !signal.aborted) {
      const ended = Promise.race([settled, once(signal, 'abort')]);
      const isBusy = (await Promise.race([ended, sleep(WAIT_SAID_MS, 'busy', { ref: false })])) === 'busy';
      if (isBusy) onWait();
      await ended;
    }
    await this.#close(true);
  }

  /** A second caller waits for the first close. */
  #close(leaveJobs?: boolean): Promise<void> {
    this.#closing ??= this.#end(leaveJobs);
    return this.#closing;
  }

  async #end(leaveJobs?: boolean): Promise<void> {
    this.#mode = 'closed';
    clearTimeout(this.#watch);
    this.#requests.failAll(CLOSED);
    await this.#leave('the leader quits', leaveJobs);
  }

  async #leave(reason: string, leaveJobs?: boolean): Promise<void> {
    const host = this.#host;
    this.#disconnect();
    host?.pipe.close();
    await host?.leader?.close(reason, leaveJobs === undefined ? {} : { leaveJobs });
  }

  async #search(): Promise<void> {
    if (this.#searching) return;
    this.#searching = true;
    this.#searchSince = performance.now();
    let pauseMs = RETRY_MIN_MS;
    while (this.#mode === 'active' && this.#host === null) {
      const attempt = await this.#attempt();
      if (this.#host !== null || this.#mode !== 'active') break;
      await this.#noteFailure(attempt);
      await sleep(attempt.kind === 'suspended' ? SUSPENDED_POLL_MS : pauseMs);
      const longest = performance.now() - this.#searchSince < HAND_OVER_MS ? RETRY_SOON_MS : RETRY_MAX_MS;
      pauseMs = Math.min(longest, pauseMs * 2);
    }
    this.#searching = false;
  }

  async #attempt(): Promise<Attempt> {
    // A process that handed over and was then stopped looks like a stopped leader: only the lock tells them apart.
    const stopped = this.#state.kind === 'suspended' && (await processState(this.#state.pid)) === 'stopped';
    const { paths, lead } = this.#options;
    const startLeading = async (start: StartLeading) => {
      this.#isStarting = true;
      const started = await start();
      this.#isStarting = started.ok && started.value !== null;
      return started;
    };
    const attempt = await findHost({
      knock: !stopped,
      paths,
      clientId: this.id,
      lead: lead && (() => startLeading(lead)),
      events: { onMessage: (message) => this.#take(message), onClosed: () => this.#lost() },
    });
    if (attempt.kind !== 'found') return attempt;
    if (this.#mode === 'active') this.#adopt(attempt.host);
    else await this.#discard(attempt.host);
    return attempt;
  }

  async #discard(host: FoundHost): Promise<void> {
    host.pipe.close();
    await host.leader?.close('the leader quits');
  }

  async #noteFailure(attempt: Attempt): Promise<void> {
    if (attempt.kind === 'suspended') {
      this.#setState({ kind: 'suspended', pid: attempt.pid });
      this.#searchSince = performance.now();
      return;
    }
    const problem = problemOf(attempt);
    this.#setState(problem === null ? { kind: 'searching' } : { kind: 'searching', problem });
    if (this.#requests.isEmpty || performance.now() - this.#searchSince < SEARCH_DEADLINE_MS) return;
    if (problem !== null || !(await this.isStarting())) this.#requests.failAll(problem ?? NO_LEADER);
  }

  /** Subscribes to events first, so that listeners see the events caused by later requests. */
  #adopt(host: FoundHost): void {
    this.#host = host;
    this.#lastMessageAt = performance.now();
    this.#feed.open((message) => host.pipe.send(message));
    this.#requests.open((message) => host.pipe.send(message));
    this.#setState({ kind: 'connected', leader: host.leader !== null });
    this.#watchLeader();
    const notice = host.leader?.notice ?? null;
    if (notice !== null) this.#options.onNotice?.(notice);
  }

  #disconnect(): void {
    this.#host = null;
    this.#feed.interrupt();
    this.#requests.interrupt();
  }

  #lost(): void {
    if (this.#host === null) return;
    this.#disconnect();
    if (this.#mode !== 'active') return;
    this.#setState({ kind: 'searching' });
    void this.#search();
  }

  #take(message: ServerMessage): void {
    this.#lastMessageAt = performance.now();
    if (this.#state.kind === 'suspended') this.#setState({ kind: 'connected', leader: false });
    if ('early' in message) this.#requests.early(message);
    else if (!('type' in message)) this.#requests.answer(message);
    else if (message.type === 'bye') this.#part(message.settled === true);
    else if (message.type !== 'welcome') this.#feed.take(message);
  }

  /** The leader announced its end. */
  #part(isSettled: boolean): void {
    if (!isSettled) return;
    this.#requests.unsend();
    this.#host?.pipe.close();
    this.#lost();
  }

  /** Schedules a check of the leader, if it is another process. */
  #watchLeader(): void {
    clearTimeout(this.#watch);
    const isOther = this.#mode !== 'closed' && this.#host !== null && this.#host.leader === null;
    this.#watchesClosely =
      isOther && (this.#state.kind === 'suspended' || this.#requests.oldestWaitMs() !== null);
    if (!isOther) return;
    const waitMs = this.#watchesClosely ? WATCH_INTERVAL_MS : IDLE_WATCH_INTERVAL_MS;
    this.#watch = setTimeout(() => void this.#look(), waitMs).unref();
  }

  /** Checks in the process table whether the leader is stopped, when an answer is late or after a long silence. */
  async #look(): Promise<void> {
    const host = this.#host;
    if (host === null) return;
    const silentMs = performance.now() - this.#lastMessageAt;
    const waitMs = this.#requests.oldestWaitMs() ?? silentMs;
    const isLate = Math.min(waitMs, silentMs) >= ANSWER_TIMEOUT_MS;
    const state = isLate ? await processState(host.welcome.pid) : 'running';
    if (this.#host !== host) return;
    if (state === 'stopped') this.#setState({ kind: 'suspended', pid: host.welcome.pid });
    else if (this.#state.kind === 'suspended') this.#setState({ kind: 'connected', leader: false });
    this.#watchLeader();
  }

  #setState(state: ClientState): void {
    if (isSame(this.#state, state)) return;
    this.#state = state;
    for (const listener of [...this.#stateListeners]) listener(state);
  }
}

const CLOSED: Failure = {
  code: 'internal',
  message: 'Interrupted before the answer arrived.',
  hint: 'See whether it was done before you try again.',
};
const UNREACHABLE: Failure = {
  code: 'internal',
  message: 'Another copane holds the host lock, but does not answer.',
  hint: 'Run "copane doctor" to see which process it is.',
};
const NO_LEADER: Failure = {
  code: 'internal',
  message: 'No leading copane could be reached.',
  hint: 'Run "copane doctor" to see why.',
};
/** The failure for a client that may not lead. */
const NOT_RUNNING: Failure = {
  code: 'not_found',
  message: 'No copane is running.',
  hint: 'Start one with "copane up" or "copane serve".',
};

function problemOf(attempt: Attempt): Failure | null {
  if (attempt.kind === 'failed') return attempt.failure;
  return attempt.kind === 'none' ? NOT_RUNNING : null;
}

function isSame(a: ClientState, b: ClientState): boolean {
  if (a.kind === 'connected' && b.kind === 'connected') return a.leader === b.leader;
  if (a.kind === 'suspended' && b.kind === 'suspended') return a.pid === b.pid;
  return a.kind === 'searching' && b.kind === 'searching' && a.problem?.message === b.problem?.message;
}
