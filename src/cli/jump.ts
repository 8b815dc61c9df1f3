/** `copane jump`: goes to the next AI pane that waits for you, or simply to the next one. */
import { readStatusLine } from '../app/status.ts';
import { openTmux } from '../app/tmux.ts';
import { currentPane } from '../app/up/up.ts';
import type { AiPane } from '../protocol/pane.ts';
import { type CliContext, refuse, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext) {
  return subcommand('jump', context)
    .description('go to the next AI pane that waits for you; when none waits, to the next one')
    .action(async () => {
      const { env } = context;
      if (!env.TMUX) refuse(context, 'refused', 'not inside tmux', 'Run "copane up" instead.');
      const { tmux } = openTmux(env);
      const here = env.TMUX_PANE ?? unwrap(context, await currentPane(tmux));
      const { panes } = unwrap(context, await readStatusLine(env));
      const next = nextPane(panes, here);
      if (next === null)
        return refuse(context, 'not_found', 'there is no other AI pane', 'Start one with: copane up');
      unwrap(context, await tmux.run([['switch-client', '-t', next]]));
    });
}

/** The next pane in tmux order, wrapping around; waiting panes come first. */
export function nextPane(panes: readonly Pick<AiPane, 'identity' | 'state'>[], here: string): string | null {
  const at = panes.findIndex(({ identity }) => identity.paneId === here);
  const others = [...panes.slice(at + 1), ...panes.slice(0, Math.max(0, at))];
  return (others.find(({ state }) => state === 'waiting') ?? others[0])?.identity.paneId ?? null;
}
