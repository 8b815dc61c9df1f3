/** `copane review`: opens a suggestion from your own changes, a range, a patch or two folders. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { count } from '../lib/count.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import type { Client } from '../protocol/client.ts';
import type { SuggestionSource } from '../protocol/commands/review.ts';
import type { Suggestion } from '../protocol/review.ts';
import { reviewNotes } from '../review/core/review-notes.ts';
import { topOf } from '../review/vcs/repository-place.ts';
import { type CliContext, refuse, subcommand, unwrap, wholeNumber } from './cli-context.ts';
import { checkGitVariables } from './git-variables.ts';
import { suggestionId } from './known-ids.ts';
import { collect, JSON_OPTION, NEW_OPTION, PANE_OPTION } from './options.ts';
import { patchFrom } from './patch-input.ts';
import { line, onlyNew, sayHunks, suggestionToJson, withHost } from './review-output.ts';

interface ReviewFlags {
  readonly staged?: boolean;
  readonly unstaged?: boolean;
  readonly turn?: number;
  readonly sinceTurn?: number;
  readonly id?: string;
  readonly pane?: string;
  readonly stage?: boolean;
  readonly new?: boolean;
  readonly exclude?: string[];
  readonly target?: string;
  readonly description?: string;
  /** True: the notes of the newest review of this folder. */
  readonly notes?: string | true;
}

export function command(context: CliContext): Command {
  return subcommand('review', context)
    .description('review changes hunk by hunk: without an argument those of the working tree, in place')
    .argument(
      '[what...]',
      'a range (A..B), a branch, a patch file, "-" for stdin, or two folders; after "--" files and folders: only those',
    )
    .option('--staged', 'what is staged, against HEAD')
    .option('--unstaged', 'what is not staged: the working tree against the index')
    .addOption(
      new Option('--turn <n>', 'what the n-th answer of the AI changed; 1 is the newest')
        .argParser(wholeNumber(1))
        .conflicts(['staged', 'unstaged', 'target']),
    )
    .addOption(
      new Option('--since-turn <n>', 'what the n-th answer and all later ones changed')
        .argParser(wholeNumber(1))
        .conflicts(['staged', 'unstaged', 'target', 'turn']),
    )
    .option(
      '--id <session>',
      'of these answers: a session of this folder, running or not: its id, or its file',
    )
    .option(...PANE_OPTION)
    .option('--stage', 'in place: "git add" what is accepted, and nothing else of its file')
    .option('--exclude <glob>', 'do not look at these files or folders; may be given more than once', collect)
    .option(...NEW_OPTION)
    .option('--target <dir>', 'the working copy', '.')
    .option('--description <text>', 'a name for the review')
    .option(
      '--notes [id]',
      'print what was rejected, changed and said as one prompt for the AI; of the newest review here, or of this one',
    )
    .option(...JSON_OPTION)
    .action((words: string[], flags: ReviewFlags, { rawArgs }: Command & { rawArgs: readonly string[] }) => {
      const dashes = rawArgs.indexOf('--');
      const end = dashes < 0 ? words.length : words.length - (rawArgs.length - 1 - dashes);
      if (flags.notes !== undefined) return notes(context, flags);
      return review(context, { what: words.slice(0, end), paths: words.slice(end) }, flags);
    });
}

const READS_GIT = new Set<SuggestionSource['kind']>(['working_tree', 'index', 'range', 'turn']);

interface Asked {
  readonly what: readonly string[];
  /** Review only these files and folders. */
  readonly paths: readonly string[];
}

async function review(context: CliContext, { what, paths }: Asked, flags: ReviewFlags): Promise<void> {
  const filter = {
    exclude: flags.exclude ?? [],
    paths: paths.map((name) => path.resolve(context.cwd, name)),
  };
  const { source, target, label } = await chosenOf(context, what, flags);
  if (READS_GIT.has(source.kind)) unwrap(context, await checkGitVariables(context, target));
  const published = await withHost(context, (client) =>
    client.request('review/publish', {
      target: source.kind === 'folders' ? source.from : target,
      description: flags.description ?? label,
      source,
      filter,
      stage: flags.stage ?? false,
    }),
  );
  const suggestion = onlyNew(published, flags.new);
  for (const note of suggestion.notes) context.say(`copane: ${note}`);
  if (context.json) {
    context.out(suggestionToJson(suggestion));
    return;
  }
  context.out(`${suggestion.id}\n`);
  sayHunks(context, suggestion);
  const fresh = published.hunks.filter(({ isNew }) => isNew === true).length;
  const news = fresh === 0 && flags.new !== true ? '' : `, ${fresh} new since your last round`;
  context.say(
    `copane: ${count(published.hunks.length, 'hunk')}${news}; open the Review screen, or decide with "copane decide".`,
  );
}

interface Chosen {
  readonly source: SuggestionSource;
  readonly target: string;
  readonly label: string;
}

async function chosenOf(context: CliContext, what: readonly string[], flags: ReviewFlags): Promise<Chosen> {
  const { sinceTurn, pane = null, id = null } = flags;
  const turn = sinceTurn ?? flags.turn;
  if (turn === undefined) {
    if (id !== null) refuse(context, 'invalid', '--id names the session of an answer.', 'Add --turn N.');
    const source = await sourceOf(context, what, flags);
    const target = path.resolve(context.cwd, flags.target ?? '.');
    return { source, target, label: what.length > 0 ? what.join(' ') : 'working tree' };
  }
  if (what.length > 0)
    refuse(context, 'invalid', '--turn says what to review.', 'Put file names after "--".');
  const { findTurn } = await import('../app/changes/session-changes.ts');
  const wanted = { pane, session: id, cwd: context.cwd, turns: turn };
  const { source, target, note } = unwrap(context, await findTurn(context.env, wanted));
  if (note !== null) context.say(`copane: ${note}`);
  if (sinceTurn === undefined) return { source: { kind: 'turn', ...source }, target, label: turnLabel(turn) };
  const label = `all since before ${turnLabel(turn)}`;
  return { source: { kind: 'turn', ...source, to: null }, target, label };
}

const turnLabel = (turn: number) => (turn === 1 ? 'the newest answer' : `answer ${turn}`);

async function sourceOf(
  context: CliContext,
  what: readonly string[],
  flags: ReviewFlags,
): Promise<SuggestionSource> {
  const [first, second, third] = what;
  if (what.includes(''))
    refuse(context, 'invalid', 'The name of what to review is empty.', 'Leave it out for the working tree.');
  if (third !== undefined)
    refuse(context, 'invalid', 'Exactly two folders can be compared.', 'Put file names after "--".');
  const absolute = (name: string) => path.resolve(context.cwd, name);
  if (flags.staged) return { kind: 'index' };
  if (first === undefined) return { kind: 'working_tree', against: flags.unstaged ? 'index' : 'head' };
  if (second !== undefined) return { kind: 'folders', from: absolute(first), to: absolute(second) };
  if (first === '-') return patchFrom(context.stdin);
  // A commit name cannot contain "../".
  if (/(?:^|\/)\.\.\//.test(first)) return { kind: 'patch_file', file: absolute(first) };
  if (!first.includes('..') && existsSync(absolute(first)))
    return { kind: 'patch_file', file: absolute(first), range: first };
  return { kind: 'range', range: first };
}

/** Prints the decisions of a review, open or ended, as one prompt. */
async function notes(context: CliContext, flags: ReviewFlags): Promise<void> {
  const target = path.resolve(context.cwd, flags.target ?? '.');
  const { suggestion, prompt, earlier } = await withHost(context, async (client) => {
    const id = await notedId(client, flags.notes ?? true, target);
    const shown = id.ok ? await client.request('review/show', { suggestion: id.value }) : id;
    if (!shown.ok) return shown;
    const prompt = reviewNotes(shown.value, await modifiedTexts(client, shown.value));
    return ok({
      suggestion: shown.value,
      prompt,
      earlier: prompt === null ? await notedBefore(client, shown.value) : null,
    });
  });
  if (context.json) return context.out(line({ suggestion_id: suggestion.id, notes: prompt }));
  if (prompt !== null) return context.show(prompt);
  context.say('copane: Nothing was rejected, changed or commented on.');
  if (earlier !== null) context.say(`  The review before it has notes: copane review --notes ${earlier}`);
}

/** What the reviewer made of modified hunks, by hunk id. */
async function modifiedTexts(
  client: Client,
  { id: suggestion, hunks }: Suggestion,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { id: hunk } of hunks.filter(({ status }) => status === 'modified')) {
    const looked = await client.request('review/inspect', { suggestion, hunk });
    if (looked.ok && looked.value.modified !== null) texts.set(hunk, looked.value.modified.result);
  }
  return texts;
}

/** The newest review in the chain that this one replaces that has notes. */
async function notedBefore(client: Client, { replaces }: Suggestion): Promise<string | null> {
  if (replaces === undefined) return null;
  const shown = await client.request('review/show', { suggestion: replaces });
  if (!shown.ok) return null;
  return reviewNotes(shown.value) === null ? notedBefore(client, shown.value) : replaces;
}

async function notedId(client: Client, given: string | true, target: string): Promise<Result<string>> {
  if (given !== true) return suggestionId(client, given);
  const listed = await client.request('review/list', { target: topOf(target) ?? target, ended: true });
  if (!listed.ok) return listed;
  const [newest] = listed.value;
  return newest === undefined
    ? fail('not_found', 'There is no review of this folder.', 'Name one: copane review --notes ID.')
    : ok(newest.id);
}
