/** The output of the review commands, as JSON and text, and the client that they open. */
import os from 'node:os';
import { refuseBelowAi } from '../app/below-ai.ts';
import { openHostNow } from '../app/host-access.ts';
import { count, rangeWords } from '../lib/count.ts';
import type { Result } from '../lib/result.ts';
import { oneLine } from '../lib/sanitize.ts';
import { visibleJson } from '../lib/visible-json.ts';
import { systemProcesses } from '../platform/process-tree.ts';
import type { Client } from '../protocol/client.ts';
import { encodeBrief, encodeHunk, encodeSuggestion } from '../protocol/encode-suggestion.ts';
import type { Hunk, Suggestion, SuggestionSummary } from '../protocol/review.ts';
import { type CliContext, unwrap } from './cli-context.ts';

/** Runs `work` with a client, then closes it. A leading process first waits for the jobs of others, or a signal. */
export async function withHost<T>(
  context: CliContext,
  work: (client: Client) => Promise<Result<T>>,
): Promise<T> {
  const client = unwrap(context, await openHostNow(context.env));
  const finished = new AbortController();
  const close = () => client.closeAfterJobs(finished.signal, () => context.say(OTHERS_RUN));
  let ending: Promise<never> | null = null;
  const end = (code: number) => {
    finished.abort();
    ending ??= close().then(() => process.exit(code));
  };
  // A host that runs the command handles signals itself.
  const forget = context.pid === process.pid ? onSignals(end) : () => undefined;
  try {
    return unwrap(context, await work(client));
  } finally {
    await close();
    // A command ended by a signal exits with the signal's code, whatever its own outcome.
    await ending;
    forget();
  }
}

/** Calls `end` with the exit code for a signal; returns a function that stops this. */
function onSignals(end: (code: number) => void): () => void {
  const take = (signal: NodeJS.Signals) => end(128 + os.constants.signals[signal]);
  // The command gets the first Ctrl-C if it listens for it.
  const interrupt = (signal: NodeJS.Signals) => {
    if (process.listenerCount('SIGINT') === 1) take(signal);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', take).on('SIGHUP', take);
  return () => process.off('SIGINT', interrupt).off('SIGTERM', take).off('SIGHUP', take);
}

const OTHERS_RUN =
  'copane: Waiting for what others run in this process. Ctrl-C ends it: a job then starts again in another copane, and a request may have to be sent again.';

/** The same for a deciding command: refused if an AI CLI started it. */
export async function withReviewer<T>(
  context: CliContext,
  work: (client: Client) => Promise<Result<T>>,
): Promise<T> {
  unwrap(context, await refuseBelowAi(systemProcesses, context.pid));
  return withHost(context, work);
}

/** The number of hunks listed for people. */
const SAID_MAX_HUNKS = 100;

/** Lists the hunks of a new suggestion for people. */
export function sayHunks(context: CliContext, { id, hunks }: Suggestion): void {
  for (const hunk of hunks.slice(0, SAID_MAX_HUNKS))
    context.say(`${hunkLine(hunk)}\n${warningLines(hunk)}`.trimEnd());
  const more = hunks.length - SAID_MAX_HUNKS;
  if (more > 0) context.say(`… and ${more} more: "copane show ${id}" prints them all`);
}

export function suggestionToJson(suggestion: Suggestion): string {
  return line({ suggestion_id: suggestion.id, ...encodeSuggestion(suggestion, suggestion.stack) });
}

export function summaryToJson(summary: SuggestionSummary): Record<string, unknown> {
  return { suggestion_id: summary.id, ...encodeBrief(summary) };
}

export const line = (value: unknown): string => `${visibleJson(value)}\n`;

/** The JSON of `decide` and `undo`: the named hunk, or a list. */
export function hunksToJson(suggestion: string, hunks: readonly Hunk[]): string {
  const encoded = hunks.map(encodeHunk);
  const [only] = encoded;
  if (only !== undefined && encoded.length === 1) return line({ suggestion_id: suggestion, ...only });
  return line({ suggestion_id: suggestion, hunks: encoded });
}

const MARKS: Readonly<Record<Hunk['status'], string>> = {
  pending: '◌',
  accepted: '✓',
  rejected: '✗',
  modified: '✎',
  conflict: '!',
  already_applied: '=',
};

export function hunkLine(hunk: Hunk): string {
  const reason = hunk.reason === null ? '' : `  ${oneLine(hunk.reason)}`;
  const kind = hunk.kind === 'text' ? '' : `  ${hunk.kind}`;
  const version = hunk.version === undefined ? '' : `  since version ${hunk.version}`;
  const news = hunk.isNew === true ? '  new' : '';
  return `${MARKS[hunk.status]} ${hunk.id}  ${oneLine(hunk.file)}${kind}  ${hunk.status}${version}${news}${reason}`;
}

/** The suggestion reduced to the hunks that are new since the reviewer's last round, if `isWanted`. */
export function onlyNew(suggestion: Suggestion, isWanted: boolean | undefined): Suggestion {
  if (isWanted !== true) return suggestion;
  return { ...suggestion, hunks: suggestion.hunks.filter(({ isNew }) => isNew === true) };
}

/** The warnings of a hunk, one per line. */
export function warningLines({ warnings }: Pick<Hunk, 'warnings'>): string {
  return warnings.map(({ text }) => `  ! ${oneLine(text)}\n`).join('');
}

/** The author's note on a hunk, each line marked as not part of the diff. */
export function noteLines({ note }: Pick<Hunk, 'note'>): string {
  const lines = note?.split('\n').filter((text) => text !== '') ?? [];
  return lines.map((text) => `  # ${oneLine(text)}\n`).join('');
}

/** The comments on a hunk with their replies, each line marked as not part of the diff. */
export function commentLines({ comments }: Pick<Hunk, 'comments'>): string {
  return comments
    .map(({ text, by, place, quote }) => {
      const goneWords = quote === '' ? '' : ` on lines that are gone (${oneLine(quote)})`;
      const where = place === null ? goneWords : `, line ${rangeWords(place)}`;
      const who = by === undefined ? `comment${where}` : '  reply';
      return `  # ${who}: ${text.split('\n').map(oneLine).join('\n  #   ')}\n`;
    })
    .join('');
}

/** The notes on the suggestion as a whole, and its place among open suggestions for the same files. */
export function aboutLines({ id, notes, stack = [] }: Suggestion): string {
  const places = stack.map((one) => {
    const name = one.id === id ? 'this one' : `${one.id} ${one.description} (${one.status})`;
    return `${one.place}. ${name}`;
  });
  const stacked =
    places.length === 0 ? [] : [`open about the same files, oldest first: ${places.join(', ')}`];
  return [...stacked, ...notes].map((text) => `  # ${oneLine(text)}\n`).join('');
}

export function summaryLine(summary: SuggestionSummary): string {
  const { id, description, status, hunkCount, decidedCount, files } = summary;
  const title = description.split('\n')[0] || '(no description)';
  return `${id}  ${status}  ${decidedCount}/${hunkCount} decided, ${count(files.length, 'file')}  ${title}`;
}
