/** Answers to one request, as JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './access.ts';

/** How long a refused body is read and dropped, so that its sender can read the reason. */
const LINGER_MS = 2_000;

/** Seconds after which a client that reached a limit may try again. */
export const RETRY_AFTER_S = 30;

/** Path and query; always a path on this server, never the name of another one. */
export function requestUrl(request: IncomingMessage): URL {
  const target = request.url ?? '/';
  return new URL(`http://localhost${target.startsWith('/') ? '' : '/'}${target}`);
}

/** Refuses the request, and drops what the client still sends. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, error, isCutOff }: Refusal,
): void {
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (!request.complete && request.method !== 'GET') {
    response.setHeader('Connection', 'close');
    const end = () => request.socket.destroy();
    if (isCutOff) response.once('finish', end);
    else {
      request.resume();
      setTimeout(end, LINGER_MS).unref();
    }
  }
  send(response, status, { success: false, error });
}

/** One JSON answer, without CORS headers: no web page may read it. */
export function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.destroyed) return;
  if (status === 429 || status === 503) response.setHeader('Retry-After', RETRY_AFTER_S);
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}
