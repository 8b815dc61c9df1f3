/** `copane finish`: ends a suggestion. Accepted hunks stay in the target. */
import { Argument, type Command, Option } from 'commander';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { suggestionId } from './known-ids.ts';
import { JSON_OPTION } from './options.ts';
import { line, summaryLine, summaryToJson, withReviewer } from './review-output.ts';

interface FinishFlags {
  readonly commit?: boolean;
  readonly push?: boolean;
  readonly hooks?: boolean;
  readonly message?: string;
  readonly sandbox?: 'keep' | 'revert' | 'rebase' | 'remove';
}

export function command(context: CliContext): Command {
  return subcommand('finish', context)
    .description('end a suggestion; accepted hunks stay in the target')
    .argument('<id>', 'the suggestion, or the beginning of its id')
    .addArgument(
      new Argument('<how>', 'finalize: mark it as done; discard: drop what is left').choices([
        'finalize',
        'discard',
      ]),
    )
    .option(...JSON_OPTION)
    .option('--commit', 'with finalize: commit what was accepted, and nothing else; no hook runs')
    .option('--hooks', 'with a commit: run hooks and sign it, as git would')
    .option('-m, --message <text>', 'the commit message (default: the name of the review)')
    .option('--push', 'with finalize: commit, then push the commit')
    .addOption(
      new Option(
        '--sandbox <what>',
        'keep it as it is; revert the undecided hunks there (what discard does by itself); rebase it onto the target; remove it',
      ).choices(['keep', 'revert', 'rebase', 'remove']),
    )
    .action((id: string, how: 'finalize' | 'discard', flags: FinishFlags) =>
      finish(context, { id, how }, flags),
    );
}

async function finish(
  context: CliContext,
  { id, how }: { readonly id: string; readonly how: 'finalize' | 'discard' },
  flags: FinishFlags,
): Promise<void> {
  const { commit, pushed, notes, ...summary } = await withReviewer(context, async (client) => {
    const suggestion = unwrap(context, await suggestionId(client, id));
    return client.request('review/finish', {
      suggestion,
      how,
      commit: flags.commit ?? false,
      push: flags.push ?? false,
      hooks: flags.hooks ?? false,
      message: flags.message ?? null,
      sandbox: flags.sandbox ?? (how === 'discard' ? 'revert' : 'keep'),
    });
  });
  for (const note of notes) context.say(`copane: ${note}`);
  if (context.json) context.out(line({ ...summaryToJson(summary), commit, pushed, notes }));
  else {
    const made = commit === null ? '' : `  ${commit.slice(0, 10)}`;
    context.say(`copane: ${summaryLine(summary)}${made}${pushed === null ? '' : ` → ${pushed}`}`);
  }
}
