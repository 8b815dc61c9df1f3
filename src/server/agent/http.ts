/** Requests about the agent by HTTP: who may, what the fields are, one answer each. Decides nothing itself. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { ok, type Result } from '../../lib/result.ts';
import type { CommandResult } from '../../protocol/command.ts';
import { readEitherSpelling } from '../../protocol/suggestion-spelling.ts';
import { readJson } from '../suggestions/body.ts';
import { admit } from '../suggestions/gate.ts';
import { describeProblem, resolveFolder } from '../suggestions/operations.ts';
import { ask } from '../suggestions/port.ts';
import { refuse, send } from '../suggestions/reply.ts';
import type { Streams } from '../suggestions/streams.ts';
import { encodeFailure, withIsoTimes } from './encode.ts';
import { type AgentRoute, findAgentRoute } from './routes.ts';

const STATUS = {
  invalid: 400,
  not_found: 404,
  refused: 409,
  staged: 500,
  unconfirmed: 500,
  internal: 500,
} as const;

/** Answers one request below `/api/agent`; that it comes from here was checked before. */
export async function answerAgent(
  streams: Streams,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const found = findAgentRoute(request.method ?? 'GET', url.pathname);
  if (found.kind === 'none') return refuse(request, response, { status: 404, error: 'Not found' });
  if (found.kind === 'method') {
    response.setHeader('Allow', found.allowed.join(', '));
    const error = `${request.method} is not taken here; use ${found.allowed.join(' or ')}.`;
    return refuse(request, response, { status: 405, error });
  }
  const admitted = admit(request, streams.gate);
  if (!admitted.ok) return refuse(request, response, admitted.refusal);
  const { route, id } = found;
  // It reads the user's files, asks the user's model and writes: an author gets none of that by its token.
  if (admitted.caller.who.role === 'author') {
    return refuse(request, response, { status: 403, error: 'Only the reviewer works with the agent.' });
  }
  const body =
    route.method === 'POST'
      ? await readJson(request, streams.limits.maxBodyBytes)
      : ({ ok: true, value: Object.fromEntries(url.searchParams) } as const);
  if (!body.ok) return refuse(request, response, body.refusal);
  const fields = route.fields.safeParse({ ...readEitherSpelling(body.value) }, { reportInput: true });
  if (!fields.success) {
    const error = describeProblem(fields.error);
    return send(response, 400, encodeFailure({ code: 'invalid', message: error }));
  }
  const named = route.id === null ? {} : { [route.id]: id };
  const params = { ...(fields.data as Record<string, unknown>), ...named };
  const answer = await perform(streams, route, params);
  if (!answer.ok) return send(response, STATUS[answer.error.code], encodeFailure(answer.error));
  send(response, statusOf(route, answer.value), encodeAnswer(route, answer.value));
}

async function perform(
  { host, home }: Streams,
  route: AgentRoute,
  params: Readonly<Record<string, unknown>>,
): Promise<Result<unknown>> {
  if (route.command === 'agent/create') {
    const { working_directory: folder, title } = params as { working_directory?: string; title: string };
    const root = (await resolveFolder(folder, home)) ?? home;
    return ask(host, 'agent/create', { root, title, author: null });
  }
  const result = await ask(host, route.command, params as never);
  if (!result.ok || route.command !== 'agent/sessions') return result;
  return ok({ sessions: result.value as CommandResult<'agent/sessions'> });
}

const conflictSchema = z.object({ status: z.literal('conflict') });

function statusOf(route: AgentRoute, value: unknown): number {
  return conflictSchema.safeParse(value).success ? 409 : route.status;
}

/** An answer as one object, in the names of the requests. */
function encodeAnswer(route: AgentRoute, value: unknown): object {
  const wire = withIsoTimes(value);
  if (route.command === 'agent/jobs') return { jobs: wire };
  if (route.command === 'agent/checkpoints') return { checkpoints: wire };
  if (route.command === 'agent/working') return { files: wire };
  const object = wire as Record<string, unknown>;
  if (route.command === 'agent/create') return { session_id: object.id, ...object };
  if (conflictSchema.safeParse(value).success) {
    return { success: false, error: conflictWords(object), code: 'conflict', ...object };
  }
  return object;
}

function conflictWords(answer: Readonly<Record<string, unknown>>): string {
  const [first] = Array.isArray(answer.conflicts) ? answer.conflicts : [];
  const about = first as { file_path?: string; reason?: string } | undefined;
  return `Conflict: ${about?.file_path ?? ''}: ${about?.reason ?? ''}`;
}
