/**
 * What a client may ask for, whatever it speaks: one entry an operation, with its fields, who may use it and what
 * it does. Transports only carry it.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { CommandParams, CommandResult } from '../../protocol/command.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import type { Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { bothSpellings, readEitherSpelling } from '../../protocol/suggestion-spelling.ts';
import { type RequestType, requestSchemas } from '../../protocol/suggestion-wire.ts';
import { encodeBrief, encodeFull, encodeHunk } from './encode.ts';
import type { Caller } from './gate.ts';
import { ask, type CommandHost } from './port.ts';
import { authorOf, maySee, type Who } from './who.ts';

export interface OperationContext {
  readonly host: CommandHost;
  readonly caller: Caller;
  /** Relative folders are below it. */
  readonly home: string;
}

type Payload = Readonly<Record<string, unknown>>;
type Fields<T extends RequestType> = z.output<(typeof requestSchemas)[T]>;

/** An answer, or why there is none. `forbidden` is told apart from a refusal of the review. */
export type Answer =
  | { readonly ok: true; readonly payload: Payload }
  | { readonly ok: false; readonly status: number; readonly error: string };

/** All but `subscribe`, which belongs to a connection. */
export type OperationName = Exclude<RequestType, 'subscribe'>;

type Operation<T extends OperationName> = (
  fields: Fields<T>,
  context: OperationContext,
) => Promise<Result<Payload> | Forbidden>;

interface Forbidden {
  readonly forbidden: string;
}

/** What the author of the changes may not do: decide on them. */
const REVIEWERS_ONLY: ReadonlySet<OperationName> = new Set(['feedback', 'undo']);

const operations: { readonly [T in OperationName]: Operation<T> } = {
  list: async ({ working_directory: folder }, context) => {
    const { host, caller, home } = context;
    const listed = await listFor(host, caller.who, await resolveFolder(folder, home));
    return listed.ok ? ok({ suggestions: listed.value.map(encodeBrief) }) : listed;
  },

  get: async ({ suggestion_id: id }, context) => {
    const shown = await visible(context.host, context.caller.who, id);
    return shown.ok ? ok({ suggestion: encodeFull(shown.value) }) : shown;
  },

  publish: async (fields, context) => {
    const { host, home, caller } = context;
    const source = await sourceOf(fields, context);
    if (!source.ok) return 'forbidden' in source ? { forbidden: source.forbidden } : source;
    const published = await ask(host, 'review/publish', {
      target: (await resolveFolder(fields.working_directory, home)) ?? home,
      description: fields.description,
      source: source.value,
      filter: filterOf(fields),
      author: authorOf(caller.who),
    });
    if (!published.ok) return published;
    const { id, hunkCount, files } = published.value;
    const suggestion = encodeFull(published.value);
    return ok({ suggestion_id: id, hunk_count: hunkCount, files, suggestion });
  },

  feedback: async (fields, { host }) => {
    const { suggestion_id: suggestion, hunk_id: hunk, action, modified_diff: diff, lines = null } = fields;
    if (action === 'comment') return commentOn(fields, host);
    if (action === 'modify' && diff === undefined)
      return fail('invalid', 'Missing required fields: modified_diff');
    // The host's word for all hunks, decided or not: here a decision is taken back before it is made anew.
    if (hunk === 'every') return fail('not_found', `Hunk not found: ${hunk}`);
    const decided = await ask(host, 'review/decide', {
      suggestion,
      hunk,
      action,
      modified: diff === undefined ? null : { kind: 'diff', base64: Buffer.from(diff).toString('base64') },
      comment: fields.comment ?? null,
      lines,
      revision: fields.revision ?? null,
      onlyUndecided: true,
    });
    if (!decided.ok) return decided;
    if (decided.value.hunks.length === 0) return fail('refused', 'Every hunk is decided already.');
    const applied = action !== 'reject';
    return ok({ applied, reverted: !applied, ...afterwards(decided.value) });
  },

  undo: async ({ suggestion_id: suggestion, hunk_id: hunk }, { host }) => {
    const undone = await ask(host, 'review/undo', { suggestion, hunk });
    return undone.ok ? ok(afterwards(undone.value)) : undone;
  },

  complete: async ({ suggestion_id: id, action }, context) => {
    if (context.caller.who.role === 'author') {
      if (action === 'finalize') return { forbidden: 'Only the reviewer finalizes. Authors may discard.' };
      const shown = await visible(context.host, context.caller.who, id);
      if (!shown.ok) return shown;
    }
    // An author takes its offer back and goes on with its work; a reviewer does not want it.
    const isUnwanted = action === 'discard' && context.caller.who.role === 'reviewer';
    const sandbox = isUnwanted ? 'revert' : 'keep';
    const ended = await ask(context.host, 'review/finish', { suggestion: id, how: action, sandbox });
    if (!ended.ok) return ended;
    const done = action === 'finalize' ? 'finalized' : 'discarded';
    return ok({ suggestion_id: id, action: done, notes: ended.value.notes });
  },

  status: async (fields, context) => {
    const id = fields.suggestion_id;
    if (id !== undefined) {
      const shown = await visible(context.host, context.caller.who, id);
      if (!shown.ok) return shown;
    }
    const sent = await ask(context.host, 'review/report', {
      message: fields.message,
      status: fields.status,
      error: fields.error_code ?? null,
      suggestion: id ?? null,
      hunk: fields.hunk_id ?? null,
      author: authorOf(context.caller.who),
    });
    return sent.ok ? ok({ sent: true }) : sent;
  },
};

function afterwards({ suggestion: summary, hunks, notes }: CommandResult<'review/decide'>): Payload {
  return {
    notes,
    suggestion_id: summary.id,
    remaining_hunks: summary.hunkCount - summary.decidedCount,
    revision: summary.revision,
    status: summary.status,
    hunks: hunks.map((hunk) => encodeHunk(summary.id, hunk)),
  };
}

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** Reads the fields of `message` in either spelling, and does what it asks for. */
export async function perform(
  name: OperationName,
  message: Payload,
  context: OperationContext,
): Promise<Answer> {
  if (context.caller.who.role === 'author' && REVIEWERS_ONLY.has(name)) {
    return { ok: false, status: 403, error: 'Only the reviewer decides.' };
  }
  const fields = requestSchemas[name].safeParse(readEitherSpelling(message), { reportInput: true });
  if (!fields.success) return { ok: false, status: 400, error: describeProblem(fields.error) };
  // The table pairs each operation with its own schema; the compiler cannot follow the pair through a union.
  const operation = operations[name] as Operation<OperationName>;
  const done = await operation(fields.data as never, context);
  if ('forbidden' in done) return { ok: false, status: 403, error: done.forbidden };
  if (done.ok) return { ok: true, payload: bothSpellings({ success: true, ...done.value }) };
  return { ok: false, status: STATUS[done.error.code], error: done.error.message };
}

const STATUS = {
  invalid: 400,
  not_found: 404,
  refused: 409,
  staged: 500,
  unconfirmed: 500,
  internal: 500,
} as const;

const ORS = new Intl.ListFormat('en', { type: 'disjunction' });

/** Names the fields that are missing, or the first one that is wrong. Wants issues that carry their input. */
export function describeProblem(error: z.ZodError): string {
  const name = (issue: z.core.$ZodIssue) => issue.path.map(String).join('.');
  const missing = error.issues.filter(isMissing);
  if (missing.length > 0) return `Missing required fields: ${missing.map(name).join(', ')}`;
  const [issue] = error.issues;
  if (issue === undefined) return 'Bad request';
  if (issue.code === 'invalid_value') {
    return `Invalid ${name(issue)}. Must be: ${ORS.format(issue.values.map(String))}`;
  }
  return `Invalid ${name(issue)}: ${issue.message}`;
}

/** An empty text is a missing one, as in the original protocol. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'too_small') return issue.origin === 'string';
  return (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined;
}

/** Which part of a change is published. */
export function filterOf(
  fields: Pick<Fields<'publish'>, 'files' | 'exclude_files' | 'line_ranges' | 'hunk_descriptions'>,
): CommandParams<'review/publish'>['filter'] {
  return {
    files: fields.files,
    exclude: fields.exclude_files,
    lines: fields.line_ranges.map(({ file, start_line: first, end_line: last }) => ({ file, first, last })),
    notes: fields.hunk_descriptions,
  };
}

/** A file of this machine is read for its own user alone, and never a patch by its name. */
async function sourceOf(
  { patch, patch_encoding: encoding, source_directory: folder }: Fields<'publish'>,
  { caller, home }: OperationContext,
): Promise<Result<SuggestionSource> | (Forbidden & { readonly ok: false })> {
  if (patch !== undefined && folder !== undefined) {
    return fail('invalid', 'Give either patch or source_directory, not both.');
  }
  if (patch !== undefined) {
    return ok({
      kind: 'patch',
      patch: encoding === 'base64' ? patch : Buffer.from(patch).toString('base64'),
    });
  }
  if (folder === undefined) return fail('invalid', 'Missing required fields: patch');
  if (!caller.isLocal) {
    return {
      ok: false,
      forbidden: 'By the network no folder is read from here. Send the change as a patch.',
    };
  }
  return ok({ kind: 'sandbox', folder: (await resolveFolder(folder, home)) ?? home });
}

async function commentOn(
  { suggestion_id: suggestion, hunk_id: hunk, comment = '', lines }: Fields<'feedback'>,
  host: CommandHost,
): Promise<Result<Payload>> {
  if (comment.trim() === '') return fail('invalid', 'Missing required fields: comment');
  const commented = await ask(host, 'review/comment', { suggestion, hunk, comment, lines: lines ?? null });
  if (!commented.ok) return commented;
  const done = encodeHunk(suggestion, commented.value);
  return ok(bothSpellings({ suggestion_id: suggestion, hunk_id: hunk, applied: false, hunk: done }));
}

/** What a client sees in a list: an author its own. */
export async function listFor(
  host: CommandHost,
  who: Who,
  folder: string | null,
): Promise<Result<SuggestionSummary[]>> {
  const listed = await ask(host, 'review/list', { target: folder, ended: false });
  return listed.ok ? ok(listed.value.filter(({ author }) => maySee(who, author))) : listed;
}

/** A suggestion that this client may see. To an author, that of another is not there. */
export async function visible(host: CommandHost, who: Who, id: string): Promise<Result<Suggestion>> {
  const shown = await ask(host, 'review/show', { suggestion: id });
  if (!shown.ok || maySee(who, shown.value.author)) return shown;
  return fail('not_found', `Suggestion not found: ${id}`);
}

/** A folder as the review knows it: absolute and without links; null for none. */
export async function resolveFolder(folder: string | undefined, home: string): Promise<string | null> {
  if (folder === undefined || folder.trim() === '') return null;
  const absolute = path.resolve(home, folder);
  try {
    return await realpath(absolute);
  } catch {
    // It may be gone, or not ours to read; what was published for it still has its name.
    return absolute;
  }
}
