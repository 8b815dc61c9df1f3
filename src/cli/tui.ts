/** `copane tui`: runs the companion when `quick-tui.ts` cannot. */
import type { Command } from 'commander';
import { canDrawOn } from '../ui/kit/theme/detect.ts';
import { type CliContext, refuse, subcommand } from './cli-context.ts';
import { openFront } from './open-front.ts';
import { PANE_OPTION } from './options.ts';

interface TuiFlags {
  readonly pane?: string;
  readonly plain?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('tui', context)
    .description('run the companion in this terminal')
    .option(...PANE_OPTION)
    .option('--plain', 'no boxes, no colour, one line after the other: for screen readers')
    .action((flags: TuiFlags) => tui(context, flags));
}

async function tui(context: CliContext, flags: TuiFlags): Promise<void> {
  const { stdout } = process;
  if (!stdout.isTTY || !context.stdin.isTTY) {
    refuse(context, 'refused', 'the companion needs a terminal', 'Open it in tmux with: copane');
  }
  const { env, cwd, stdin, say } = context;
  const { plain = false, pane = null } = flags;
  if (!plain && !canDrawOn(env.TERM)) {
    const message = `the companion cannot be drawn here (TERM is "${env.TERM ?? ''}")`;
    refuse(context, 'refused', message, 'With --plain it writes line by line.');
  }
  const { runTui } = await import('../app/tui/tui.ts');
  await runTui({ env, cwd, stdin, stdout, say, plain, pane, openFront });
}
