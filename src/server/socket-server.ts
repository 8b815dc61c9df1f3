/** The host's Unix socket. The first byte selects the protocol: `{` for JSON lines, all else for `onOther`, if any. */
import net from 'node:net';
import { ok, type Result } from '../lib/result.ts';
import { Slices } from '../platform/slices.ts';
import {
  type PublishedSocket,
  publishSocket,
  type SocketPlace,
  socketAtName,
  withdrawSocket,
} from '../platform/socket-file.ts';
import { MAX_LINE_BYTES } from '../protocol/limits.ts';
import type { ServerMessage } from '../protocol/wire.ts';
import { serveJsonLines } from './json-lines.ts';
import type { ServerLimits } from './limits.ts';
import type { ServedHost } from './port.ts';

export const SERVER_LIMITS: ServerLimits = {
  maxLineBytes: MAX_LINE_BYTES,
  maxConnections: 256,
  maxUnsentBytes: 2 * MAX_LINE_BYTES,
  firstByteTimeoutMs: 10_000,
  dropGraceMs: 1_000,
};

/** How long a quitting leader waits for its clients to read their last line, while others wait for its lock. */
const CLOSE_GRACE_MS = 100;

/** The listener that serves the socket now. */
interface Listening {
  readonly listener: net.Server;
  readonly published: PublishedSocket;
}

const FIRST_BYTE_OF_JSON = 0x7b;

export interface SocketServerOptions {
  readonly socketPath: string;
  readonly host: ServedHost;
  readonly limits?: ServerLimits;
  /** Takes over a connection with another protocol, with the bytes received so far. */
  readonly onOther?: (socket: net.Socket, firstChunk: Buffer) => void;
  readonly onWarning: (message: string) => void;
}

export class SocketServer {
  readonly #options: SocketServerOptions;
  readonly #slices = new Slices();
  readonly #limits: ServerLimits;
  readonly #sockets = new Set<net.Socket>();
  #listening: Listening | null = null;
  #closed = false;

  private constructor(options: SocketServerOptions) {
    this.#options = options;
    this.#limits = options.limits ?? SERVER_LIMITS;
  }

  /** Listens. The caller holds the host lock. */
  static async start(options: SocketServerOptions): Promise<Result<SocketServer>> {
    const server = new SocketServer(options);
    const listening = await server.#publish();
    if (!listening.ok) {
      return listening;
    }
    server.#listening = listening.value;
    return ok(server);
  }

  async #publish(): Promise<Result<Listening>> {
    // The handler is set before the socket gets its name: a connection in between would never be served.
    const listener = net.createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
    const published = await publishSocket(listener, placeOf(this.#options.socketPath));
    return published.ok ? ok({ listener, published: published.value }) : published;
  }

  /** Restores the socket's name if someone removed it; leaves another socket in its place alone. */
  async ensureName(): Promise<void> {
    const before = this.#listening;
    if (this.#closed || before === null || socketAtName(before.published) !== 'absent') return;
    const again = await this.#publish();
    if (!again.ok) {
      this.#options.onWarning(again.error.message);
      return;
    }
    if (this.#closed) {
      again.value.listener.close();
      withdrawSocket(again.value.published);
      return;
    }
    before.listener.close();
    this.#listening = again.value;
    this.#options.onWarning(`The socket ${this.#options.socketPath} had been removed; copane made it again.`);
  }

  /** Stops listening and closes what is still open. `keepName`: another leader owns the path now. */
  async close(options: { readonly keepName: boolean }): Promise<void> {
    this.#closed = true;
    this.#listening?.listener.close();
    if (!options.keepName && this.#listening !== null) withdrawSocket(this.#listening.published);
    await Promise.all([...this.#sockets].map((socket) => this.#finish(socket)));
  }

  /** A socket that was ended gets a moment to flush its last line. */
  #finish(socket: net.Socket): Promise<void> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve();
      socket.once('close', () => resolve());
      socket.destroySoon();
      setTimeout(() => socket.destroy(), CLOSE_GRACE_MS).unref();
    });
  }

  #accept(socket: net.Socket): void {
    // A vanished peer needs no handling here: 'close' follows.
    socket.on('error', () => socket.destroy());
    if (this.#closed || this.#sockets.size >= this.#limits.maxConnections) {
      this.#options.onWarning('A connection was refused: too many are open.');
      turnAway(socket, 'too many connections');
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const onSilence = () => turnAway(socket, 'no message came');
    socket.setTimeout(this.#limits.firstByteTimeoutMs, onSilence);
    socket.once('data', (chunk: Buffer) => {
      // The new owner sets its own timeouts; ours must not fire.
      socket.off('timeout', onSilence);
      socket.setTimeout(0);
      this.#route(socket, chunk);
    });
    socket.once('end', () => {
      if (socket.bytesRead === 0) socket.end();
    });
  }

  #route(socket: net.Socket, chunk: Buffer): void {
    const { host, onOther, onWarning } = this.#options;
    if (chunk[0] === FIRST_BYTE_OF_JSON) {
      const onDrop = (reason: string) => onWarning(`A client was dropped: ${reason}.`);
      serveJsonLines(socket, chunk, { host, limits: this.#limits, slices: this.#slices, onDrop });
    } else if (onOther !== undefined) onOther(socket, chunk);
    else turnAway(socket, 'a line must be one JSON object');
  }
}

/** The leader holds the lock, so the name is its own. */
const placeOf = (file: string): SocketPlace => ({ file, variable: 'COPANE_SOCKET', name: 'ours' });

function turnAway(socket: net.Socket, reason: string): void {
  const bye: ServerMessage = { type: 'bye', reason };
  socket.end(`${JSON.stringify(bye)}\n`);
  socket.destroySoon();
}
