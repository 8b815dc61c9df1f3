/** `copane show`: prints one suggestion hunk by hunk, as it applies to the target now. */
import type { Command } from 'commander';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { hunkIds, suggestionId } from './known-ids.ts';
import { JSON_OPTION, NEW_OPTION } from './options.ts';
import {
  aboutLines,
  commentLines,
  hunkLine,
  line,
  noteLines,
  onlyNew,
  suggestionToJson,
  summaryLine,
  warningLines,
  withHost,
} from './review-output.ts';

interface ShowFlags {
  readonly conflict?: string;
  readonly new?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('show', context)
    .description('show a suggestion with its hunks and their states')
    .argument('<id>', 'the suggestion, or the beginning of its id')
    .option('--conflict <hunk>', 'show the three-way comparison: base, file, and merge')
    .option(...NEW_OPTION)
    .option(...JSON_OPTION)
    .action((id: string, flags: ShowFlags) =>
      flags.conflict === undefined
        ? show(context, id, flags)
        : conflict(context, { suggestion: id, hunk: flags.conflict }),
    );
}

async function show(context: CliContext, id: string, flags: ShowFlags): Promise<void> {
  const complete = await withHost(context, async (client) => {
    const suggestion = unwrap(context, await suggestionId(client, id));
    return client.request('review/show', { suggestion });
  });
  const suggestion = onlyNew(complete, flags.new);
  if (context.json) {
    context.out(suggestionToJson(suggestion));
    return;
  }
  context.show(`${summaryLine(suggestion)}\n${aboutLines(suggestion)}`);
  if (suggestion.hunks.length === 0) context.say('copane: Nothing is new since your last round.');
  for (const hunk of suggestion.hunks) {
    const rest = hunk.diffComplete ? '' : '(too long to print here in full)\n';
    context.show(
      `\n${hunkLine(hunk)}\n${warningLines(hunk)}${noteLines(hunk)}${commentLines(hunk)}${hunk.diff}${rest}`,
    );
  }
}

async function conflict(
  context: CliContext,
  ref: { readonly suggestion: string; readonly hunk: string },
): Promise<void> {
  const sides = await withHost(context, async (client) =>
    client.request('review/conflict', unwrap(context, await hunkIds(client, ref))),
  );
  if (context.json) context.out(line(sides));
  else if (sides === null) context.say('copane: This hunk has no lines.');
  else context.show(sides.merged);
}
