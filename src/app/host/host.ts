/** The host: accepts commands, runs their handlers, sends events to sessions. Is silent once a newer leader exists. */

import type { AgentService } from '../../agent/agent-service.ts';
import type { ChangesService } from '../../changes/changes-service.ts';
import { lazy } from '../../lib/lazy.ts';
import { nearest } from '../../lib/nearest.ts';
import { errorMessage, fail, type Result } from '../../lib/result.ts';
import { Slices } from '../../platform/slices.ts';
import { type Caller, type CommandName, commands, methodOf, traitsOf } from '../../protocol/command.ts';
import type { CommandTraits } from '../../protocol/command-table.ts';
import type { HostStatus } from '../../protocol/commands/host.ts';
import { invalidInput } from '../../protocol/invalid.ts';
import type { IsSecret } from '../../review/core/secret-files.ts';
import type { OnWritten } from '../../review/deciding/decision-writer.ts';
import type { ReviewSettings } from '../../review/finishing/settings.ts';
import type { TurnSource } from '../../review/publishing/turn-review.ts';
import type { ReviewService } from '../../review/review-service.ts';
import type { ServedHost, SessionSink } from '../../server/port.ts';
import type { LoggedEvent } from '../../store/event-table.ts';
import type { LeaderRecord } from '../../store/leader-record.ts';
import { recentSalvage } from '../../store/salvage.ts';
import { type Commit, storageFailure } from '../../store/sqlite.ts';
import { databaseFileOf, type Store, type StoreWriter } from '../../store/store.ts';
import type { Log } from '../log/log.ts';
import type { CompletionState, Handler, HandlerContext, Handlers } from './handler.ts';
import type { OpenAgent } from './open-agent.ts';
import { createDesk, createReviews } from './reviews.ts';
import { HostSession } from './session.ts';

export interface HostOptions {
  readonly store: Store;
  readonly stateDir: string;
  readonly leader: LeaderRecord;
  /** Called for each new leader: the memory of a handler lasts as long as the leadership. */
  readonly makeHandlers: (host: Host) => Handlers;
  readonly now: () => number;
  /** A name for a connection that did not identify itself. */
  readonly newClientName: () => string;
  readonly log: Log;
  /** The user's review settings, read at every use. Default: the built-in ones. */
  readonly settings?: () => ReviewSettings;
  /** Which files hold secrets, by the user's settings, read at every use. Default: the built-in list. */
  readonly isSecret?: () => IsSecret;
  /** The path of the decision log, read at every use. Default or null: in the state folder. */
  readonly feedbackLog?: () => string | null;
  /** Opens the agent. Default: one without a model, which only serves stored data. */
  readonly openAgent?: OpenAgent;
  /** Called once if a newer leader appears, or on damage that the next leader repairs; nothing was written. */
  readonly onStale: (why: string) => void;
}

/** The agent could not be loaded; the caller got the error. */
const NO_AGENT = () => undefined;

export class Host implements ServedHost {
  readonly leader: LeaderRecord;
  readonly store: Store;
  /** Set by the service that runs the shell's completions. */
  completion: CompletionState = { service: null, refusal: null };
  /** Set by the suggestion server while its port is open. */
  server: HostStatus['server'] = null;
  readonly #notices = new Map<string, string>();
  readonly #options: HostOptions;
  readonly #handlers: Handlers;
  readonly #sessions = new Set<HostSession>();
  readonly #listeners = new Set<(event: LoggedEvent) => void>();
  readonly #reviews = lazy(() => {
    const onFeedbackLog = (failure: string | null) => this.note('feedback log', failure);
    const turns: TurnSource = async (...wanted) => (await this.changes()).source(...wanted);
    const onWritten: OnWritten = async (...written) => (await this.changes()).wrote(...written);
    return createReviews({ ...this.#options, onFeedbackLog, turns, onWritten }, (change, commit) =>
      this.write(change, commit),
    );
  });
  readonly #desk = lazy(() =>
    createDesk({ reviews: this.reviews, store: this.store, agent: () => this.agent() }, (change, commit) =>
      this.write(change, commit),
    ),
  );
  /** The service for changes of turns, loaded on first use. */
  readonly changes = lazy(async (): Promise<ChangesService> => {
    const { openChanges } = await import('./open-changes.ts');
    return openChanges(this, this.#options);
  });
  #agent: Promise<AgentService> | null = null;
  #stale = false;
  readonly #slices = new Slices();
  #begun: Promise<void> = Promise.resolve();
  #running = 0;
  readonly #whenQuiet: (() => void)[] = [];

  constructor(options: HostOptions) {
    this.#options = options;
    this.leader = options.leader;
    this.store = options.store;
    this.store.onDamage(() => this.#becomeStale('the database is damaged'));
    this.note('database', recentSalvage(databaseFileOf(options.stateDir), options.now()));
    this.#handlers = options.makeHandlers(this);
  }

  get reviews(): ReviewService {
    return this.#reviews();
  }

  /** The agent of this host, loaded on first use. */
  agent(): Promise<AgentService> {
    this.#agent ??= (this.#options.openAgent ?? openAgentAlone)(this, this.#options).catch((thrown) => {
      // Loading can fail while copane is being updated; the next caller tries again.
      this.#agent = null;
      throw thrown;
    });
    return this.#agent;
  }

  /** A session for one client, the entry for every transport and the in-process client. */
  openSession(sink: SessionSink, onIdle: () => void): HostSession {
    const session = new HostSession({
      host: this,
      sink,
      onIdle,
      name: this.#options.newClientName(),
      onClose: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    return session;
  }

  /** Runs a command for `caller`. Never throws: an unexpected error becomes `internal`. Null if it may not answer. */
  async dispatch(command: string, params: unknown, caller: Caller): Promise<Result<unknown> | null> {
    if (!isCommand(command)) return unknownCommand(command, this.leader);
    const input = commands[command].params.safeParse(params);
    if (!input.success) return { ok: false, error: invalidInput(command, input.error) };
    this.#running += 1;
    const begun = this.#options.now();
    try {
      await this.#turn();
      const result = await this.#run(command, input.data as never, caller);
      this.#options.log.debug('command', {
        command,
        client: caller.client,
        ms: this.#options.now() - begun,
        outcome: result.ok ? 'ok' : result.error.code,
      });
      return this.#stale ? null : result;
    } catch (thrown) {
      return this.#stale ? null : { ok: false, error: this.#failureOf(command, thrown) };
    } finally {
      this.#running -= 1;
      // Deferred, so that its answer is sent first.
      if (this.#running === 0) setImmediate(() => this.#tellQuiet());
    }
  }

  /** Starts commands one by one; in a flood, yields to the event loop in between. */
  #turn(): Promise<void> {
    this.#begun = this.#begun.then(() => this.#slices.pause());
    return this.#begun;
  }

  /** The table pairs each command with its schema; the compiler cannot follow the pair through a union. */
  async #run(command: CommandName, input: never, caller: Caller): Promise<Result<unknown>> {
    const { by, queue } = traitsOf(command);
    if (by === undefined) {
      const handler = (this.#handlers as Readonly<Record<string, Handler<CommandName>>>)[command];
      return handler?.(input, this.#contextFor(command, caller)) ?? unknownCommand(command, this.leader);
    }
    const service = await this.#serviceOf(by);
    const work = async () =>
      service[methodOf(command)]?.(input, caller) ?? unknownCommand(command, this.leader);
    return queue === 'agent' ? (await this.agent()).inTurn(work) : work();
  }

  async #serviceOf(by: NonNullable<CommandTraits['by']>): Promise<AnyService> {
    if (by === 'agent') return (await this.agent()).commands as unknown as AnyService;
    if (by === 'changes') return (await this.changes()) as unknown as AnyService;
    const services = { reviews: this.#reviews, desk: this.#desk, sandboxes: () => this.reviews.sandboxes };
    return services[by]() as unknown as AnyService;
  }

  /** Resolves when no command runs: a leader answers pending commands before it quits. */
  quiet(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }

  #tellQuiet(): void {
    if (this.#running === 0) for (const tell of this.#whenQuiet.splice(0)) tell();
  }

  /** Runs `change` in one transaction under this leader's epoch; its events are sent after the commit. */
  write<T>(change: (writer: StoreWriter) => Result<T>, commit?: Commit): Result<T> {
    const outcome = this.store.write(change, commit);
    if (!outcome.ok) return outcome;
    if (outcome.value.kind === 'stale') {
      this.#becomeStale();
      return fail('refused', 'Another copane leads now; nothing was written.', 'Ask again.');
    }
    for (const event of outcome.value.events) {
      for (const session of this.#sessions) session.offer(event);
      for (const listener of this.#listeners) listener(event);
    }
    return outcome.value.result;
  }

  /** Checks that this process may still write; if not, it stops leading as after a failed write. */
  checkEpoch(): void {
    this.attempt(() => {
      if (!this.#stale && !this.store.isCurrent()) this.#becomeStale();
    });
  }

  /** Runs a read whose result nobody awaits. Logs errors; the next command runs into them again. */
  attempt(read: () => void): void {
    try {
      read();
    } catch (thrown) {
      const failure = storageFailure(thrown, databaseFileOf(this.#options.stateDir));
      if (failure === null) throw thrown;
      this.#options.log.warn(failure.message);
    }
  }

  status(): HostStatus {
    const { pid, epoch, version, startedAt } = this.leader;
    const notices = [...this.#notices.values()];
    return { pid, epoch, version, startedAt, clients: this.#sessions.size, server: this.server, notices };
  }

  onEvent(listener: (event: LoggedEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** Shows `sentence` about a subject to the user until it is cleared with null. */
  note(about: string, sentence: string | null): void {
    if (sentence === null) this.#notices.delete(about);
    else this.#notices.set(about, sentence);
  }

  /** Resolves once every command is answered, and every running job of the agent has ended or waits for the user. */
  async settled(): Promise<void> {
    await this.quiet();
    await this.#agent?.then((agent) => agent.settled(), NO_AGENT);
  }

  /** Says goodbye to every client. Leaves jobs to the next leader on request, or if a client could become it. */
  close(reason: string, leaveJobs = this.#sessions.size > 0): void {
    void this.#agent?.then((agent) => agent.close(leaveJobs), NO_AGENT);
    for (const session of [...this.#sessions]) session.end(reason);
    this.#sessions.clear();
  }

  #becomeStale(why = 'another copane leads'): void {
    if (this.#stale) return;
    this.#stale = true;
    this.#options.log.warn('no longer leading', { why, epoch: this.leader.epoch });
    this.#options.onStale(why);
  }

  #contextFor(command: CommandName, caller: Caller): HandlerContext {
    const { once } = caller;
    const reviews = this.#reviews;
    let writes = 0;
    return {
      client: caller.client,
      now: this.#options.now,
      status: () => this.status(),
      store: this.store,
      completion: this.completion,
      get reviews() {
        return reviews();
      },
      write: (change) => {
        if (once === null) return this.write(change);
        // Numbers the writes of a handler: after a crash between two of them, a repeat runs only the missing ones.
        writes += 1;
        const step = `${command} ${writes} ${once}`;
        return this.write((writer) => writer.once(step, () => change(writer)));
      },
    };
  }

  #failureOf(command: string, thrown: unknown) {
    const storage = storageFailure(thrown, databaseFileOf(this.#options.stateDir));
    if (storage !== null) return storage;
    this.#options.log.error('a command failed because of a defect', {
      command,
      error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    });
    return {
      code: 'internal',
      message: `${command} failed because of a defect in copane (${errorMessage(thrown)}).`,
      hint: 'The log in the state folder has the details.',
    } as const;
  }
}

const isCommand = (command: string): command is CommandName => Object.hasOwn(commands, command);

function unknownCommand(command: string, leader: LeaderRecord): Result<never> {
  const close = nearest(command, Object.keys(commands));
  const hint =
    close === null
      ? `The leading copane (pid ${leader.pid}) is version ${leader.version}; a newer client may know more.`
      : `Did you mean "${close}"?`;
  return fail('invalid', `There is no command "${command.slice(0, 80)}".`, hint);
}

const openAgentAlone: OpenAgent = async (host, options) => {
  const { openAgent } = await import('./open-agent.ts');
  return openAgent(host, options);
};

/** A service in the shape of the command table: one method per command, checked by `ServiceOf`. */
type AnyService = Readonly<
  Record<string, (input: never, caller: Caller) => Result<unknown> | Promise<Result<unknown>>>
>;
