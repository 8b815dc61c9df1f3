/** The suggestion server's interfaces to the host and to MCP, and its limits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, type Result } from '../../lib/result.ts';
import {
  type Caller,
  type CommandName,
  type CommandParams,
  type CommandResult,
  SERVER_CLIENT,
} from '../../protocol/command.ts';
import type { EncodedEvent, ServedSession, SessionSink } from '../port.ts';
import type { BodyLimits } from './body-room.ts';
import type { Caller as HttpCaller } from './gate.ts';

/** What an operation needs from the host. */
export interface CommandHost {
  /** Null: another leader has taken over; nothing was done. */
  dispatch(command: string, params: unknown, caller: Caller): Promise<Result<unknown> | null>;
}

export interface SuggestionHost extends CommandHost {
  openSession(sink: SessionSink, onIdle: () => void): ServedSession;
  readonly store: {
    readonly events: {
      head(): number;
      oldest(): number;
      after(seq: number, limit: number): readonly EncodedEvent[];
    };
  };
}

/** Answers MCP over HTTP; loaded on demand. */
export interface McpEndpoint {
  answer(request: IncomingMessage, response: ServerResponse, caller: HttpCaller): Promise<void>;
  close(): Promise<void>;
}

export interface McpServices {
  readonly host: CommandHost;
  readonly home: string;
  readonly bodies: BodyLimits;
  /** Calls back after each event of the host; returns a function that ends it. */
  readonly onNews: (listener: () => void) => () => void;
  readonly onWarning: (message: string) => void;
}

export type OpenMcp = (services: McpServices) => Promise<McpEndpoint>;

/** A command that `bin/copane` would have run. */
export interface FrontCall {
  /** The process with this command line, which waits for the answer. */
  readonly pid: number;
  /** Which of its files 0 and 1 are terminals, as digits. */
  readonly terminals: string;
}

export interface FrontSink {
  /** The command runs here: from now on no other process may run it as well. */
  begin(): void;
  write(stream: 'stdout' | 'stderr', text: string): void;
}

/** Runs it and returns its exit code; null if this process must not run it. */
export type RunFront = (call: FrontCall, sink: FrontSink) => Promise<number | null>;

export interface SuggestionLimits {
  readonly maxBodyBytes: number;
  /** The limit of all incomplete bodies together. */
  readonly maxBodiesBytes: number;
  /** Open WebSocket and SSE connections. */
  readonly maxStreams: number;
  /** Open sockets on the TCP port; one more is closed. */
  readonly maxSockets: number;
  /** Requests on one connection, which may all come at once; further ones need a new connection. */
  readonly maxRequestsPerSocket: number;
  /** Bytes that a client has not taken yet; beyond this, events wait. */
  readonly pauseBytes: number;
  /** Bytes of answers that a client has not taken; beyond this the client is dropped. */
  readonly maxUnsentBytes: number;
  /** A client that reads nothing for this long is dropped. */
  readonly stallTimeoutMs: number;
  /** A client that does not answer a ping before the next one counts as gone. */
  readonly pingIntervalMs: number;
  /** Pending requests of one WebSocket. */
  readonly maxWaiting: number;
  /** A request must be complete within this time. */
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  /** Timeout of an idle connection; longer than any request takes. */
  readonly idleTimeoutMs: number;
}

/** Limits of a body's JSON; notes on each hunk of the largest patch fit. */
export const BODY_JSON_LIMITS = { maxDepth: 64, maxValues: 50_000, maxMembers: 20_000 } as const;

export const SUGGESTION_LIMITS: SuggestionLimits = {
  maxBodyBytes: 8 * 1024 * 1024,
  maxBodiesBytes: 32 * 1024 * 1024,
  maxStreams: 512,
  maxSockets: 1_024,
  maxRequestsPerSocket: 500,
  pauseBytes: 1024 * 1024,
  maxUnsentBytes: 32 * 1024 * 1024,
  stallTimeoutMs: 30_000,
  pingIntervalMs: 15_000,
  maxWaiting: 256,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 10_000,
  idleTimeoutMs: 120_000,
};

/** Runs a command of the host by its own types. */
export async function ask<C extends CommandName>(
  host: CommandHost,
  command: C,
  params: CommandParams<C>,
): Promise<Result<CommandResult<C>>> {
  const result = await host.dispatch(command, params, { client: SERVER_CLIENT, once: null });
  return (
    (result as Result<CommandResult<C>> | null) ??
    fail('internal', 'Another copane leads now; nothing was done.', 'Ask again.')
  );
}
