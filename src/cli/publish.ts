/** `copane publish`: offers a change for review, locally or to another user's suggestion server. */
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { findAiAbove } from '../app/below-ai.ts';
import { findPlace } from '../app/mcp/find-place.ts';
import { changeOf, publishRemotely, type RemoteServer } from '../app/remote-publish.ts';
import { count } from '../lib/count.ts';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { copanePaths } from '../platform/paths.ts';
import { systemProcesses } from '../platform/process-tree.ts';
import { readRegularSync } from '../platform/regular-file.ts';
import type { SuggestionSource } from '../protocol/commands/review.ts';
import type { LineRange } from '../review/core/line-filter.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { checkGitVariables } from './git-variables.ts';
import { suggestionId } from './known-ids.ts';
import { collect, JSON_OPTION } from './options.ts';
import { patchFrom } from './patch-input.ts';
import { line, sayHunks, suggestionToJson, withHost } from './review-output.ts';

const TOKEN_MAX_BYTES = 4 * 1024;

interface PublishFlags {
  readonly patch?: string;
  readonly source?: string;
  readonly target?: string;
  readonly description?: string;
  readonly file?: string[];
  readonly exclude?: string[];
  readonly lines?: LineRange[];
  readonly note?: Record<string, string>;
  readonly server?: string;
  readonly tokenFile?: string;
  readonly base?: string;
  readonly change?: string;
  readonly update?: string;
}

export function command(context: CliContext): Command {
  return subcommand('publish', context)
    .description('offer a change for review: a patch, or what a sandbox has beyond the target')
    .option('--patch <file>', 'a unified diff; "-" reads stdin (the default)')
    .option(
      '--source <dir>',
      'a git clone or worktree whose changes are taken, untracked files too; for a plain folder, a changed copy of it',
    )
    .option(
      '--target <dir>',
      'the working copy that the change is for (default: the one that a sandbox was made for, or the current folder)',
    )
    .option('--description <text>', 'what the change does')
    .option('--file <glob>', 'take only these files; may be given more than once', collect)
    .option('--exclude <glob>', 'do not take these files; may be given more than once', collect)
    .option(
      '--lines <file:a-b>',
      'of this file only hunks that touch these lines of the new text',
      collectLines,
    )
    .option('--note <place=text>', 'your words on a file, or on its N-th hunk (FILE:N=TEXT)', collectNote)
    .option('--change <id>', 'with --source, in a jj repository: this change alone')
    .option(
      '--update <id>',
      'the next version of this open suggestion; what was decided on hunks that stay is kept',
    )
    .option('--server <url>', "another user's suggestion server ($COPANE_SERVER); --target is a folder there")
    .option('--token-file <file>', "with --server: where the author's token is ($COPANE_TOKEN)")
    .option(
      '--base <commit>',
      'with --server: where the sandbox began (default: its upstream, what it was cloned from, or its HEAD)',
    )
    .option(...JSON_OPTION)
    .action((flags: PublishFlags) => publish(context, flags));
}

function collectLines(text: string, before: LineRange[] = []): LineRange[] {
  const match = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(text);
  if (match?.[1] === undefined) throw new InvalidArgumentError('It must be FILE:A-B, or FILE:A.');
  const first = Number(match[2]);
  return [...before, { file: match[1], first, last: match[3] === undefined ? first : Number(match[3]) }];
}

function collectNote(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be FILE=TEXT, or FILE:N=TEXT.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

async function publish(context: CliContext, flags: PublishFlags): Promise<void> {
  const server = unwrap(context, serverOf(context, flags));
  if (server !== null) return publishThere(context, server, flags);
  const source = unwrap(context, await sourceOf(context, flags));
  const target = unwrap(context, await targetOf(context, flags));
  const suggestion = await withHost(context, async (client) =>
    client.request('review/publish', {
      target,
      description: flags.description ?? '',
      source,
      filter: filterOf(flags),
      // A suggestion that an AI publishes with this command is the AI's: it gets the feedback but cannot decide.
      author: await findAiAbove(systemProcesses, process.pid),
      updates: flags.update === undefined ? null : unwrap(context, await suggestionId(client, flags.update)),
    }),
  );
  for (const note of suggestion.notes) context.say(`copane: ${note}`);
  if (context.json) context.out(suggestionToJson(suggestion));
  else {
    context.out(`${suggestion.id}\n`);
    sayHunks(context, suggestion);
    sayCount(context, suggestion.hunks.length, suggestion.files.length);
  }
}

const filterOf = ({ file, exclude, lines, note }: PublishFlags) => ({
  files: file ?? [],
  exclude: exclude ?? [],
  lines: lines ?? [],
  notes: note ?? {},
});

function sayCount(context: CliContext, hunks: number, files: number): void {
  context.say(`copane: ${count(hunks, 'hunk')} in ${count(files, 'file')} to review.`);
}

async function sourceOf(context: CliContext, flags: PublishFlags): Promise<Result<SuggestionSource>> {
  if (flags.source !== undefined && flags.patch !== undefined) {
    return fail('invalid', 'give either --patch or --source, not both');
  }
  if (flags.source !== undefined) {
    const folder = path.resolve(context.cwd, flags.source);
    const checked = await checkGitVariables(context, folder);
    return checked.ok ? ok({ kind: 'sandbox', folder, change: flags.change ?? null }) : checked;
  }
  if (flags.patch !== undefined && flags.patch !== '-') {
    return ok({ kind: 'patch_file', file: path.resolve(context.cwd, flags.patch) });
  }
  if (context.stdin.isTTY) context.say('copane: Reading a patch from the terminal; end with Ctrl+D.');
  return ok(await patchFrom(context.stdin));
}

/** The target when run inside the published source: the repository that the sandbox, worktree or clone came from. */
async function targetOf({ cwd, env }: CliContext, { target, source }: PublishFlags): Promise<Result<string>> {
  if (target !== undefined || source === undefined) return ok(path.resolve(cwd, target ?? '.'));
  const place = await findPlace(path.resolve(cwd, source), path.join(copanePaths(env).stateDir, 'sandboxes'));
  const isInside = place.ok && `${cwd}/`.startsWith(`${place.value.source}/`);
  return ok(isInside ? place.value.target : cwd);
}

function serverOf({ env, cwd }: CliContext, flags: PublishFlags): Result<RemoteServer | null> {
  const address = flags.server ?? env.COPANE_SERVER;
  if (address === undefined || address === '') return ok(null);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    return fail('invalid', `"${address}" is not a server address.`, 'It looks like http://127.0.0.1:4097.');
  const token = tokenOf(
    env.COPANE_TOKEN,
    flags.tokenFile === undefined ? null : path.resolve(cwd, flags.tokenFile),
  );
  return token.ok ? ok({ url, token: token.value }) : token;
}

function tokenOf(given: string | undefined, file: string | null): Result<string> {
  try {
    const token = (
      file === null ? (given ?? '') : String(readRegularSync(file, { maxBytes: TOKEN_MAX_BYTES }))
    ).trim();
    if (/^\S+$/.test(token)) return ok(token);
  } catch (thrown) {
    return fail('invalid', `The token cannot be read: ${errorMessage(thrown)}`);
  }
  return fail(
    'invalid',
    'Another server needs a token.',
    'Its user prints one with "copane token --author"; give it in $COPANE_TOKEN, or name a file with --token-file.',
  );
}

async function publishThere(context: CliContext, server: RemoteServer, flags: PublishFlags): Promise<void> {
  const source = unwrap(context, await sourceOf(context, flags));
  const change = unwrap(context, await changeOf(source, flags.base ?? null));
  for (const note of change.notes) context.say(`copane: ${note}`);
  const offer = {
    ...filterOf(flags),
    target: flags.target ?? '.',
    description: flags.description ?? '',
    patch: change.patch,
    updates: flags.update ?? null,
  };
  const published = unwrap(context, await publishRemotely(server, offer));
  const { id, hunkCount, files, answer } = published;
  if (context.json) context.out(line({ ...answer, suggestion_id: id }));
  else {
    context.out(`${id}\n`);
    sayCount(context, hunkCount, files.length);
  }
}
