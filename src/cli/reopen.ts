/** `copane reopen`: reopens a suggestion that was finalized or discarded. */
import type { Command } from 'commander';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { suggestionId } from './known-ids.ts';
import { JSON_OPTION } from './options.ts';
import { line, summaryLine, summaryToJson, withReviewer } from './review-output.ts';

export function command(context: CliContext): Command {
  return subcommand('reopen', context)
    .description('reopen a suggestion that has ended; what was written or committed stays')
    .argument('<id>', 'the suggestion; "copane suggestions --all" lists those that have ended')
    .option(...JSON_OPTION)
    .action(async (id: string) => {
      const reopened = await withReviewer(context, async (client) => {
        const suggestion = unwrap(context, await suggestionId(client, id));
        return client.request('review/reopen', { suggestion });
      });
      if (context.json) context.out(line(summaryToJson(reopened)));
      else context.say(`copane: ${summaryLine(reopened)}`);
    });
}
