/** The completion socket: debounces requests, lets a session's newer one cancel the older, answers every bad line. */
import net from 'node:net';
import type { CompletionCandidate, CompletionReply, TypedMessage } from '../protocol/completion.ts';
import { MAX_REQUEST_BYTES } from '../protocol/completion.ts';
import type { WriteCommand, Written } from './command-writer.ts';
import { Connection, type ConnectionEvent } from './core/connection.ts';
import { offsetOfIndex } from './core/position.ts';
import { formatJsonReply, formatMore, formatSeparatedReply } from './core/reply.ts';
import { Sessions } from './core/sessions.ts';
import type { Candidate } from './core/suggestion.ts';
import { type DecodedRequest, decodeLine } from './decode.ts';
import type { Engine } from './engine.ts';
import type { ModelProblem } from './models/model.ts';

/** Limit of open connections. */
const MAX_CONNECTIONS = 4_096;
/** Limit of unanswered requests per connection. */
const MAX_PENDING = 64;
/** A client with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const EMPTY_REPLY_ID = 0;
/** A delay up to this only saves work: the first key after it is answered at once. A longer one always applies. */
const SPARING_DELAY_MS = 50;

export interface ServerObserver {
  answered(request: DecodedRequest, candidates: readonly Candidate[], ms: number): void;
  cancelled(): void;
  /** Handles a shell's report. False if it is invalid. */
  told(message: TypedMessage): boolean;
  /** Possible problems of the set-up. */
  warnings(): readonly string[];
  /** Why the configured model cannot answer; null if it can. */
  modelProblem(): ModelProblem | null;
  readonly writeCommand: WriteCommand;
}

interface Ticket {
  readonly controller: AbortController;
  timer: ReturnType<typeof setTimeout> | null;
}

export interface CompletionServer {
  /** The caller makes it listen. */
  readonly server: net.Server;
  readonly connections: number;
  /** Disconnects every client: the last step of a stop. */
  disconnectAll(): void;
}

export function createCompletionServer(engine: Engine, observer: ServerObserver): CompletionServer {
  const sessions = new Sessions<Ticket>();
  const sockets = new Set<net.Socket>();
  // Half-open: the original client sends its request, closes its side and waits for the answer.
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const client = new Client(socket, engine, observer, sessions);
    sockets.add(socket);
    socket.on('data', (chunk) => client.take(chunk));
    socket.on('end', () => client.end());
    // EPIPE and ECONNRESET: the shell is gone, `close` follows.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      client.closed();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  return {
    server,
    get connections() {
      return sockets.size;
    },
    disconnectAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

class Client {
  readonly #socket: net.Socket;
  readonly #engine: Engine;
  readonly #observer: ServerObserver;
  readonly #sessions: Sessions<Ticket>;
  readonly #connection = new Connection({ maxLineBytes: MAX_REQUEST_BYTES });
  readonly #tickets = new Set<Ticket>();
  #newest: DecodedRequest | null = null;
  #newestAt = Number.NEGATIVE_INFINITY;

  constructor(socket: net.Socket, engine: Engine, observer: ServerObserver, sessions: Sessions<Ticket>) {
    this.#socket = socket;
    this.#engine = engine;
    this.#observer = observer;
    this.#sessions = sessions;
  }

  take(chunk: Buffer): void {
    this.#handle(this.#connection.push(chunk));
  }

  end(): void {
    this.#handle(this.#connection.end());
    this.#closeIfFinished();
  }

  closed(): void {
    for (const ticket of this.#tickets) ticket.controller.abort();
  }

  #handle(events: readonly ConnectionEvent[]): void {
    for (const event of events) {
      if (event.kind === 'line') this.#line(event.text);
      else this.#refuse(EMPTY_REPLY_ID, event.kind === 'overlong' ? 'line too long' : 'not UTF-8');
    }
  }

  #line(text: string): void {
    const message = decodeLine(text);
    switch (message.kind) {
      case 'invalid':
        this.#refuse(message.requestId, message.error.message);
        break;
      case 'action':
        this.#action(message.action);
        break;
      case 'typed':
        this.#typed(message.message);
        break;
      case 'complete':
        this.#begin(message.request);
    }
  }

  #refuse(requestId: number, message: string): void {
    const reply: CompletionReply = {
      request_id: requestId,
      candidates: [],
      error: { code: 'invalid_request', message },
    };
    this.#write(formatJsonReply(reply));
  }

  #action(action: string): void {
    if (action === 'validate') this.#writeJson({ warnings: this.#observer.warnings() });
    else
      this.#writeJson({ ok: false, error: { code: 'unknown_action', message: `unknown action: ${action}` } });
  }

  #typed(message: TypedMessage): void {
    const accepted = this.#observer.told(message);
    if (!message.reply) return;
    this.#writeJson(
      accepted
        ? { ok: true }
        : { ok: false, error: { code: 'invalid_request', message: `${message.type}: nothing to do` } },
    );
  }

  #begin(request: DecodedRequest): void {
    if (this.#connection.pending >= MAX_PENDING) {
      this.#refuse(request.requestId, 'too many requests at once');
      return;
    }
    const ticket: Ticket = { controller: new AbortController(), timer: null };
    const delayMs = this.#quietTime(request);
    this.#newest = request;
    this.#connection.begin();
    this.#tickets.add(ticket);
    this.#sessions.begin(request.query.session, ticket)?.controller.abort();
    ticket.controller.signal.addEventListener('abort', () => this.#settle(request, ticket, null), {
      once: true,
    });
    // Even a timer of 0 ms takes a millisecond.
    if (delayMs === 0) void this.#answer(request, ticket);
    else ticket.timer = setTimeout(() => void this.#answer(request, ticket), delayMs);
  }

  /** How long the request waits for a newer one to replace it. */
  #quietTime({ delayMs }: DecodedRequest): number {
    const now = performance.now();
    const pause = now - this.#newestAt;
    this.#newestAt = now;
    return delayMs <= SPARING_DELAY_MS && pause > delayMs ? 0 : delayMs;
  }

  async #answer(request: DecodedRequest, ticket: Ticket): Promise<void> {
    if (request.toCommand) {
      const written = await this.#observer.writeCommand(request.query, ticket.controller.signal);
      this.#settle(request, ticket, replyOfWritten(request, written));
      return;
    }
    const started = performance.now();
    // A client of our format stays connected for more results; any other gets one answer.
    const onMore = request.separated ? () => this.#tellOfMore(request) : undefined;
    const candidates = await this.#engine.complete(request.query, ticket.controller.signal, onMore);
    if (!this.#tickets.has(ticket)) return;
    const took = performance.now() - started;
    this.#settle(request, ticket, formatReply(request, candidates, this.#observer.modelProblem()));
    // After the answer: the observer checks for secrets, which takes time.
    this.#observer.answered(request, candidates, took);
  }

  #tellOfMore(request: DecodedRequest): void {
    if (this.#newest === request) this.#write(formatMore(request.requestId));
  }

  /** Ends a request: with its reply, or with null if it was cancelled and gets none. */
  #settle(request: DecodedRequest, ticket: Ticket, reply: string | null): void {
    if (!this.#tickets.delete(ticket)) return;
    if (ticket.timer !== null) clearTimeout(ticket.timer);
    this.#sessions.end(request.query.session, ticket);
    this.#connection.settle();
    if (reply === null) this.#observer.cancelled();
    else this.#write(reply);
    this.#closeIfFinished();
  }

  #writeJson(value: unknown): void {
    this.#write(`${JSON.stringify(value)}\n`);
  }

  #write(text: string): void {
    if (!this.#socket.writable) return;
    this.#socket.write(text);
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.#socket.destroy();
  }

  #closeIfFinished(): void {
    if (this.#connection.finished && this.#socket.writable) this.#socket.end();
  }
}

/** Sends a model's problem as an error only without candidates, which the original client would drop beside it. */
function formatReply(
  request: DecodedRequest,
  candidates: readonly Candidate[],
  problem: ModelProblem | null,
): string {
  const reply: CompletionReply = {
    request_id: request.requestId,
    candidates: candidates.map((candidate) => toWire(candidate, request)),
    ...(problem === null ? {} : candidates.length === 0 ? { error: problem } : { notice: problem.message }),
  };
  return request.separated ? formatSeparatedReply(reply, problem) : formatJsonReply(reply);
}

function replyOfWritten({ requestId, separated }: DecodedRequest, written: Written): string {
  const reply: CompletionReply = written.ok
    ? { request_id: requestId, candidates: [commandOf(written)], notice: written.model }
    : { request_id: requestId, candidates: [], error: written.error };
  return separated ? formatSeparatedReply(reply) : formatJsonReply(reply);
}

/** The probability of a model's command was never measured. */
function commandOf({ line, risk }: Extract<Written, { ok: true }>): CompletionCandidate {
  const command = { completion: line, confidence: 0, source: 'model', kind: 'command' } as const;
  return risk === null ? command : { ...command, risk };
}

/** Encodes a candidate for the wire. */
export function toWire(
  candidate: Candidate,
  request: Pick<DecodedRequest, 'unit' | 'explain' | 'separated'>,
): CompletionCandidate {
  return {
    completion: candidate.line,
    confidence: Math.round(candidate.confidence * 1000) / 1000,
    ...(candidate.cursor === null
      ? {}
      : { cursor_pos: offsetOfIndex(candidate.line, candidate.cursor, request.unit) }),
    source: candidate.source,
    ...(candidate.kind === undefined ? {} : { kind: candidate.kind }),
    ...(candidate.risk === undefined ? {} : { risk: candidate.risk }),
    ...(candidate.partial ? { partial: true as const } : {}),
    ...(candidate.description === undefined ? {} : { description: candidate.description }),
    ...(request.explain ? { why: [candidate.why, `from ${candidate.sources.join(', ')}`] } : {}),
    ...(request.separated && !request.explain ? { why: [candidate.why] } : {}),
  };
}
