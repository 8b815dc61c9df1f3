/** State shared by all connections, and the open streams with their tokens. */
import { type BodyLimits, BodyRoom } from './body-room.ts';
import type { EventFeed } from './feed.ts';
import type { Caller, GateOptions } from './gate.ts';
import type { McpEndpoint, OpenMcp, RunFront, SuggestionHost, SuggestionLimits } from './port.ts';
import { isSame } from './who.ts';

/** A connection that stays open. */
export interface OpenStream {
  readonly caller: Caller;
  /** Says why and closes. */
  end(reason: StreamEnd): void;
  /** Checks whether the other side is still alive. */
  beat(): void;
}

/** `going`: the server ends, another one follows · `token`: it was rotated. */
export type StreamEnd = 'going' | 'token';

export interface StreamsOptions {
  readonly host: SuggestionHost;
  readonly feed: EventFeed;
  readonly gate: GateOptions;
  readonly limits: SuggestionLimits;
  /** Relative folders of clients are below it. */
  readonly home: string;
  readonly project: string | null;
  readonly openMcp: OpenMcp;
  /** Null: no commands are run for `bin/copane`. */
  readonly runFront: RunFront | null;
  readonly onWarning: (message: string) => void;
}

/** How often tokens are checked for rotation while a stream is open. */
const TOKEN_CHECK_MS = 1_000;

export class Streams {
  readonly host: SuggestionHost;
  readonly feed: EventFeed;
  readonly gate: GateOptions;
  readonly limits: SuggestionLimits;
  readonly bodies: BodyLimits;
  readonly home: string;
  readonly project: string | null;
  readonly runFront: RunFront | null;
  readonly onWarning: (message: string) => void;
  readonly #open = new Set<OpenStream>();
  #heartbeat: NodeJS.Timeout | undefined;
  #tokenCheck: NodeJS.Timeout | undefined;
  readonly #openMcp: OpenMcp;
  #mcp: Promise<McpEndpoint> | null = null;

  constructor(options: StreamsOptions) {
    this.host = options.host;
    this.feed = options.feed;
    this.gate = options.gate;
    this.limits = options.limits;
    const { maxBodyBytes, maxBodiesBytes } = options.limits;
    this.bodies = { maxBytes: maxBodyBytes, room: new BodyRoom(maxBodiesBytes) };
    this.home = options.home;
    this.project = options.project;
    this.runFront = options.runFront;
    this.onWarning = options.onWarning;
    this.#openMcp = options.openMcp;
  }

  get count(): number {
    return this.#open.size;
  }

  /** The MCP server, loaded at its first request. */
  get mcp(): Promise<McpEndpoint> {
    const { host, home, bodies, feed, onWarning } = this;
    this.#mcp ??= this.#openMcp({
      host,
      home,
      bodies,
      onNews: (listener) => feed.onNews(listener),
      onWarning,
    }).catch((thrown) => {
      // After a failure the next request loads it again.
      this.#mcp = null;
      throw thrown;
    });
    return this.#mcp;
  }

  get isFull(): boolean {
    return this.#open.size >= this.limits.maxStreams;
  }

  add(stream: OpenStream): void {
    this.#open.add(stream);
    if (this.#open.size > 1) return;
    this.#heartbeat = setInterval(() => this.#beat(), this.limits.pingIntervalMs).unref();
    this.#tokenCheck = setInterval(() => this.#dropOldTokens(), TOKEN_CHECK_MS).unref();
  }

  remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size === 0) this.#rest();
  }

  /** Without a stream there is nothing to check. */
  #rest(): void {
    clearInterval(this.#heartbeat);
    clearInterval(this.#tokenCheck);
  }

  /** A rotated token closes what it had opened. */
  #dropOldTokens(): void {
    for (const stream of [...this.#open]) {
      const { token, who } = stream.caller;
      const owner = token === null ? who : this.gate.tokens.whoseIs(token);
      if (owner === null || !isSame(owner, who)) stream.end('token');
    }
  }

  close(): void {
    this.#rest();
    for (const stream of [...this.#open]) stream.end('going');
    void this.#mcp?.then(
      (endpoint) => endpoint.close(),
      () => undefined,
    );
  }

  #beat(): void {
    for (const stream of [...this.#open]) stream.beat();
  }
}

/** The number in `since`; null if it is missing or invalid. */
export function parseSince(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
