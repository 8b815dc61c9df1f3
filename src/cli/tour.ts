/** `copane tour`: the scripted AI that stands in the AI pane when no AI CLI is installed. */
import { runTour } from '../app/tour/tour.ts';
import { fail } from '../lib/result.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext) {
  return subcommand('tour', context)
    .description('a scripted AI to try copane with; "copane up" opens it when no AI CLI is installed')
    .action(async () => {
      if (!process.stdin.isTTY)
        unwrap(
          context,
          fail('refused', 'the tour needs a terminal', 'Start it with: copane up -- copane tour'),
        );
      const clock = {
        now: () => Date.now(),
        set: setTimeout,
        clear: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
      };
      await runTour({ stdin: process.stdin, stdout: process.stdout, clock });
    });
}
