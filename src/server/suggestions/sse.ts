/** The stream of events as SSE, for `curl` and `EventSource` libraries; `id` is the number to resume from. */
import type { ServerResponse } from 'node:http';
import { concerns, follow, gapMessage } from './follow.ts';
import type { Caller } from './gate.ts';
import { greeting } from './greeting.ts';
import { toOriginal } from './original.ts';
import { send } from './reply.ts';
import { type OpenStream, parseSince, type Streams } from './streams.ts';

export interface EventsRequest {
  readonly caller: Caller;
  readonly folder: string | null;
  readonly since: string | undefined;
}

/** How soon a disconnected client reconnects. */
const RETRY_MS = 500;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** The headers of a stream, without its events. */
export function describeEvents(response: ServerResponse): void {
  response.writeHead(200, HEADERS);
  response.end();
}

/** Streams until the client disconnects or reads too slowly. */
export async function serveEvents(
  streams: Streams,
  response: ServerResponse,
  { caller, folder, since: sinceText }: EventsRequest,
): Promise<void> {
  if (streams.isFull) return send(response, 503, { success: false, error: 'Too many connections are open.' });
  const asked = parseSince(sinceText);
  if (sinceText !== undefined && asked === null) {
    return send(response, 400, {
      success: false,
      error: 'Invalid since: it must be a number that came as seq.',
    });
  }
  const ended = new AbortController();
  const stream: OpenStream = {
    caller,
    end: () => {
      ended.abort();
      response.end();
    },
    beat: () => void response.write(': alive\n\n'),
  };
  streams.add(stream);
  response.once('close', () => {
    streams.remove(stream);
    ended.abort();
  });
  response.socket?.setTimeout(0);
  response.writeHead(200, HEADERS);
  const inDialect = (json: string) =>
    caller.isOriginal ? JSON.stringify(toOriginal(JSON.parse(json))) : json;
  const write = createWriter(streams, response, inDialect);
  const from = asked ?? streams.feed.head();
  const hello = JSON.stringify(await greeting(streams, caller.who, folder, from));
  if (response.writableEnded || ended.signal.aborted) return;
  response.write(`retry: ${RETRY_MS}\nid: ${from}\ndata: ${inDialect(hello)}\n\n`);
  const known = streams.feed.knows(from);
  if (!known) await write(gapMessage(streams.feed.head()));
  await follow(streams.feed, known ? from : streams.feed.head(), {
    signal: ended.signal,
    wants: concerns(caller.who, folder),
    write,
  });
}

/** Waits while the client has much unread data, and drops it if it reads nothing for too long. */
function createWriter(streams: Streams, response: ServerResponse, inDialect: (json: string) => string) {
  const { pauseBytes, stallTimeoutMs } = streams.limits;
  return async ({ seq, json }: { readonly seq: number; readonly json: string }): Promise<void> => {
    response.write(`id: ${seq}\ndata: ${inDialect(json)}\n\n`);
    if (response.writableLength < pauseBytes) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        streams.onWarning(`A reader of /events was dropped: it read nothing for ${stallTimeoutMs} ms.`);
        response.destroy();
      }, stallTimeoutMs);
      const done = () => {
        clearTimeout(timer);
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.once('drain', done);
      response.once('close', done);
    });
  };
}
