/** Paths of the agent's HTTP interface, as data: what each asks of the host. */
import * as z from 'zod';
import { contextRowSchema } from '../../protocol/agent.ts';
import { agentCommands } from '../../protocol/commands/agent.ts';

export type AgentCommandName = keyof typeof agentCommands;

/** What `:id` is in a path. */
export type AgentSubject = 'none' | 'session' | 'job' | 'checkpoint';

export interface AgentRoute {
  readonly method: 'GET' | 'POST';
  /** `:id` stands for one segment. */
  readonly path: string;
  readonly command: AgentCommandName;
  /** The field that `:id` is; null for a path without one. */
  readonly id: 'session_id' | 'job_id' | 'checkpoint_id' | null;
  readonly subject: AgentSubject;
  /** Fields of the body, or of the query. Further ones are ignored. */
  readonly fields: z.ZodType;
  readonly status: number;
  readonly summary: string;
}

const PREFIX = '/api/agent';

/** The fields of a command; unknown ones are ignored, `without` come from elsewhere. */
function fieldsOf(command: AgentCommandName, ...without: readonly string[]): z.ZodObject {
  const shape: Record<string, z.ZodType> = { ...agentCommands[command].params.shape };
  for (const name of without) delete shape[name];
  if (shape.context_rows !== undefined) {
    shape.context_rows = z.array(z.object(contextRowSchema.shape)).max(200).default([]);
  }
  return z.object(shape);
}

const create = z.object({
  working_directory: z
    .string()
    .max(4096)
    .optional()
    .describe('The project folder, absolute or relative to the home folder; left out: the home folder.'),
  title: z.string().max(500).default(''),
});
const number = (schema: z.ZodType) =>
  z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), schema);
const events = z.object({
  cursor: number(z.int().min(0).default(0)).describe('Only events strictly after this one.'),
  limit: number(z.int().min(1).max(1000).default(500)),
});
const stream = z.object({
  from: number(z.int().min(0).default(0)).describe('Characters that are known already.'),
  wait_ms: number(z.int().min(0).max(10_000).default(0)),
});

type Given = Omit<AgentRoute, 'path' | 'id' | 'status'> & { readonly path: string } & Partial<AgentRoute>;
const ID_OF = { session: 'session_id', job: 'job_id', checkpoint: 'checkpoint_id', none: null } as const;

function route(given: Given): AgentRoute {
  const id = given.path.includes(':id') ? ID_OF[given.subject] : null;
  return { status: 200, ...given, id, path: `${PREFIX}${given.path}` };
}

/** The order is the order of the documentation. */
export const AGENT_ROUTES: readonly AgentRoute[] = [
  route({
    method: 'POST',
    path: '/sessions',
    command: 'agent/create',
    subject: 'none',
    fields: create,
    status: 201,
    summary: 'Begins a session for a project folder.',
  }),
  route({
    method: 'GET',
    path: '/sessions',
    command: 'agent/sessions',
    subject: 'none',
    fields: z.object({}),
    summary: 'Sessions that are not archived.',
  }),
  route({
    method: 'GET',
    path: '/sessions/:id',
    command: 'agent/session',
    subject: 'session',
    fields: z.object({}),
    summary: 'A session: chat, context rows, what waits for a review.',
  }),
  route({
    method: 'POST',
    path: '/sessions/:id/archive',
    command: 'agent/archive',
    subject: 'session',
    fields: z.object({}),
    summary: 'Puts a session away.',
  }),
  route({
    method: 'POST',
    path: '/sessions/:id/context',
    command: 'agent/context',
    subject: 'session',
    fields: fieldsOf('agent/context', 'session_id'),
    summary: 'Replaces the context rows that stay.',
  }),
  route({
    method: 'GET',
    path: '/sessions/:id/checkpoints',
    command: 'agent/checkpoints',
    subject: 'session',
    fields: z.object({}),
    summary: 'Checkpoints of a session, the newest first.',
  }),
  route({
    method: 'GET',
    path: '/sessions/:id/working',
    command: 'agent/working',
    subject: 'session',
    fields: z.object({ file_path: z.string().max(4096).nullable().default(null) }),
    summary: 'Working texts that are not on disk; with file_path that one, with its text.',
  }),
  route({
    method: 'POST',
    path: '/run',
    command: 'agent/run',
    subject: 'session',
    fields: fieldsOf('agent/run'),
    status: 202,
    summary: 'Starts a job in the background.',
  }),
  route({
    method: 'GET',
    path: '/jobs',
    command: 'agent/jobs',
    subject: 'session',
    fields: z.object({ session_id: z.string().max(200) }),
    summary: 'Jobs of a session, the newest first.',
  }),
  route({
    method: 'GET',
    path: '/jobs/:id',
    command: 'agent/job',
    subject: 'job',
    fields: z.object({}),
    summary: 'A job; with its diff bundle once it proposes something.',
  }),
  route({
    method: 'GET',
    path: '/jobs/:id/events',
    command: 'agent/events',
    subject: 'job',
    fields: events,
    summary: 'Events of a job after a cursor.',
  }),
  route({
    method: 'GET',
    path: '/jobs/:id/stream',
    command: 'agent/stream',
    subject: 'job',
    fields: stream,
    summary: 'What the model is just saying.',
  }),
  route({
    method: 'POST',
    path: '/jobs/:id/clarify',
    command: 'agent/clarify',
    subject: 'job',
    fields: fieldsOf('agent/clarify', 'job_id'),
    summary: "Answers a job's question, or skips it.",
  }),
  route({
    method: 'POST',
    path: '/jobs/:id/cancel',
    command: 'agent/cancel',
    subject: 'job',
    fields: z.object({}),
    summary: 'Ends a job; it has failed then, with the code cancelled.',
  }),
  route({
    method: 'POST',
    path: '/jobs/:id/rerun',
    command: 'agent/rerun',
    subject: 'job',
    fields: z.object({}),
    status: 202,
    summary: 'Runs the same instruction with the files as they are now.',
  }),
  route({
    method: 'POST',
    path: '/apply',
    command: 'agent/apply',
    subject: 'session',
    fields: fieldsOf('agent/apply'),
    summary: 'Takes the named hunks, rejects the others, and writes the files.',
  }),
  route({
    method: 'POST',
    path: '/save',
    command: 'agent/save',
    subject: 'session',
    fields: fieldsOf('agent/save'),
    summary: 'Writes what is decided.',
  }),
  route({
    method: 'POST',
    path: '/edit',
    command: 'agent/edit',
    subject: 'session',
    fields: fieldsOf('agent/edit'),
    summary: "Makes a working text the user's own.",
  }),
  route({
    method: 'POST',
    path: '/merge',
    command: 'agent/merge',
    subject: 'session',
    fields: fieldsOf('agent/merge'),
    summary: "Takes what the disk has now as the user's edits.",
  }),
  route({
    method: 'GET',
    path: '/checkpoints/:id',
    command: 'agent/checkpoint',
    subject: 'checkpoint',
    fields: z.object({}),
    summary: 'A checkpoint.',
  }),
  route({
    method: 'GET',
    path: '/checkpoints/:id/diff3',
    command: 'agent/diff3',
    subject: 'checkpoint',
    fields: fieldsOf('agent/diff3', 'checkpoint_id'),
    summary: 'The three texts of a file: now, before the run, as proposed.',
  }),
  route({
    method: 'POST',
    path: '/checkpoints/:id/rollback',
    command: 'agent/rollback',
    subject: 'checkpoint',
    fields: fieldsOf('agent/rollback', 'checkpoint_id'),
    summary: 'Takes a run back in the working texts, or previews that.',
  }),
];

export type FoundRoute =
  | { readonly kind: 'found'; readonly route: AgentRoute; readonly id: string | null }
  | { readonly kind: 'method'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

/** Whether a path is the agent's at all. */
export function isAgentPath(pathname: string): boolean {
  return pathname.startsWith(`${PREFIX}/`);
}

/** What a request is for. */
export function findAgentRoute(method: string, pathname: string): FoundRoute {
  const matching = AGENT_ROUTES.flatMap((one) => {
    const id = matchPath(one.path, pathname);
    return id === false ? [] : [{ route: one, id }];
  });
  const hit = matching.find((one) => one.route.method === method);
  if (hit !== undefined) return { kind: 'found', ...hit };
  if (matching.length === 0) return { kind: 'none' };
  return { kind: 'method', allowed: matching.map((one) => one.route.method) };
}

/** The segment that `:id` stands for, null for a path without one, false for no match. */
function matchPath(pattern: string, pathname: string): string | null | false {
  const wanted = pattern.split('/');
  const given = pathname.split('/');
  if (wanted.length !== given.length) return false;
  let id: string | null = null;
  for (const [i, part] of wanted.entries()) {
    const found = given[i] ?? '';
    if (part !== ':id') {
      if (part !== found) return false;
    } else if (found === '') return false;
    else id = decoded(found);
  }
  return id;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A stray percent sign: no such id.
    return segment;
  }
}
