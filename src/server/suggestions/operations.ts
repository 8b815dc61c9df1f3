/** Maps each operation of the suggestion protocol to host commands, and their results to answers. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fail, ok, type Result } from '../../lib/result.ts';
import type { CommandParams, CommandResult } from '../../protocol/command.ts';
import type { SuggestionSource } from '../../protocol/commands/review.ts';
import { encodeBrief, encodeHunk, encodeSuggestion } from '../../protocol/encode-suggestion.ts';
import type { Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import type { Fields, Payload, SuggestionOperation } from '../../protocol/suggestion-messages.ts';
import { forbidden, type Outcome } from './answer.ts';
import type { Caller } from './gate.ts';
import { ask, type CommandHost } from './port.ts';
import { authorOf, maySee, type Who } from './who.ts';

export interface OperationContext {
  readonly host: CommandHost;
  readonly caller: Caller;
  /** Relative folders are below it. */
  readonly home: string;
  readonly project: string | null;
}

export const suggestionOperations: {
  readonly [T in SuggestionOperation]: (
    fields: Fields<T>,
    context: OperationContext,
  ) => Promise<Outcome<Payload<T>>>;
} = {
  list: async ({ working_directory: folder }, { host, caller, home }) => {
    const listed = await listFor(host, caller.who, await resolveFolder(folder, home));
    return listed.ok ? ok({ suggestions: listed.value.map(encodeBrief) }) : listed;
  },

  get: async ({ suggestion_id: id }, { host, caller }) => {
    const shown = await visible(host, caller.who, id);
    if (!shown.ok) return shown;
    return ok({ suggestion: encodeSuggestion(shown.value, stackFor(caller.who, shown.value)) });
  },

  publish: async (fields, context) => {
    const { host, home, caller } = context;
    const source = await sourceOf(fields, context);
    if (!source.ok) return source;
    const published = await ask(host, 'review/publish', {
      target: (await resolveFolder(fields.working_directory, home)) ?? home,
      description: fields.description,
      source: source.value,
      filter: filterOf(fields),
      author: authorOf(caller.who),
      updates: fields.suggestion_id ?? null,
    });
    if (!published.ok) return published;
    return ok({ suggestion_id: published.value.id, suggestion: encodeSuggestion(published.value) });
  },

  feedback: async (fields, { host }) => {
    const { suggestion_id: suggestion, hunk_id: hunk, action, modified_diff: diff, lines = null } = fields;
    if (action === 'comment') return commentOn(fields, host);
    if (fields.file_lines !== undefined)
      return fail('invalid', 'Only a comment takes file_lines; lines are of the hunk.');
    if (action === 'modify' && diff === undefined)
      return fail('invalid', 'Missing required fields: modified_diff');
    // The host's name for all hunks, decided or not: here a decision must be undone before it is changed.
    if (hunk === 'every') return fail('not_found', `Hunk not found: ${hunk}`);
    const decided = await ask(host, 'review/decide', {
      suggestion,
      hunk,
      action,
      modified: diff === undefined ? null : { kind: 'diff', base64: Buffer.from(diff).toString('base64') },
      comment: fields.comment ?? null,
      lines,
      acceptSelfRunning: fields.accept_self_running,
      rejectUnsure: fields.reject_unsure,
      revision: fields.revision ?? null,
      onlyUndecided: true,
    });
    if (!decided.ok) return decided;
    if (decided.value.hunks.length === 0) return fail('refused', 'Every hunk is already decided.');
    const applied = action !== 'reject';
    return ok({ applied, reverted: !applied, ...encodeDecided(decided.value) });
  },

  reply: async ({ suggestion_id: suggestion, hunk_id: hunk, text, comment = null }, { host, caller }) => {
    const replied = await replyTo(host, caller.who, { suggestion, hunk, text, to: comment });
    if (!replied.ok) return replied;
    const { revision } = replied.value;
    return ok({ suggestion_id: suggestion, revision, hunk: encodeHunk(replied.value.hunk) });
  },

  undo: async (fields, { host }) => afterwards(await ask(host, 'review/undo', refOf(fields))),
  redo: async (fields, { host }) => afterwards(await ask(host, 'review/redo', refOf(fields))),
  split: async (fields, { host }) =>
    afterwards(await ask(host, 'review/split', { ...refOf(fields), ...fields.lines })),
  join: async (fields, { host }) => afterwards(await ask(host, 'review/join', refOf(fields))),

  complete: async ({ suggestion_id: id, action }, { host, caller }) => {
    const isAuthor = caller.who.role === 'author';
    if (isAuthor && action === 'finalize')
      return forbidden('Only the reviewer finalizes. Authors may discard.');
    const shown = isAuthor ? await visible(host, caller.who, id) : ok(undefined);
    if (!shown.ok) return shown;
    // An author withdraws its suggestion and keeps its work; a reviewer rejects it.
    const sandbox = action === 'discard' && !isAuthor ? 'revert' : 'keep';
    const ended = await ask(host, 'review/finish', { suggestion: id, how: action, sandbox });
    if (!ended.ok) return ended;
    const done = action === 'finalize' ? 'finalized' : 'discarded';
    return ok({ suggestion_id: id, action: done, ...notesOf(ended.value.notes) });
  },

  reopen: async ({ suggestion_id: suggestion }, { host }) => {
    const reopened = await ask(host, 'review/reopen', { suggestion });
    if (!reopened.ok) return reopened;
    return ok({ suggestion_id: suggestion, suggestion: encodeBrief(reopened.value) });
  },

  status: async (fields, { host, caller }) => {
    const id = fields.suggestion_id;
    const shown = id === undefined ? ok(undefined) : await visible(host, caller.who, id);
    if (!shown.ok) return shown;
    const sent = await ask(host, 'review/report', {
      message: fields.message,
      status: fields.status,
      error: fields.error_code ?? null,
      suggestion: id ?? null,
      hunk: fields.hunk_id ?? null,
      author: authorOf(caller.who),
    });
    return sent.ok ? ok({ sent: true }) : sent;
  },
};

const refOf = (fields: Fields<'undo'>) => ({ suggestion: fields.suggestion_id, hunk: fields.hunk_id });

const notesOf = (notes: string[]) => (notes.length === 0 ? {} : { notes });

function encodeDecided({ suggestion, hunks, notes }: CommandResult<'review/decide'>): Payload<'undo'> {
  return {
    suggestion_id: suggestion.id,
    status: suggestion.status,
    revision: suggestion.revision,
    remaining_hunks: suggestion.hunkCount - suggestion.decidedCount,
    hunks: hunks.map(encodeHunk),
    ...notesOf(notes),
  };
}

function afterwards(decided: Result<CommandResult<'review/decide'>>): Result<Payload<'undo'>> {
  return decided.ok ? ok(encodeDecided(decided.value)) : decided;
}

/** Selects the part of a change to publish. */
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

/** Only the user may have a file of this machine read, and a patch is never read by name. */
async function sourceOf(
  { patch, patch_encoding: encoding, source_directory: folder }: Fields<'publish'>,
  { caller, home }: OperationContext,
): Promise<Outcome<SuggestionSource>> {
  if (patch !== undefined && folder !== undefined) {
    return fail('invalid', 'Give either patch or source_directory, not both.');
  }
  if (patch !== undefined) {
    return ok({
      kind: 'patch',
      patch: encoding === 'base64' ? patch : Buffer.from(patch).toString('base64'),
      foreign: caller.who.role === 'author' && !caller.isLocal,
    });
  }
  if (folder === undefined) return fail('invalid', 'Missing required fields: patch');
  if (!caller.isLocal)
    return forbidden('No folder is read for a client on the network. Send the change as a patch.');
  return ok({ kind: 'sandbox', folder: (await resolveFolder(folder, home)) ?? home });
}

/** States of a hunk whose change is in the file. */
const IN_FILE: ReadonlySet<string> = new Set(['accepted', 'modified', 'already_applied']);

async function commentOn(
  { suggestion_id: suggestion, hunk_id: hunk, comment = '', lines, file_lines }: Fields<'feedback'>,
  host: CommandHost,
): Promise<Result<Payload<'feedback'>>> {
  if (comment.trim() === '') return fail('invalid', 'Missing required fields: comment');
  if (lines !== undefined && file_lines !== undefined)
    return fail('invalid', 'Give either lines or file_lines, not both.');
  const about = file_lines === undefined ? (lines ?? null) : { ...file_lines, ofFile: true as const };
  const commented = await ask(host, 'review/comment', { suggestion, hunk, comment, lines: about });
  if (!commented.ok) return commented;
  const { hunks, suggestion: after } = commented.value;
  const isIn = hunks.some(({ status }) => IN_FILE.has(status) || (after.inPlace && status === 'pending'));
  return ok({ applied: isIn, ...encodeDecided(commented.value) });
}

/** The author's reply to a comment on a suggestion of its own. */
export async function replyTo(
  host: CommandHost,
  who: Who,
  reply: CommandParams<'review/reply'>,
): Promise<Result<CommandResult<'review/reply'>>> {
  const shown = await visible(host, who, reply.suggestion);
  return shown.ok ? ask(host, 'review/reply', reply) : shown;
}

/** The suggestions that a client may see: an author only its own. */
export async function listFor(
  host: CommandHost,
  who: Who,
  folder: string | null,
): Promise<Result<SuggestionSummary[]>> {
  const listed = await ask(host, 'review/list', { target: folder, ended: false });
  return listed.ok ? ok(listed.value.filter(({ author }) => maySee(who, author))) : listed;
}

/** A suggestion that this client may see. For an author, those of others do not exist. */
export async function visible(host: CommandHost, who: Who, id: string): Promise<Result<Suggestion>> {
  const shown = await ask(host, 'review/show', { suggestion: id });
  if (!shown.ok || maySee(who, shown.value.author)) return shown;
  return fail('not_found', `Suggestion not found: ${id}`);
}

/** Those of the suggestions about the same files that this client may see. */
export const stackFor = (who: Who, { stack = [] }: Suggestion) =>
  stack.filter(({ author }) => maySee(who, author));

/** A folder's resolved absolute path, as the review has it; null for none. */
export async function resolveFolder(folder: string | undefined, home: string): Promise<string | null> {
  if (folder === undefined || folder.trim() === '') return null;
  const absolute = path.resolve(home, folder);
  try {
    return await realpath(absolute);
  } catch {
    // It may be deleted or unreadable; suggestions for it still have its name.
    return absolute;
  }
}
