/** `copane tui`: the companion itself. Its frame is on the screen before the rest of it is loaded. */
import type { Command } from 'commander';
import { fail } from '../lib/result.ts';
import { skeletonFrame } from '../ui/skeleton.ts';
import { detectTheme } from '../ui/theme/detect.ts';
import { type CliContext, subcommand, unwrap } from './cli-context.ts';
import { PANE_OPTION } from './options.ts';

interface TuiFlags {
  readonly pane?: string;
  readonly plain?: boolean;
}

export function command(context: CliContext): Command {
  return subcommand('tui', context)
    .description('the companion, in this terminal')
    .option(...PANE_OPTION)
    .option('--plain', 'no boxes, no colour, one line after the other: for screen readers')
    .action((flags: TuiFlags) => tui(context, flags));
}

/** What a terminal needs to be the shell's again when the companion could not start. */
const LEAVE = '\u001b[?25h\u001b[?1049l';

async function tui(context: CliContext, flags: TuiFlags): Promise<void> {
  const { stdout } = process;
  if (!stdout.isTTY || !context.stdin.isTTY) {
    unwrap(context, fail('refused', 'the companion needs a terminal', 'Open it in tmux with: copane'));
  }
  const plain = flags.plain === true;
  const skeleton = skeletonFrame(
    stdout.columns || 80,
    stdout.rows || 24,
    detectTheme(context.env, { plain }),
  );
  // Keys that are pressed before the surface is up shall be waiting for it, not be echoed over its frame.
  context.stdin.setRawMode(true);
  stdout.write(skeleton);
  const { runTui } = await import('../app/tui/tui.ts');
  const { env, cwd, stdin, say } = context;
  const ended = await runTui({ env, cwd, stdin, stdout, say, plain, pane: flags.pane ?? null });
  context.stdin.setRawMode(false);
  if (skeleton !== '') stdout.write(LEAVE);
  unwrap(context, ended);
}
