/** The pipes between a client and a host: in-process, or a Unix socket. Ordered messages in both directions. */
import net from 'node:net';
import { LineSplitter } from '../../lib/line-splitter.ts';
import { ok, type Result } from '../../lib/result.ts';
import { inspectSocket } from '../../platform/socket-file.ts';
import { MAX_LINE_BYTES } from '../../protocol/limits.ts';
import type { ClientMessage, ServerMessage } from '../../protocol/wire.ts';
import type { ServedHost } from '../../server/port.ts';

export interface Pipe {
  send(message: ClientMessage): void;
  close(): void;
}

export interface PipeEvents {
  readonly onMessage: (message: ServerMessage) => void;
  /** Called once when the pipe closes for any reason other than `close`. */
  readonly onClosed: () => void;
}

/** A pipe to a host in this process. Both directions are asynchronous, as with a socket. */
export function openLocalPipe(host: ServedHost, events: PipeEvents): Pipe {
  let closed = false;
  const deliver = (message: ServerMessage) =>
    queueMicrotask(() => {
      if (!closed) events.onMessage(message);
    });
  const session = host.openSession(
    {
      send: deliver,
      sendEvent: ({ seq, ts, json }) => deliver({ type: 'event', seq, ts, body: JSON.parse(json) }),
      unsentBytes: () => 0,
      end: () =>
        queueMicrotask(() => {
          if (closed) return;
          closed = true;
          session.close();
          events.onClosed();
        }),
    },
    () => undefined,
  );
  return {
    send: (message) => queueMicrotask(() => session.receive(message)),
    close: () => {
      closed = true;
      session.close();
    },
  };
}

/** The hosts of this process, by the path of their socket. A command that a host runs needs no socket to reach it. */
export const hostsHere = new Map<string, ServedHost>();

/** A pipe to the host that listens at `socketPath`; null if nobody does. */
export async function openPipe(socketPath: string, events: PipeEvents): Promise<Result<Pipe | null>> {
  const here = hostsHere.get(socketPath);
  if (here !== undefined) return ok(openLocalPipe(here, events));
  const found = inspectSocket(socketPath);
  if (!found.ok) return found;
  if (found.value === 'absent') return ok(null);
  const socket = await connectTo(socketPath);
  return ok(socket === null ? null : pipeOver(socket, events));
}

/** No listener, no permission and a missing socket all mean the same here: no leader. */
function connectTo(socketPath: string): Promise<net.Socket | null> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath);
    const onError = () => resolve(null);
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

function pipeOver(socket: net.Socket, events: PipeEvents): Pipe {
  const lines = new LineSplitter(MAX_LINE_BYTES);
  let closed = false;
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    if (closed) return;
    closed = true;
    events.onClosed();
  });
  socket.on('data', (chunk: Buffer) => {
    for (const line of lines.push(chunk)) {
      if (closed) return;
      const message = line.kind === 'line' ? parseServerLine(line.text) : null;
      if (message === null) socket.destroy();
      else events.onMessage(message);
    }
    if (lines.isTooLong) socket.destroy();
  });
  return {
    send: (message) => {
      if (!closed) socket.write(`${JSON.stringify(message)}\n`);
    },
    close: () => {
      closed = true;
      socket.end();
      socket.destroySoon();
    },
  };
}

/** Parses a message of the leader. It runs our own code, so the shape is not checked. Null if it is not JSON. */
function parseServerLine(text: string): ServerMessage | null {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    return null;
  }
}
