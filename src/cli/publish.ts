/** `copane publish`: offers a change for review. */
import path from 'node:path';
import type { Command } from 'commander';
import { fail, ok, type Result } from '../lib/result.ts';
import type { SuggestionSource } from '../protocol/commands/review.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';
import { patchFrom } from './patch-input.ts';
import { count, hunkLine, suggestionToJson, withHost } from './review-output.ts';

interface PublishFlags {
  readonly patch?: string;
  readonly source?: string;
  readonly target?: string;
  readonly description?: string;
  readonly file?: string[];
  readonly exclude?: string[];
  readonly json?: boolean;
}

const collect = (value: string, before: string[] = []) => [...before, value];

export function command(context: CliContext): Command {
  return subcommand('publish', context)
    .description('offer a change for review: a patch, or what a sandbox has beyond the target')
    .option('--patch <file>', 'a unified diff; "-" reads stdin (the default)')
    .option('--source <dir>', 'a git clone or worktree whose changes are taken, untracked files too')
    .option('--target <dir>', 'the working copy that the change is for', '.')
    .option('--description <text>', 'what the change does')
    .option('--file <glob>', 'take only these files; may be given more than once', collect)
    .option('--exclude <glob>', 'do not take these files; may be given more than once', collect)
    .option(...JSON_OPTION)
    .action((flags: PublishFlags) => publish(context, flags));
}

async function publish(context: CliContext, flags: PublishFlags): Promise<void> {
  const source = unwrap(context, await sourceOf(context, flags), flags);
  const suggestion = await withHost(context, flags, (client) =>
    client.request('review/publish', {
      target: path.resolve(context.cwd, flags.target ?? '.'),
      description: flags.description ?? '',
      source,
      filter: { files: flags.file ?? [], exclude: flags.exclude ?? [], notes: {} },
    }),
  );
  for (const note of suggestion.notes) context.say(`copane: ${note}`);
  if (flags.json) context.out(suggestionToJson(suggestion));
  else {
    context.out(`${suggestion.id}\n`);
    for (const hunk of suggestion.hunks) context.say(hunkLine(hunk));
    context.say(
      `copane: ${count(suggestion.hunks.length, 'hunk')} in ${count(suggestion.files.length, 'file')} to review.`,
    );
  }
}

async function sourceOf(context: CliContext, flags: PublishFlags): Promise<Result<SuggestionSource>> {
  if (flags.source !== undefined && flags.patch !== undefined) {
    return fail('invalid', 'give either --patch or --source, not both');
  }
  if (flags.source !== undefined)
    return ok({ kind: 'sandbox', folder: path.resolve(context.cwd, flags.source) });
  if (flags.patch !== undefined && flags.patch !== '-') {
    return ok({ kind: 'patch_file', file: path.resolve(context.cwd, flags.patch) });
  }
  if (context.stdin.isTTY) context.say('copane: reading a patch from the terminal; end with Ctrl+D.');
  return ok(await patchFrom(context.stdin));
}
