/** `copane doctor`: checks the set-up and says what to mend. */
import { type CliContext, subcommand } from './cli-context.ts';

/** The command; exit 0 when nothing failed, 1 otherwise. */
export function command(context: CliContext) {
  return subcommand('doctor', context)
    .description('check the set-up and say what to mend')
    .option('--json', 'print the checks as JSON')
    .action(async () => {
      context.say('copane: the checks are not wired up yet.');
    });
}
