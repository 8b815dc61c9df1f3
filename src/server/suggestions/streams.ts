/** What all connections share, and the book of those that stay open: how many, and whose token let them in. */
import type { EventFeed } from './feed.ts';
import type { Caller, GateOptions } from './gate.ts';
import type { McpEndpoint, OpenMcp, SuggestionHost, SuggestionLimits } from './port.ts';
import { isSame } from './who.ts';

/** A connection that stays open. */
export interface OpenStream {
  readonly caller: Caller;
  /** Says why and closes. */
  end(reason: StreamEnd): void;
  /** Looks whether the other side still lives. */
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
  readonly openMcp: OpenMcp;
  readonly onWarning: (message: string) => void;
}

export class Streams {
  readonly host: SuggestionHost;
  readonly feed: EventFeed;
  readonly gate: GateOptions;
  readonly limits: SuggestionLimits;
  readonly home: string;
  readonly onWarning: (message: string) => void;
  readonly #open = new Set<OpenStream>();
  readonly #heart: NodeJS.Timeout;
  readonly #openMcp: OpenMcp;
  #mcp: Promise<McpEndpoint> | null = null;

  constructor(options: StreamsOptions) {
    this.host = options.host;
    this.feed = options.feed;
    this.gate = options.gate;
    this.limits = options.limits;
    this.home = options.home;
    this.onWarning = options.onWarning;
    this.#openMcp = options.openMcp;
    this.#heart = setInterval(() => this.#beat(), options.limits.pingIntervalMs).unref();
  }

  get count(): number {
    return this.#open.size;
  }

  /** The door to MCP, opened with its first request. */
  get mcp(): Promise<McpEndpoint> {
    const { host, home, limits, feed, onWarning } = this;
    this.#mcp ??= this.#openMcp({
      host,
      home,
      maxBodyBytes: limits.maxBodyBytes,
      onNews: (listener) => feed.onNews(listener),
      onWarning,
    }).catch((thrown) => {
      // What could not be loaded is tried again with the next request.
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
  }

  remove(stream: OpenStream): void {
    this.#open.delete(stream);
  }

  /** A rotated token closes what it had opened. */
  dropOldTokens(): void {
    for (const stream of [...this.#open]) {
      const { token, who } = stream.caller;
      const owner = token === null ? who : this.gate.tokens.whoseIs(token);
      if (owner === null || !isSame(owner, who)) stream.end('token');
    }
  }

  close(): void {
    clearInterval(this.#heart);
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

/** The number in `since`; null for none, or for what is no such number. */
export function parseSince(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
