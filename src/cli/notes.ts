/** `copane notes`, for editors: takes a buffer as JSON; returns its notes, or the edits of a pull or clear. No host. */
import { Argument, type Command } from 'commander';
import type * as z from 'zod';
import { loadConfig } from '../app/config/load-config.ts';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { copanePaths } from '../platform/paths.ts';
import { invalidInput } from '../protocol/invalid.ts';
import {
  type NotesAnswer,
  type NotesRequest,
  notesClearRequestSchema,
  notesPullRequestSchema,
  notesRequestSchema,
} from '../protocol/notes.ts';
import { clearBuffer, pullIntoBuffer } from '../responses/core/buffer.ts';
import { type ComposedMessage, composeMessage } from '../responses/core/compose.ts';
import { extractNotes, type NoteItem } from '../responses/core/notes.ts';
import { type CliContext, reported, subcommand, unwrap } from './cli-context.ts';
import { JSON_OPTION, readInput } from './options.ts';

type Verb = 'send' | 'pull' | 'clear';

export function command(context: CliContext): Command {
  return subcommand('notes', context)
    .description(
      'for editors: read a buffer as JSON from stdin, tell your notes from the response lines in it\n\nExit code: 0 done · 2 bad input · 3 nothing to send, or something must be decided first',
    )
    .addArgument(
      new Argument('[what]', 'send: what would go out · pull, clear: how the buffer changes')
        .choices(['send', 'pull', 'clear'])
        .default('send'),
    )
    .option(...JSON_OPTION)
    .action((what: Verb) => notes(context, what));
}

async function notes(context: CliContext, what: Verb): Promise<void> {
  const input = unwrap(context, await readInput('-', context));
  if (what === 'send') {
    const request = unwrap(context, parse(input, notesRequestSchema));
    return say(context, request);
  }
  const edits =
    what === 'pull'
      ? mapOk(parse(input, notesPullRequestSchema), (request) => pullIntoBuffer(request, request))
      : mapOk(parse(input, notesClearRequestSchema), clearBuffer);
  context.out(`${JSON.stringify(unwrap(context, edits))}\n`);
}

/** Prints only the message, or with `--json` everything about it. */
function say(context: CliContext, request: NotesRequest): void {
  const { config } = loadConfig(copanePaths(context.env).configFile, context.env);
  const { pulls, range, context: noteContext = config.note_context } = request;
  const chosen = request.chosen === null ? null : new Set(request.chosen);
  const items = extractNotes(request.lines, pulls).items.filter(
    ({ line }) => range === null || (line >= range.first && line <= range.last),
  );
  const message = composeMessage(items, { context: noteContext, pulls, chosen });
  if (context.json) {
    const undecided = items.filter((item) => item.kind !== 'note' && item.text.trim() !== '');
    const answer: NotesAnswer = {
      items: [...items],
      undecided: undecided.map(({ line }) => line),
      going: goingLines(items, chosen, message),
      ...sizeOf(message),
      context: noteContext,
      clearOnSend: config.clear_on_send,
      error: message.ok ? null : message.error,
    };
    context.out(`${JSON.stringify(answer)}\n`);
  }
  // The answer above already has the failure.
  if (!message.ok) throw reported(context, message.error);
  if (!context.json) context.out(`${message.value.text}\n`);
}

function goingLines(
  items: readonly NoteItem[],
  chosen: ReadonlySet<number> | null,
  message: Result<ComposedMessage>,
): number[] {
  if (!message.ok) return [];
  return items.flatMap(({ kind, line }) => (kind === 'note' || chosen?.has(line) === true ? [line] : []));
}

function sizeOf(
  message: Result<ComposedMessage>,
): Pick<NotesAnswer, 'text' | 'noteCount' | 'lineCount' | 'byteCount' | 'tokenCount'> {
  return message.ok ? message.value : { text: null, noteCount: 0, lineCount: 0, byteCount: 0, tokenCount: 0 };
}

function parse<T>(input: string, schema: z.ZodType<T>): Result<T> {
  let raw: unknown;
  try {
    raw = JSON.parse(input);
  } catch (thrown) {
    return fail('invalid', `stdin is not JSON: ${errorMessage(thrown)}`);
  }
  const parsed = schema.safeParse(raw);
  return parsed.success ? ok(parsed.data) : { ok: false, error: invalidInput('stdin', parsed.error) };
}

function mapOk<T, U>(result: Result<T>, use: (value: T) => U): Result<U> {
  return result.ok ? ok(use(result.value)) : result;
}
