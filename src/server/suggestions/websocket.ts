/** One WebSocket: requests in, answers and events out. Bad input gets an error; deaf or flooding clients are closed. */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { errorMessage, fail } from '../../lib/result.ts';
import { encodeBrief } from '../../protocol/encode-suggestion.ts';
import { operationNamed } from '../../protocol/operations.ts';
import { subscribeMessage } from '../../protocol/suggestion-messages.ts';
import { type Answer, describeProblem, failed } from './answer.ts';
import { parseObject } from './body.ts';
import { HeldBytes } from './body-room.ts';
import type { FeedEvent } from './feed.ts';
import { concerns, follow, gapMessage } from './follow.ts';
import type { Caller } from './gate.ts';
import { greeting } from './greeting.ts';
import { listFor, resolveFolder } from './operations.ts';
import { readEitherSpelling, toOriginal } from './original.ts';
import { perform } from './perform.ts';
import type { OpenStream, StreamEnd, Streams } from './streams.ts';

/** Close codes: those below 2000 are the standard's, 44xx ours. */
const CODES = { going: 1001, slow: 1008, defect: 1011, busy: 1013, token: 4401 } as const;
const REASONS: Readonly<Record<StreamEnd, string>> = {
  going: 'the server is shutting down; connect again',
  token: 'the token was rotated',
};
/** Of a short frame of a client: with its mask. */
const HEAD_BYTES = 6;
/** How long a closing client has to say goodbye. */
const CLOSE_GRACE_MS = 1_000;

export interface SocketRequest {
  /** The connection that was upgraded. */
  readonly raw: Duplex;
  readonly caller: Caller;
  readonly folder: string | null;
  /** Null: only new events. */
  readonly since: number | null;
}

class SuggestionSocket implements OpenStream {
  readonly caller: Caller;
  readonly #socket: WebSocket;
  readonly #streams: Streams;
  #folder: string | null;
  #following = new AbortController();
  /** The connection below. */
  readonly #raw: Duplex;
  #isGathering = false;
  /** We have closed it: nothing more is sent or done. */
  #isEnded = false;
  #answers = true;
  #waiting = 0;
  /** Characters of the pending requests: with too many, no more are read. */
  #waitingLength = 0;
  /** Of a message that is not whole yet; it has no more room and time than a body of HTTP. */
  readonly #held: HeldBytes;
  /** Requests are performed one by one, in order. */
  #queue: Promise<void>;

  constructor(socket: WebSocket, streams: Streams, { raw, caller, folder, since }: SocketRequest) {
    this.#socket = socket;
    this.#raw = raw;
    this.#streams = streams;
    this.caller = caller;
    this.#folder = folder;
    this.#held = new HeldBytes(streams.bodies.room);
    streams.add(this);
    // 'close' follows.
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#onClose());
    socket.on('ping', (data: Buffer) => this.#held.give(HEAD_BYTES + data.length));
    socket.on('pong', (data: Buffer) => {
      this.#answers = true;
      this.#held.give(HEAD_BYTES + data.length);
    });
    raw.on('data', (chunk: Buffer) => {
      if (!this.#held.take(chunk.length, performance.now()))
        this.#drop('too many long requests come in at once; send it again', CODES.busy);
    });
    socket.on('message', (data: Buffer) => {
      this.#held.give();
      this.#onMessage(String(data));
    });
    this.#queue = this.#greet(since).catch((thrown) => this.#fail(thrown));
  }

  end(reason: StreamEnd): void {
    this.#close(CODES[reason], REASONS[reason]);
  }

  beat(): void {
    // While we do not read from it, its pong cannot arrive.
    if (this.#socket.isPaused) return;
    const { requestTimeoutMs } = this.#streams.limits;
    if (this.#held.heldMs(performance.now()) > requestTimeoutMs) {
      this.#drop(`a message was not whole within ${requestTimeoutMs} ms`);
      return;
    }
    if (!this.#answers) {
      this.#streams.onWarning('A WebSocket was closed: its client does not answer.');
      this.#socket.terminate();
      return;
    }
    this.#answers = false;
    this.#socket.ping();
  }

  async #greet(since: number | null): Promise<void> {
    const from = since ?? this.#streams.feed.head();
    this.#sendObject(await greeting(this.#streams, this.caller.who, this.#folder, from));
    if (this.#isOpen) this.#follow(from);
  }

  #follow(since: number): void {
    this.#following.abort();
    if (!this.#isOpen) return;
    const following = new AbortController();
    this.#following = following;
    const { feed } = this.#streams;
    const known = feed.knows(since);
    if (!known) this.#send(gapMessage(feed.head()).json);
    const write = ({ json }: { readonly json: string }) => this.#write(this.#inDialect(json));
    const { signal } = following;
    const wants = (event: FeedEvent) => concerns(this.caller.who, this.#folder)(event);
    follow(feed, known ? since : feed.head(), { signal, write, wants }).catch((thrown) => this.#fail(thrown));
  }

  #onMessage(text: string): void {
    const { maxWaiting, maxBodyBytes } = this.#streams.limits;
    const message = parseObject(text);
    if (typeof message === 'string') {
      this.#sendObject({ type: 'error', error: 'Invalid JSON' });
      return;
    }
    if (this.#waiting >= maxWaiting) {
      const words = `More than ${maxWaiting} requests are waiting for answers.`;
      this.#respond(message, failed(fail('limit', words, 'Wait until some of them are answered.')));
      return;
    }
    this.#waiting += 1;
    this.#waitingLength += text.length;
    if (this.#waitingLength > maxBodyBytes) this.#socket.pause();
    this.#queue = this.#queue.then(async () => {
      // Requests received before the client disconnected are still performed, as with HTTP.
      if (!this.#isEnded) this.#respond(message, await this.#performSafely(message));
      this.#waiting -= 1;
      this.#waitingLength -= text.length;
      if (this.#waitingLength > maxBodyBytes || !this.#isOpen || !this.#socket.isPaused) return;
      this.#held.excuse(performance.now());
      this.#socket.resume();
    });
  }

  async #performSafely(message: Readonly<Record<string, unknown>>): Promise<Answer> {
    try {
      return await this.#perform(message);
    } catch (thrown) {
      this.#streams.onWarning(`A request failed because of a defect: ${errorMessage(thrown)}`);
      return failed(fail('internal', 'This failed because of a defect in copane; its log has the details.'));
    }
  }

  async #perform(message: Readonly<Record<string, unknown>>): Promise<Answer> {
    const { type } = message;
    if (type === 'subscribe') return this.#subscribe(message);
    const operation = typeof type === 'string' ? operationNamed(type) : null;
    if (operation === null)
      return failed(fail('invalid', `Unknown message type: ${String(type).slice(0, 100)}`));
    const { host, home, project } = this.#streams;
    // The envelope's own `id` and `type` are not fields of the request.
    const { id: _, type: __, ...fields } = message;
    return perform(operation, fields, { host, home, project, caller: this.caller });
  }

  async #subscribe(message: Readonly<Record<string, unknown>>): Promise<Answer> {
    const fields = subscribeMessage.fields.safeParse(readEitherSpelling(message), { reportInput: true });
    if (!fields.success) return failed(fail('invalid', describeProblem(fields.error)));
    const { host, home } = this.#streams;
    const { working_directory: folder, since } = fields.data;
    this.#folder = await resolveFolder(folder, home);
    const listed = await listFor(host, this.caller.who, this.#folder);
    if (!listed.ok) return failed(listed);
    if (since !== undefined) this.#follow(since);
    const suggestions = listed.value.map(encodeBrief);
    return { ok: true, status: 200, body: { success: true, subscribed: folder ?? '', suggestions } };
  }

  #respond(request: Readonly<Record<string, unknown>>, { ok, status, body }: Answer): void {
    const { id } = request;
    const head = { type: 'response', ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}) };
    if (ok) this.#sendObject({ ...head, success: true, data: body });
    else this.#sendObject({ ...head, ...body, success: false, status });
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  #sendObject(value: Readonly<Record<string, unknown>>): void {
    this.#send(JSON.stringify(this.caller.isOriginal ? toOriginal(value) : value));
  }

  #inDialect(json: string): string {
    return this.caller.isOriginal ? JSON.stringify(toOriginal(JSON.parse(json))) : json;
  }

  #send(json: string): void {
    if (!this.#isOpen) return;
    this.#socket.send(json);
    const { maxUnsentBytes } = this.#streams.limits;
    if (this.#socket.bufferedAmount > maxUnsentBytes) this.#drop(`${maxUnsentBytes} bytes were not read`);
  }

  /** Messages in quick succession, such as all events of one decision, are sent together, to save system calls. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#raw.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#raw.uncork();
    });
  }

  /** Resolves when the client has read enough; one that reads nothing is dropped. */
  #write(json: string): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    this.#gather();
    const { pauseBytes, stallTimeoutMs } = this.#streams.limits;
    return new Promise((resolve) => {
      const drop = () => this.#drop(`nothing was read for ${stallTimeoutMs} ms`);
      const isBehind = this.#socket.bufferedAmount >= pauseBytes;
      const timer = isBehind ? setTimeout(drop, stallTimeoutMs) : undefined;
      this.#socket.send(json, () => {
        clearTimeout(timer);
        if (isBehind) resolve();
      });
      if (!isBehind) resolve();
    });
  }

  /** The log cannot be read: the client reconnects and resumes. */
  #fail(thrown: unknown): void {
    if (!this.#isOpen) return;
    this.#streams.onWarning(`A WebSocket was closed because of a defect: ${errorMessage(thrown)}`);
    this.#close(CODES.defect, 'a defect in copane; connect again');
  }

  #drop(reason: string, code: number = CODES.slow): void {
    if (this.#isEnded) return;
    this.#streams.onWarning(`A WebSocket was closed: ${reason}.`);
    this.#close(code, reason);
    // What it sends from now on is not taken.
    this.#socket.pause();
  }

  #close(code: number, reason: string): void {
    this.#isEnded = true;
    this.#following.abort();
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), CLOSE_GRACE_MS).unref();
  }

  #onClose(): void {
    this.#held.give();
    this.#following.abort();
    this.#streams.remove(this);
  }
}

/** Serves a client on a socket that was upgraded. */
export function serveSocket(socket: WebSocket, streams: Streams, request: SocketRequest): void {
  new SuggestionSocket(socket, streams, request);
}
