/** `copane serve`: the host without a screen. */
import type { Command } from 'commander';
import { serve } from '../app/serve.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext): Command {
  return subcommand('serve', context)
    .description(
      'lead without a screen: completions for the shell, suggestions, state for every other copane',
    )
    .option(
      '--tcp',
      'offer the suggestion protocol on 127.0.0.1:4097 too ("copane token" prints what opens it)',
    )
    .option('--until-eof', 'end when stdin ends: for an editor that starts a host for itself')
    .action(async (flags: { readonly tcp?: boolean; readonly untilEof?: boolean }) => {
      const stdin = flags.untilEof ? context.stdin : null;
      unwrap(context, await serve(context.env, { say: context.say, tcp: flags.tcp ?? false, stdin }));
    });
}
