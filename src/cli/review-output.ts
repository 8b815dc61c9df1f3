/** How the review commands talk: their JSON, their words for people, and the one client that they open. */
import os from 'node:os';
import { refuseBelowAi } from '../app/below-ai.ts';
import { openHostNow } from '../app/host-access.ts';
import { count } from '../lib/count.ts';
import type { Result } from '../lib/result.ts';
import { createProcessSource } from '../platform/process-tree.ts';
import type { Client } from '../protocol/client.ts';
import { encodeBrief, encodeHunk, encodeSuggestion } from '../protocol/encode-suggestion.ts';
import type { Hunk, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import { type CliContext, unwrap } from './cli-context.ts';

export interface JsonFlag {
  readonly json?: boolean;
}

/**
 * Runs `work` with a client of the host, and closes it again. Where this process leads, jobs that others run in it end
 * first; a signal ends it at once, and leaves them to the next leader.
 */
export async function withHost<T>(
  context: CliContext,
  flags: JsonFlag,
  work: (client: Client) => Promise<Result<T>>,
): Promise<T> {
  const client = unwrap(context, await openHostNow(context.env), flags);
  const told = new AbortController();
  const close = () => client.closeAfterJobs(told.signal, () => context.say(OTHERS_RUN));
  // A host that runs the command has its own way to end.
  const forget =
    context.pid === process.pid
      ? onSignals((code) => {
          told.abort();
          void close().then(() => process.exit(code));
        })
      : () => undefined;
  try {
    return unwrap(context, await work(client), flags);
  } finally {
    await close();
    forget();
  }
}

/** Calls `end` with the exit code of a signal that comes; gives what stops that. */
function onSignals(end: (code: number) => void): () => void {
  const take = (signal: NodeJS.Signals) => end(128 + os.constants.signals[signal]);
  // The first Ctrl-C is for the command, where it listens.
  const interrupt = (signal: NodeJS.Signals) => {
    if (process.listenerCount('SIGINT') === 1) take(signal);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', take).on('SIGHUP', take);
  return () => process.off('SIGINT', interrupt).off('SIGTERM', take).off('SIGHUP', take);
}

const OTHERS_RUN =
  'copane: waiting for jobs that others run in this process. Ctrl-C ends it; another copane then runs them from the start.';

/** The same for a command that decides: refused when an AI CLI started it. */
export async function withReviewer<T>(
  context: CliContext,
  flags: JsonFlag,
  work: (client: Client) => Promise<Result<T>>,
): Promise<T> {
  unwrap(context, await refuseBelowAi(createProcessSource(process.platform), context.pid), flags);
  return withHost(context, flags, work);
}

/** More hunks than this are not read from a terminal. */
const SAID_MAX_HUNKS = 100;

/** What was taken in, hunk by hunk, for people. */
export function sayHunks(context: CliContext, { id, hunks }: Suggestion): void {
  for (const hunk of hunks.slice(0, SAID_MAX_HUNKS))
    context.say(`${hunkLine(hunk)}\n${warningLines(hunk)}`.trimEnd());
  const more = hunks.length - SAID_MAX_HUNKS;
  if (more > 0) context.say(`… and ${more} more: "copane show ${id}" prints them all`);
}

/** A suggestion as `--json` prints it. */
export function suggestionToJson(suggestion: Suggestion): string {
  return line({ suggestion_id: suggestion.id, ...encodeSuggestion(suggestion, suggestion.stack) });
}

/** A suggestion without its hunks. */
export function summaryToJson(summary: SuggestionSummary): Record<string, unknown> {
  return { suggestion_id: summary.id, ...encodeBrief(summary) };
}

/** One value a line. */
export function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** Hunks as `decide` and `undo` print them: the one that was named, or a list. */
export function hunksToJson(suggestion: string, hunks: readonly Hunk[]): string {
  const encoded = hunks.map(encodeHunk);
  const [only] = encoded;
  if (only !== undefined && encoded.length === 1) return line({ suggestion_id: suggestion, ...only });
  return line({ suggestion_id: suggestion, hunks: encoded });
}

/** A name or a sentence from outside as one line: a line end in it begins no line of ours. */
export function oneLine(text: string): string {
  return text.replaceAll('\n', '␊');
}

const MARKS: Readonly<Record<Hunk['status'], string>> = {
  pending: '◌',
  accepted: '✓',
  rejected: '✗',
  modified: '✎',
  conflict: '!',
  already_applied: '=',
};

/** A hunk in one line. */
export function hunkLine(hunk: Hunk): string {
  const reason = hunk.reason === null ? '' : `  ${oneLine(hunk.reason)}`;
  const kind = hunk.kind === 'text' ? '' : `  ${hunk.kind}`;
  const version = hunk.version === undefined ? '' : `  since version ${hunk.version}`;
  const news = hunk.isNew === true ? '  new' : '';
  return `${MARKS[hunk.status]} ${hunk.id}  ${oneLine(hunk.file)}${kind}  ${hunk.status}${version}${news}${reason}`;
}

/** The suggestion with the hunks alone that are new since the reviewer's last round, where that is asked for. */
export function onlyNew(suggestion: Suggestion, isWanted: boolean | undefined): Suggestion {
  if (isWanted !== true) return suggestion;
  return { ...suggestion, hunks: suggestion.hunks.filter(({ isNew }) => isNew === true) };
}

/** What a reader is warned of at a hunk, a line each. */
export function warningLines({ warnings }: Pick<Hunk, 'warnings'>): string {
  return warnings.map(({ text }) => `  ! ${oneLine(text)}\n`).join('');
}

/** What the author says of a hunk, each line marked as not of the diff. */
export function noteLines({ note }: Pick<Hunk, 'note'>): string {
  const lines = note?.split('\n').filter((text) => text !== '') ?? [];
  return lines.map((text) => `  # ${oneLine(text)}\n`).join('');
}

/** What was said about a hunk: comments, each with its replies. Each line is marked as not of the diff. */
export function commentLines({ comments }: Pick<Hunk, 'comments'>): string {
  return comments
    .map(({ text, by, place }) => {
      const where =
        place === null ? '' : `, line ${place.first}${place.last === place.first ? '' : `-${place.last}`}`;
      const who = by === undefined ? `comment${where}` : '  reply';
      return `  # ${who}: ${text.split('\n').map(oneLine).join('\n  #   ')}\n`;
    })
    .join('');
}

/** What was said about the suggestion as a whole, and its place among others about the same files. */
export function aboutLines({ id, notes, stack = [] }: Suggestion): string {
  const places = stack.map((one) => {
    const name = one.id === id ? 'this one' : `${one.id} ${one.description} (${one.status})`;
    return `${one.place}. ${name}`;
  });
  const stacked =
    places.length === 0 ? [] : [`open about the same files, oldest first: ${places.join(', ')}`];
  return [...stacked, ...notes].map((text) => `  # ${oneLine(text)}\n`).join('');
}

/** A suggestion in one line. */
export function summaryLine(summary: SuggestionSummary): string {
  const { id, description, status, hunkCount, decidedCount, files } = summary;
  const title = description.split('\n')[0] || '(no description)';
  return `${id}  ${status}  ${decidedCount}/${hunkCount} decided, ${count(files.length, 'file')}  ${title}`;
}
