/** The fast start of the companion: draws a first frame before the rest is loaded. Handles no argument but a pane. */
import { skeletonFrame } from '../ui/app/skeleton.ts';
import { canDrawOn, detectTheme } from '../ui/kit/theme/detect.ts';
import type { CliContext } from './cli-context.ts';
import { openFront } from './open-front.ts';

/** Restores the terminal for the shell when the companion could not start. */
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** Runs the companion; null without a terminal, or if there are arguments other than a pane. */
export async function quickTui(argv: readonly string[], context: CliContext): Promise<null> {
  const { env, cwd, stdin, say } = context;
  const { stdout } = process;
  const pane = ordinaryPane(argv);
  if (!stdout.isTTY || !stdin.isTTY || pane === undefined || !canDrawOn(env.TERM)) return null;
  const frame = skeletonFrame(stdout.columns || 80, stdout.rows || 24, detectTheme(env));
  // Keys pressed before the companion is up must queue, not echo over its frame.
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

function ordinaryPane(argv: readonly string[]): string | null | undefined {
  const [option, pane, ...more] = argv;
  if (option === undefined) return null;
  const isPane = option === '--pane' && pane !== undefined && !pane.startsWith('-') && more.length === 0;
  return isPane ? pane : undefined;
}
