/** HTTP requests: checks, one answer each, and the event stream as SSE. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { VERSION } from '../../lib/version.ts';
import type { Operation } from '../../protocol/operations.ts';
import { readJson, refuseByHeaders } from './body.ts';
import { answerFront, FRONT_PATH } from './front.ts';
import { admit, type Caller, checkOrigin } from './gate.ts';
import { resolveFolder } from './operations.ts';
import { readEitherSpelling, toOriginal } from './original.ts';
import { perform } from './perform.ts';
import { refuse, requestUrl, send } from './reply.ts';
import { findRoute, type Target } from './router.ts';
import { describeEvents, serveEvents } from './sse.ts';
import type { Streams } from './streams.ts';

/** Answers one request. */
export async function answerRequest(
  streams: Streams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const foreign = checkOrigin(request, streams.gate);
  if (foreign !== null) return refuse(request, response, foreign);
  const url = requestUrl(request);
  if (streams.runFront !== null && url.pathname === FRONT_PATH)
    return answerFront(streams, streams.runFront, request, response);
  const found = findRoute(request.method ?? 'GET', url.pathname);
  if (found.kind === 'none') return refuse(request, response, { status: 404, error: 'Not found' });
  if (found.kind === 'method') {
    response.setHeader('Allow', found.allowed.join(', '));
    const error = `${request.method} is not supported here; use ${found.allowed.join(' or ')}.`;
    return refuse(request, response, { status: 405, error });
  }
  if (found.target.kind === 'health') return send(response, 200, healthOf(streams));
  const admitted = admit(request, url, streams.gate);
  if (!admitted.ok) return refuse(request, response, admitted.refusal);
  const { caller } = admitted;
  const exchange = { request, response, url, named: found.named, caller };
  if (found.target.kind === 'operation') return serveOperation(streams, exchange, found.target.operation);
  await serveOther(streams, exchange, found.target);
}

/** Open to everyone: only what a program needs to find the server. */
const healthOf = (streams: Streams) => ({
  healthy: true,
  service: 'suggestion-manager',
  version: VERSION,
  state: 'leading',
  ws_clients: streams.count,
});

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** The fields in the path. */
  readonly named: Readonly<Record<string, string>>;
  readonly caller: Caller;
}

/** Routes that are not commands. */
async function serveOther(
  streams: Streams,
  { request, response, url, caller }: Exchange,
  target: Exclude<Target, { readonly kind: 'operation' }>,
): Promise<void> {
  switch (target.kind) {
    case 'health':
      return;
    case 'socket':
      return refuse(request, response, { status: 426, error: 'Ask for an upgrade to a WebSocket.' });
    case 'mcp':
      return (await streams.mcp).answer(request, response, caller);
    case 'events': {
      const query = readEitherSpelling(Object.fromEntries(url.searchParams));
      const folder = await resolveFolder(textOf(query.working_directory), streams.home);
      if (request.method === 'HEAD') return describeEvents(response);
      const since = request.headers['last-event-id'] ?? query.since;
      return serveEvents(streams, response, { caller, folder, since: textOf(since) });
    }
  }
}

async function serveOperation(
  { host, home, project, bodies }: Streams,
  { request, response, url, named, caller }: Exchange,
  operation: Operation,
): Promise<void> {
  const body =
    operation.method === 'POST'
      ? await readJson(request, bodies)
      : ({ ok: true, value: readQuery(url, operation.fields) } as const);
  if (!body.ok) return refuse(request, response, body.refusal);
  const answer = await perform(operation, { ...body.value, ...named }, { host, home, project, caller });
  // Serializing a long answer takes as long as making it.
  await setImmediate();
  if (!caller.isOriginal) return send(response, answer.status, answer.body);
  // The original protocol has one suggestion at the top level.
  const { suggestion, ...rest } = toOriginal(answer.body);
  const isGet = operation.name === 'get' && typeof suggestion === 'object';
  send(response, answer.status, isGet ? { ...rest, ...suggestion } : toOriginal(answer.body));
}

/** The fields of a query: numbers and booleans are text there. */
function readQuery(url: URL, fields: z.ZodObject): Record<string, unknown> {
  const query = readEitherSpelling(Object.fromEntries(url.searchParams));
  for (const [name, value] of Object.entries(query)) {
    const schema = innermost(fields.shape[name]);
    if (schema instanceof z.ZodNumber) query[name] = value === '' ? value : Number(value);
    if (schema instanceof z.ZodBoolean && /^(true|false)$/.test(String(value)))
      query[name] = value === 'true';
  }
  return query;
}

/** The type inside a default, an optional or a nullable. */
function innermost(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapped ? innermost(schema.unwrap()) : schema;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** `Expect: 100-continue`: refuses before the body is sent. */
export function refuseBeforeBody(
  streams: Streams,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { gate, limits } = streams;
  const admitted = admit(request, requestUrl(request), gate);
  const refusal =
    checkOrigin(request, gate) ??
    (admitted.ok ? refuseByHeaders(request, limits.maxBodyBytes) : admitted.refusal);
  if (refusal !== null) refuse(request, response, refusal);
  return refusal !== null;
}
