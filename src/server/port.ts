/** The interfaces between transports and the host. */
import type { ClientMessage, RequestId, ServerMessage } from '../protocol/wire.ts';

/** An event whose body is already JSON text, so that it is encoded once for all readers. */
export interface EncodedEvent {
  readonly seq: number;
  readonly ts: number;
  readonly json: string;
}

/** The output to one client. */
export interface SessionSink {
  send(message: ServerMessage): void;
  sendEvent(event: EncodedEvent): void;
  /** Bytes that the client has not taken yet. Events wait while there are many. */
  unsentBytes(): number;
  /** Says goodbye and closes after everything sent before. `settled`: everything begun is answered. */
  end(reason: string, settled?: boolean): void;
}

/** One client inside the host. */
export interface ServedSession {
  receive(message: ClientMessage): void;
  /** Answers a message that could not be understood. */
  reject(id: RequestId | null, message: string): void;
  /** The client took everything: pending events may follow. */
  drained(): void;
  /** No request is pending and no events were asked for. */
  readonly isIdle: boolean;
  /** The client is gone. */
  close(): void;
}

export interface ServedHost {
  /** `onIdle` is called when the last pending request was answered. */
  openSession(sink: SessionSink, onIdle: () => void): ServedSession;
}
