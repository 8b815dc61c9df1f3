/**
 * The completion socket: connections in, replies out. Keeps the quiet time for the clients, lets a newer
 * request of a session cancel the older, answers every bad line, and never lets one client hurt another.
 */
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

/** Open connections: a thousand shells and their neighbours. */
const MAX_CONNECTIONS = 4_096;
/** Requests of one connection that wait for an answer. */
const MAX_PENDING = 64;
/** A client that does not read is cut off. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const EMPTY_REPLY_ID = 0;
/**
 * Quiet times up to this are there to spare work, and the first key after one has nothing to spare: it is answered at
 * once. Whoever sets a longer one wants to be left in peace while he types.
 */
const SPARING_DELAY_MS = 50;

export interface ServerObserver {
  answered(request: DecodedRequest, candidates: readonly Candidate[], ms: number): void;
  cancelled(): void;
  /** A shell told something; the answer tells whether it made sense. */
  told(message: TypedMessage): boolean;
  /** What may be wrong with the set-up. */
  warnings(): readonly string[];
  /** What keeps the configured model from answering; null when nothing does. */
  modelProblem(): ModelProblem | null;
  /** Answers a request for a command. */
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
  /** Cuts off every client: the last step of a stop. */
  disconnectAll(): void;
}

/** A server for `engine`. */
export function createCompletionServer(engine: Engine, observer: ServerObserver): CompletionServer {
  const sessions = new Sessions<Ticket>();
  const sockets = new Set<net.Socket>();
  // Half-open: the first client says all it has to say, closes its side and then waits for the answer.
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
  /** The request that came last. */
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
    // A timer of no time takes a millisecond.
    if (delayMs === 0) void this.#answer(request, ticket);
    else ticket.timer = setTimeout(() => void this.#answer(request, ticket), delayMs);
  }

  /** How long the request waits for a newer one. */
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
    // A client that speaks our format stays to be told of more; to any other the first answer is the only one.
    const onMore = request.separated ? () => this.#tellOfMore(request) : undefined;
    const candidates = await this.#engine.complete(request.query, ticket.controller.signal, onMore);
    if (!this.#tickets.has(ticket)) return;
    const took = performance.now() - started;
    this.#settle(request, ticket, formatReply(request, candidates, this.#observer.modelProblem()));
    // Not before the answer is out: it looks for secrets in what it keeps.
    this.#observer.answered(request, candidates, took);
  }

  #tellOfMore(request: DecodedRequest): void {
    if (this.#newest === request) this.#write(formatMore(request.requestId));
  }

  /** Ends a request: with its reply, or with null when it was cancelled and gets none. */
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

/** A problem of the model is an error only where there is nothing else to send: the first client drops what comes with one. */
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

/** How likely a model's command is right nobody has measured. */
function commandOf({ line, risk }: Extract<Written, { ok: true }>): CompletionCandidate {
  const command = { completion: line, confidence: 0, source: 'model', kind: 'command' } as const;
  return risk === null ? command : { ...command, risk };
}

function toWire(candidate: Candidate, request: DecodedRequest): CompletionCandidate {
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
