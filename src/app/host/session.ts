/** One client as the host sees it: its requests and its position in the event log, so that it may read slowly. */
import { fail, type Result, sentence } from '../../lib/result.ts';
import type { Caller } from '../../protocol/command.ts';
import type { ClientMessage, RequestId, RequestMessage } from '../../protocol/wire.ts';
import type { ServedSession, SessionSink } from '../../server/port.ts';
import type { LoggedEvent } from '../../store/event-table.ts';
import type { LeaderRecord } from '../../store/leader-record.ts';
import type { Store } from '../../store/store.ts';

/** The most pending requests of one client; further ones are refused. */
export const MAX_WAITING_REQUESTS = 256;
/** With more unread bytes than this, further events wait in the log. */
const EVENTS_PAUSE_BYTES = 1024 * 1024;
const EVENTS_PAGE = 128;

interface SessionHost {
  readonly leader: LeaderRecord;
  readonly store: Pick<Store, 'events'>;
  /** Runs `read`, and handles an error of the store. */
  readonly attempt: (read: () => void) => void;
  readonly dispatch: (command: string, params: unknown, caller: Caller) => Promise<Result<unknown> | null>;
}

export interface HostSessionOptions {
  readonly host: SessionHost;
  readonly sink: SessionSink;
  readonly name: string;
  readonly onIdle: () => void;
  readonly onClose: () => void;
}

export class HostSession implements ServedSession {
  readonly #options: HostSessionOptions;
  #client: string;
  /** `seq` of the last event sent; null if the client did not subscribe. */
  #cursor: number | null = null;
  #waiting = 0;
  /** An answer was withheld: a replaced leader does not know whether the command ran. */
  #isUnsure = false;
  #closed = false;
  readonly #ended = new AbortController();

  constructor(options: HostSessionOptions) {
    this.#options = options;
    this.#client = options.name;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#cursor === null;
  }

  receive(message: ClientMessage): void {
    if (this.#closed) return;
    if ('command' in message) void this.#request(message);
    else if ('subscribe' in message) this.#options.host.attempt(() => this.#subscribe(message.subscribe));
    else this.#welcome(message.hello.client);
  }

  reject(id: RequestId | null, problem: string): void {
    if (!this.#closed) this.#options.sink.send({ id, ...fail('invalid', problem) });
  }

  /** Handles a new event, right after its commit. */
  offer(event: LoggedEvent): void {
    if (this.#cursor === null || event.seq <= this.#cursor) return;
    const { sink } = this.#options;
    if (event.seq === this.#cursor + 1 && sink.unsentBytes() < EVENTS_PAUSE_BYTES) {
      this.#cursor = event.seq;
      sink.sendEvent(event);
    } else this.drained();
  }

  drained(): void {
    this.#options.host.attempt(() => this.#pump());
  }

  end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended.abort();
    this.#options.sink.end(reason, this.#waiting === 0 && !this.#isUnsure);
  }

  close(): void {
    this.#closed = true;
    this.#ended.abort();
    this.#options.onClose();
  }

  #welcome(client: string): void {
    this.#client = client;
    const { pid, epoch, version } = this.#options.host.leader;
    this.#options.sink.send({ type: 'welcome', client, pid, epoch, version });
  }

  #subscribe(since: number | null): void {
    const { sink, host } = this.#options;
    const head = host.store.events.head();
    const known = since === null || (since <= head && since >= host.store.events.oldest() - 1);
    this.#cursor = since ?? head;
    if (known) sink.send({ type: 'subscribed', seq: this.#cursor, head });
    else this.#skip(since > head ? head : host.store.events.oldest() - 1);
    this.#pump();
  }

  /** The requested events are gone: continues after `seq`, and reports the gap. */
  #skip(seq: number): void {
    this.#cursor = seq;
    const { sink, host } = this.#options;
    sink.send({ type: 'gap', seq, head: host.store.events.head() });
  }

  #pump(): void {
    const { sink, host } = this.#options;
    while (!this.#closed && this.#cursor !== null && sink.unsentBytes() < EVENTS_PAUSE_BYTES) {
      const page = host.store.events.after(this.#cursor, EVENTS_PAGE);
      const [first] = page;
      if (first === undefined) return;
      if (first.seq !== this.#cursor + 1) this.#skip(first.seq - 1);
      for (const event of page) {
        if (sink.unsentBytes() >= EVENTS_PAUSE_BYTES) break;
        this.#cursor = event.seq;
        sink.sendEvent(event);
      }
    }
  }

  async #request(message: RequestMessage): Promise<void> {
    const { host, sink, onIdle } = this.#options;
    const { id } = message;
    if (this.#waiting >= MAX_WAITING_REQUESTS) {
      sink.send({
        id,
        ...fail('limit', `More than ${MAX_WAITING_REQUESTS} requests are waiting for answers.`),
      });
      return;
    }
    this.#waiting += 1;
    const onEarly = (early: unknown) => {
      if (!this.#closed) sink.send({ id, early });
    };
    const { signal } = this.#ended;
    const caller = { client: this.#client, once: message.once ?? null, onEarly, signal };
    const result = await host.dispatch(message.command, message.params, caller);
    this.#waiting -= 1;
    if (result === null) this.#isUnsure = true;
    if (this.#closed || result === null) return;
    if (result.ok) sink.send({ id, ...result });
    else sink.send({ id, ok: false, error: { ...result.error, message: sentence(result.error.message) } });
    if (this.#waiting === 0) onIdle();
  }
}
