/** `copane serve`: the host without a screen. */
import { type Command, Option } from 'commander';
import { ownProgram } from '../app/self.ts';
import { serve } from '../app/serve.ts';
import { SERVICE_MANAGERS, type ServiceManager, serviceUnit } from '../app/service-unit.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

interface ServeFlags {
  readonly tcp?: boolean;
  readonly untilEof?: boolean;
  readonly print?: ServiceManager;
}

export function command(context: CliContext): Command {
  return subcommand('serve', context)
    .description(
      'lead without a screen: completions for the shell, suggestions, state for every other copane',
    )
    .option(
      '--tcp',
      'open the TCP port, 127.0.0.1:4097, whatever the configuration says ("copane token" prints the access token)',
    )
    .option('--until-eof', 'end when stdin ends: for an editor that starts a host for itself')
    .addOption(
      new Option('--print <manager>', 'print the file by which it keeps this running').choices(
        SERVICE_MANAGERS,
      ),
    )
    .action(async ({ tcp = false, untilEof = false, print }: ServeFlags) => {
      if (print !== undefined) {
        context.out(serviceUnit(print, { program: ownProgram(), node: process.execPath, tcp }));
        return;
      }
      const stdin = untilEof ? context.stdin : null;
      unwrap(context, await serve(context.env, { say: context.say, tcp, stdin }));
    });
}
