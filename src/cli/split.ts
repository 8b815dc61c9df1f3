/** `copane` inside tmux: a split with the companion beside the AI pane of this window. */
import { openCheckedTmux } from '../app/tmux.ts';
import { splitCompanion } from '../app/up/up.ts';
import { fail } from '../lib/result.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext) {
  return subcommand('split', context)
    .description('open the companion in a split beside the AI pane of this window')
    .action(async () => {
      const { env } = context;
      const { tmux, panes } = unwrap(context, await openCheckedTmux(env));
      const own = env.TMUX_PANE;
      if (!env.TMUX || own === undefined) {
        return unwrap(context, fail('refused', 'not inside tmux', 'Run "copane up" instead.'));
      }
      const resolved = unwrap(context, await panes.resolve(null));
      const listed = unwrap(context, await panes.facts());
      // Without an AI pane the companion opens all the same: its first screen says how to point at one.
      const beside =
        resolved.kind === 'found'
          ? resolved.pane.facts
          : listed.find(({ identity }) => identity.paneId === own);
      if (beside === undefined) return unwrap(context, fail('not_found', `there is no pane ${own}`));
      unwrap(
        context,
        await splitCompanion(tmux, {
          aiPane: beside.identity.paneId,
          columns: beside.width,
          folder: context.cwd,
          env,
          unbound: resolved.kind !== 'found',
        }),
      );
    });
}
