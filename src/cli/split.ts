/** `copane` inside tmux: opens the companion beside the AI pane of this window, or over the window as a popup. */
import { openCheckedTmux, type TmuxAccess, tmuxWords } from '../app/tmux.ts';
import { companionPlace } from '../app/up/companion-place.ts';
import { companionOf, currentPane, openCompanion, popupCommand } from '../app/up/up.ts';
import { findOnPath, replaceProcess } from '../platform/exec.ts';
import { type CliContext, refuse, subcommand, unwrap } from './cli-context.ts';

interface SplitFlags {
  readonly popup?: boolean;
}

export function command(context: CliContext) {
  return subcommand('split', context)
    .description('open the companion in a split beside the AI pane of this window')
    .option('--popup', 'in a popup over the window, until you quit it')
    .action(async ({ popup = false }: SplitFlags) => {
      const { access, own } = await openHere(context);
      const { tmux, panes, server } = access;
      const listed = unwrap(context, await panes.list());
      const here = listed.find(({ facts }) => facts.identity.paneId === own);
      if (here === undefined) return refuse(context, 'not_found', `there is no pane ${own}`);
      const { env, cwd: folder } = context;
      const place = { ...unwrap(context, await companionPlace(panes, here, listed)), folder, env };
      if (popup) {
        const words = tmuxWords(server, [popupCommand(place)], env);
        replaceProcess(findOnPath('tmux', env) ?? 'tmux', words.args, words.env);
      }
      const open = companionOf(listed, here.facts.windowId);
      const { pane, isWindow } =
        open === null ? unwrap(context, await openCompanion(tmux, place)) : { pane: open, isWindow: false };
      // Do not open a second companion in this window; bring one in another window into view.
      if (open !== null) unwrap(context, await tmux.run([['select-pane', '-t', pane]]));
      if (isWindow) unwrap(context, await tmux.run([['select-window', '-t', pane]]));
    });
}

/** The tmux server and the calling pane. A key binding has no pane, so it uses the visible one. */
async function openHere(context: CliContext): Promise<{ readonly access: TmuxAccess; readonly own: string }> {
  const { env } = context;
  if (!env.TMUX) refuse(context, 'refused', 'not inside tmux', 'Run "copane up" instead.');
  const access = unwrap(context, await openCheckedTmux(env));
  if (env.TMUX_PANE) return { access, own: env.TMUX_PANE };
  const own = unwrap(context, await currentPane(access.tmux));
  return { access: unwrap(context, await openCheckedTmux({ ...env, TMUX_PANE: own })), own };
}
