/** What a transport needs of the host, and what the host needs of a transport. */
import type { ClientMessage, RequestId, ServerMessage } from '../protocol/wire.ts';

/** An event whose body is already JSON text, so that a thousand readers cost one encoding. */
export interface EncodedEvent {
  readonly seq: number;
  readonly ts: number;
  readonly json: string;
}

/** The way out to one client. */
export interface SessionSink {
  send(message: ServerMessage): void;
  sendEvent(event: EncodedEvent): void;
  /** Bytes that the client has not taken yet. Events wait while they are many. */
  unsentBytes(): number;
  /** Says goodbye and closes, after what was sent before. `settled`: all that was begun is answered. */
  end(reason: string, settled?: boolean): void;
}

/** One client inside the host. */
export interface ServedSession {
  receive(message: ClientMessage): void;
  /** Answers a message that could not be understood. */
  reject(id: RequestId | null, message: string): void;
  /** The client took everything: waiting events may follow. */
  drained(): void;
  /** No request waits for its answer and no events were asked for. */
  readonly isIdle: boolean;
  /** The client is gone. */
  close(): void;
}

export interface ServedHost {
  /** `onIdle` is called when the last waiting request was answered. */
  openSession(sink: SessionSink, onIdle: () => void): ServedSession;
}
