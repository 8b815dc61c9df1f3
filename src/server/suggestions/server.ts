/** The suggestion server: HTTP, WebSocket and SSE, on the host's Unix socket and a TCP port (retried while taken). */
import http, { type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { errorMessage, fail, type Result } from '../../lib/result.ts';
import { isLoopback, type Refusal } from './access.ts';
import { EventFeed } from './feed.ts';
import { admit, checkOrigin } from './gate.ts';
import { answerRequest, refuseBeforeBody } from './http.ts';
import { resolveFolder } from './operations.ts';
import { readEitherSpelling } from './original.ts';
import {
  type OpenMcp,
  type RunFront,
  SUGGESTION_LIMITS,
  type SuggestionHost,
  type SuggestionLimits,
} from './port.ts';
import { RETRY_AFTER_S, requestUrl, send } from './reply.ts';
import { findRoute } from './router.ts';
import { parseSince, Streams } from './streams.ts';
import type { Tokens } from './tokens.ts';
import { serveSocket } from './websocket.ts';

/** How soon a taken port is tried again: at first its user is often the leader that just ended. */
const RETRY_MS = 200;
const RETRY_LATER_MS = 3_000;
const RETRY_MAX_MS = 10_000;
const SOON_TRIES = 50;
/** How long open connections have to read their last bytes when the server ends. */
const CLOSE_GRACE_MS = 100;

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

export interface SuggestionServerOptions {
  readonly host: SuggestionHost;
  readonly tokens: Tokens;
  readonly auth: 'token' | 'none';
  /** Null: no TCP port. */
  readonly tcp: TcpAddress | null;
  readonly home: string;
  readonly project: string | null;
  readonly openMcp: OpenMcp;
  /** Omitted: this server runs no commands for `bin/copane`. */
  readonly runFront?: RunFront;
  readonly limits?: SuggestionLimits;
  /** A message for the log. */
  readonly onWarning: (message: string) => void;
  readonly onPort: (port: PortState) => void;
}

export interface PortState {
  /** Null while it is not open. */
  readonly address: string | null;
  /** Without tokens: anyone who can reach it decides. */
  readonly openToAll: boolean;
  /** A message for the user: the server listens, or the port is taken. */
  readonly words: string;
}

export class SuggestionServer {
  readonly #options: SuggestionServerOptions;
  readonly #http: http.Server;
  readonly #upgrades: WebSocketServer;
  readonly #feed: EventFeed;
  readonly #streams: Streams;
  readonly #sockets = new Set<Socket>();
  readonly #local = new WeakSet<Socket>();
  #retry: NodeJS.Timeout | undefined;
  #hasReportedTaken = false;
  #closed = false;

  private constructor(options: SuggestionServerOptions) {
    const limits = options.limits ?? SUGGESTION_LIMITS;
    this.#options = options;
    this.#feed = new EventFeed(options.host, options.onWarning);
    const { auth, tokens, host, home, project, openMcp, runFront = null, onWarning } = options;
    const isLocal = (request: IncomingMessage) => this.#local.has(request.socket);
    const gate = { auth, tokens, bound: options.tcp?.host ?? '127.0.0.1', isLocal };
    const places = { home, project };
    this.#streams = new Streams({
      ...places,
      host,
      feed: this.#feed,
      gate,
      limits,
      openMcp,
      runFront,
      onWarning,
    });
    this.#upgrades = new WebSocketServer({
      noServer: true,
      maxPayload: limits.maxBodyBytes,
      perMessageDeflate: false,
      // Thousands of short messages may arrive in one chunk: other clients are served in between.
      allowSynchronousEvents: false,
      clientTracking: false,
    });
    this.#http = this.#createHttp(limits);
  }

  /** Starts to serve. Fails if that would be unsafe; a taken port is not a failure. */
  static async start(options: SuggestionServerOptions): Promise<Result<SuggestionServer>> {
    const { tcp, auth } = options;
    if (tcp !== null && auth === 'none' && !isLoopback(tcp.host)) {
      const hint = 'Listen on 127.0.0.1, or set "auth" back to "token".';
      return fail('refused', `Without tokens the port is not opened to the network (${tcp.host}).`, hint);
    }
    const made = options.tokens.ensure();
    if (!made.ok) return made;
    const server = new SuggestionServer(options);
    if (tcp !== null) await server.#listen(tcp);
    return { ok: true, value: server };
  }

  get port(): number | null {
    const address = this.#http.address();
    return typeof address === 'object' && address !== null ? address.port : null;
  }

  /** Takes over a connection of the Unix socket, with the bytes received so far. */
  accept(socket: Socket, firstChunk: Buffer): void {
    if (this.#closed) {
      socket.destroy();
      return;
    }
    this.#local.add(socket);
    socket.pause();
    socket.unshift(firstChunk);
    this.#http.emit('connection', socket);
    socket.resume();
  }

  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#http.close();
    this.#streams.close();
    this.#feed.close();
    for (const socket of this.#sockets) {
      socket.destroySoon();
      setTimeout(() => socket.destroy(), CLOSE_GRACE_MS);
    }
    while (this.#sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS / 5));
  }

  #createHttp(limits: SuggestionLimits): http.Server {
    const { headersTimeoutMs, requestTimeoutMs, maxSockets } = limits;
    const server = http.createServer({
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: headersTimeoutMs / 2,
      // Our own checks report a wrong Host header.
      requireHostHeader: false,
    });
    server.timeout = limits.idleTimeoutMs;
    server.maxConnections = maxSockets;
    server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('drop', () => this.#options.onWarning('A connection was closed: too many are open.'));
    // Requests after the last allowed one are not read.
    server.on('dropRequest', (_request, socket) => socket.destroy());
    server.on('request', (request, response) => void this.#answer(request, response));
    server.on('checkContinue', (request, response) => {
      if (refuseBeforeBody(this.#streams, request, response)) return;
      response.writeContinue();
      void this.#answer(request, response);
    });
    server.on('upgrade', (request, socket, head) => {
      this.#upgrade(request, socket, head).catch((thrown) => {
        this.#options.onWarning(`An upgrade failed because of a defect: ${errorMessage(thrown)}`);
        socket.destroy();
      });
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      if (socket.writable && error.code !== 'ECONNRESET') reject(socket, statusOf(error));
      else socket.destroy();
    });
    return server;
  }

  async #answer(request: IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      await answerRequest(this.#streams, request, response);
    } catch (thrown) {
      this.#options.onWarning(`A request failed because of a defect: ${errorMessage(thrown)}`);
      send(response, 500, {
        success: false,
        error: 'This failed because of a defect in copane; its log has the details.',
      });
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const url = requestUrl(request);
    const found = findRoute('GET', url.pathname);
    const foreign = checkOrigin(request, this.#streams.gate);
    if (foreign !== null) return reject(socket, foreign);
    if (found.kind !== 'found' || found.target.kind !== 'socket') {
      return reject(socket, { status: 404, error: 'Not found' });
    }
    const admitted = admit(request, url, this.#streams.gate);
    if (!admitted.ok) return reject(socket, admitted.refusal);
    if (this.#streams.isFull) return reject(socket, { status: 503, error: 'Too many connections are open.' });
    const query = readEitherSpelling(Object.fromEntries(url.searchParams)) as Record<
      string,
      string | undefined
    >;
    const since = parseSince(query.since);
    if (query.since !== undefined && since === null) {
      return reject(socket, { status: 400, error: 'Invalid since: it must be a number that came as seq.' });
    }
    const folder = await resolveFolder(query.working_directory, this.#options.home);
    const { caller } = admitted;
    this.#upgrades.handleUpgrade(request, socket, head, (client) => {
      if (this.#closed) client.close(1001);
      else serveSocket(client, this.#streams, { raw: socket, caller, folder, since });
    });
  }

  async #listen(tcp: TcpAddress, tries = 1): Promise<void> {
    if (this.#closed) return;
    const failure = await listenOnce(this.#http, tcp);
    if (failure === null) {
      const address = `http://${tcp.host}:${this.port}`;
      const openToAll = this.#options.auth === 'none';
      const warning = openToAll ? ', WITHOUT tokens: every program on this machine may decide' : '';
      this.#options.onPort({ address, openToAll, words: `suggestions on ${address}${warning}` });
      return;
    }
    if (!this.#hasReportedTaken) {
      this.#hasReportedTaken = true;
      const words = `port ${tcp.port} cannot be opened (${failure}); trying again`;
      this.#options.onPort({ address: null, openToAll: false, words });
    }
    const laterMs = Math.min(RETRY_MAX_MS, RETRY_LATER_MS * (tries - SOON_TRIES + 1));
    const waitMs = tries < SOON_TRIES ? RETRY_MS : laterMs;
    this.#retry = setTimeout(() => void this.#listen(tcp, tries + 1), waitMs).unref();
  }
}

/** Null if it listens; otherwise the reason why not. */
function listenOnce(server: http.Server, { host, port }: TcpAddress): Promise<string | null> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => {
      server.off('listening', onListening);
      resolve(error.code === 'EADDRINUSE' ? 'another program has it' : error.message);
    };
    const onListening = () => {
      server.off('error', onError);
      resolve(null);
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen(port, host);
  });
}

function statusOf(error: NodeJS.ErrnoException): Refusal {
  if (error.code === 'HPE_HEADER_OVERFLOW') return { status: 431, error: 'The headers are too long.' };
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, error: 'The request did not arrive in time.' };
  return { status: 400, error: 'This is not an HTTP request.' };
}

function reject(socket: Duplex, { status, error }: Refusal): void {
  const body = `${JSON.stringify({ success: false, error })}\n`;
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
    ...(status === 503 ? [`Retry-After: ${RETRY_AFTER_S}`] : []),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
