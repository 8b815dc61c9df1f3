/** `copane down`: closes what `copane up` made for this folder, and nothing else. */
import { openTmux } from '../app/tmux.ts';
import { closeMade, sessionOf } from '../app/up/up.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext) {
  return subcommand('down', context)
    .description('close the panes that "copane up" made for the current folder')
    .action(async () => {
      const { tmux } = openTmux(context.env);
      const session = await sessionOf(tmux, context.cwd);
      const closed = unwrap(context, await closeMade(tmux, session.name));
      context.say(`copane: Closed ${closed} ${closed === 1 ? 'pane' : 'panes'} of "${session.name}".`);
    });
}
