/** `copane finish`: ends a suggestion. What was accepted stays in the target. */
import { Argument, type Command } from 'commander';
import { type CliContext, subcommand } from './cli-context.ts';
import { JSON_OPTION } from './options.ts';
import { type JsonFlag, line, summaryLine, summaryToJson, withReviewer } from './review-output.ts';

export function command(context: CliContext): Command {
  return subcommand('finish', context)
    .description('end a suggestion; accepted hunks stay in the target')
    .argument('<id>', 'the suggestion')
    .addArgument(
      new Argument('<how>', 'finalize: done with it; discard: the rest is not wanted').choices([
        'finalize',
        'discard',
      ]),
    )
    .option(...JSON_OPTION)
    .option('--commit', 'with finalize: commit what was accepted, and nothing else')
    .action(
      async (id: string, how: 'finalize' | 'discard', flags: JsonFlag & { readonly commit?: boolean }) => {
        const { commit, ...summary } = await withReviewer(context, flags, (client) =>
          client.request('review/finish', { suggestion: id, how, commit: flags.commit ?? false }),
        );
        if (flags.json) context.out(line({ ...summaryToJson(summary), commit }));
        else
          context.say(`copane: ${summaryLine(summary)}${commit === null ? '' : `  ${commit.slice(0, 10)}`}`);
      },
    );
}
