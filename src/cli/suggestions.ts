/** `copane suggestions`: what waits for a review. */
import path from 'node:path';
import type { Command } from 'commander';
import { count } from '../lib/count.ts';
import { countToReview } from '../protocol/to-review.ts';
import { type CliContext, subcommand } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';
import { line, summaryLine, summaryToJson, withHost } from './review-output.ts';

interface ListFlags {
  readonly target?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('suggestions', context)
    .description('list suggestions waiting for review, newest first')
    .option('--target <dir>', 'only those for this folder')
    .option('--all', 'include finished ones')
    .option(...JSON_OPTION)
    .action((flags: ListFlags) => list(context, flags));
}

async function list(context: CliContext, flags: ListFlags): Promise<void> {
  const target = flags.target === undefined ? null : path.resolve(context.cwd, flags.target);
  const found = await withHost(context, flags, (client) =>
    client.request('review/list', { target, ended: flags.all ?? false }),
  );
  if (flags.json) context.out(line(found.map(summaryToJson)));
  else for (const summary of found) context.show(`${summaryLine(summary)}\n`);
  if (found.length > 0) context.say(`copane: ${count(countToReview(found), 'suggestion')} to review.`);
  else context.say('copane: no suggestion is waiting. An AI offers one with "copane publish --patch FILE".');
}
