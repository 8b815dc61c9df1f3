/** `copane undo` and `copane redo`: undoes or redoes the last decision on a hunk. */
import type { Command } from 'commander';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { hunkIds } from './known-ids.ts';
import { JSON_OPTION } from './options.ts';
import { hunkLine, hunksToJson, withReviewer } from './review-output.ts';

export function command(context: CliContext): Command {
  return step(context, 'undo', 'undo the last decision on a hunk');
}

/** The command for either direction. */
export function step(context: CliContext, direction: 'undo' | 'redo', summary: string): Command {
  return subcommand(direction, context)
    .description(summary)
    .argument('<id>', 'the suggestion, or the beginning of its id')
    .argument('<hunk>', 'the hunk, or "all" for every decision on every hunk')
    .option(...JSON_OPTION)
    .action(async (id: string, hunk: string) => {
      const { suggestion, hunks, notes } = await withReviewer(context, async (client) => {
        const known = await hunkIds(client, { suggestion: id, hunk });
        return client.request(`review/${direction}`, unwrap(context, known));
      });
      if (context.json) context.out(hunksToJson(suggestion.id, hunks));
      else for (const one of hunks) context.show(`${hunkLine(one)}\n`);
      for (const note of notes) context.say(`copane: ${note}`);
    });
}
