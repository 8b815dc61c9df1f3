/** `copane serve`: runs the host without a screen. */
import { type Command, Option } from 'commander';
import { ownProgram } from '../app/self.ts';
import { serve } from '../app/serve.ts';
import { SERVICE_MANAGERS, type ServiceManager, serviceUnit } from '../app/service-unit.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { openFront } from './open-front.ts';

interface ServeFlags {
  readonly tcp?: boolean;
  readonly untilEof?: boolean;
  readonly print?: ServiceManager;
}

export function command(context: CliContext): Command {
  return subcommand('serve', context)
    .description('run the background service without a screen: shell completions, suggestions, shared state')
    .option(
      '--tcp',
      'open the TCP port, 127.0.0.1:4097, whatever the configuration says ("copane token" prints the access token)',
    )
    .option('--until-eof', 'exit when stdin closes, for an editor that starts its own host')
    .addOption(
      new Option('--print <manager>', 'print the unit file that keeps this running').choices(
        SERVICE_MANAGERS,
      ),
    )
    .action(async ({ tcp = false, untilEof = false, print }: ServeFlags) => {
      if (print !== undefined) {
        context.out(serviceUnit(print, { program: ownProgram(), node: process.execPath, tcp }));
        return;
      }
      const stdin = untilEof ? context.stdin : null;
      unwrap(context, await serve(context.env, { say: context.say, tcp, stdin, openFront }));
    });
}
