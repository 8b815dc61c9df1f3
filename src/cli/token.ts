/** `copane token`: prints the token that opens the suggestion server. */
import type { Command } from 'commander';
import { suggestionToken } from '../app/suggestions.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

interface TokenFlags {
  readonly author?: boolean;
  readonly rotate?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('token', context)
    .description("print the token for the suggestion server on TCP: the reviewer's, who may decide")
    .option(
      '--author',
      "the author's instead: publishes, reports, and never decides; the one to give to an AI",
    )
    .option('--rotate', 'make a new one; the old one opens nothing any more')
    .action((flags: TokenFlags) => {
      const role = flags.author ? 'author' : 'reviewer';
      context.out(`${unwrap(context, suggestionToken(context.env, role, flags.rotate ?? false))}\n`);
      if (flags.rotate) context.say('copane: a new token; connections of the old one are closed.');
    });
}
