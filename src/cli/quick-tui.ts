/**
 * The companion's ordinary start: its first frame is on the screen, with the keys already ours, before anything else of
 * it is loaded. Words that need a parser, and a `--help` that needs the screen as it is, are not for it.
 */
import { skeletonFrame } from '../ui/app/skeleton.ts';
import { canDrawOn, detectTheme } from '../ui/kit/theme/detect.ts';
import type { CliContext } from './cli-context.ts';
import { openFront } from './open-front.ts';

/** What a terminal needs to be the shell's again when the companion could not start. */
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** Runs the companion; null where there is no terminal to draw on, or more is asked for than a pane. */
export async function quickTui(argv: readonly string[], context: CliContext): Promise<null> {
  const { env, cwd, stdin, say } = context;
  const { stdout } = process;
  const pane = ordinaryPane(argv);
  if (!stdout.isTTY || !stdin.isTTY || pane === undefined || !canDrawOn(env.TERM)) return null;
  const frame = skeletonFrame(stdout.columns || 80, stdout.rows || 24, detectTheme(env));
  // Keys that are pressed before the surface is up shall be waiting for it, not be echoed over its frame.
  stdin.setRawMode(true);
  stdout.write(frame);
  try {
    const { runTui } = await import('../app/tui/tui.ts');
    return await runTui({ env, cwd, stdin, stdout, say, plain: false, pane, openFront });
  } catch (thrown) {
    stdin.setRawMode(false);
    stdout.write(LEAVE);
    throw thrown;
  }
}

/** The pane that is asked for (null: none); undefined where other words are among them. */
function ordinaryPane(argv: readonly string[]): string | null | undefined {
  const [option, pane, ...more] = argv;
  if (option === undefined) return null;
  const isPane = option === '--pane' && pane !== undefined && !pane.startsWith('-') && more.length === 0;
  return isPane ? pane : undefined;
}
