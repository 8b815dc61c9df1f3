/** `copane serve`: the host without a screen. */
import type { Command } from 'commander';
import { serve } from '../app/serve.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext): Command {
  return subcommand('serve', context)
    .description('lead without a screen: completions for the shell, state for every other copane')
    .action(async () => {
      unwrap(context, await serve(context.env, context.say));
    });
}
