/** Requests by HTTP: checks, one answer each, and the stream of events as SSE. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bothSpellings, readEitherSpelling } from '../../protocol/suggestion-spelling.ts';
import { answerAgent } from '../agent/http.ts';
import { isAgentPath } from '../agent/routes.ts';
import { readJson, refuseByHeaders } from './body.ts';
import { admit, type Caller, checkOrigin } from './gate.ts';
import { perform, resolveFolder } from './operations.ts';
import { refuse, requestUrl, send } from './reply.ts';
import { findRoute, type Target } from './routes.ts';
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
  if (isAgentPath(url.pathname)) return answerAgent(streams, request, response, url);
  const found = findRoute(request.method ?? 'GET', url.pathname);
  if (found.kind === 'none') return refuse(request, response, { status: 404, error: 'Not found' });
  if (found.kind === 'method') {
    response.setHeader('Allow', found.allowed.join(', '));
    const error = `${request.method} is not taken here; use ${found.allowed.join(' or ')}.`;
    return refuse(request, response, { status: 405, error });
  }
  if (found.target.kind === 'health') {
    const health = { healthy: true, service: 'suggestion-manager', ws_clients: streams.count };
    return send(response, 200, bothSpellings(health));
  }
  const admitted = admit(request, streams.gate);
  if (!admitted.ok) return refuse(request, response, admitted.refusal);
  await serveTarget(streams, { request, response, url, id: found.id, caller: admitted.caller }, found.target);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly id: string | null;
  readonly caller: Caller;
}

async function serveTarget(streams: Streams, exchange: Exchange, target: Target): Promise<void> {
  const { request, response, url, id, caller } = exchange;
  const query = readEitherSpelling(Object.fromEntries(url.searchParams));
  switch (target.kind) {
    case 'health':
      return;
    case 'socket':
      return refuse(request, response, { status: 426, error: 'Ask for an upgrade to a WebSocket.' });
    case 'mcp':
      return (await streams.mcp).answer(request, response, caller);
    case 'events': {
      const folder = await resolveFolder(textOf(query.working_directory), streams.home);
      if (request.method === 'HEAD') return describeEvents(response);
      const since = request.headers['last-event-id'] ?? query.since;
      return serveEvents(streams, response, { caller, folder, since: textOf(since) });
    }
    case 'operation': {
      const { host, home, limits } = streams;
      const isPost = request.method === 'POST';
      const body = isPost
        ? await readJson(request, limits.maxBodyBytes)
        : ({ ok: true, value: query } as const);
      if (!body.ok) return refuse(request, response, body.refusal);
      const fields = id === null ? body.value : { ...body.value, suggestion_id: id };
      const answer = await perform(target.name, fields, { host, home, caller });
      if (!answer.ok) return send(response, answer.status, { success: false, error: answer.error });
      // One suggestion stands at the top level, as in the original protocol.
      const { suggestion, ...rest } = answer.payload;
      const isGet = target.name === 'get' && typeof suggestion === 'object';
      send(
        response,
        target.name === 'publish' ? 201 : 200,
        isGet ? { ...rest, ...suggestion } : answer.payload,
      );
    }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `Expect: 100-continue`: says no before the body is sent. */
export function refuseBeforeBody(
  streams: Streams,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const refusal = checkOrigin(request, streams.gate) ?? refuseByHeaders(request, streams.limits.maxBodyBytes);
  if (refusal !== null) refuse(request, response, refusal);
  return refusal !== null;
}
