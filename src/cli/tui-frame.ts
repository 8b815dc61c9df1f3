/** The companion's first frame: on the screen, with the keys already ours, before anything else of it is loaded. */
import { skeletonFrame } from '../ui/skeleton.ts';
import { detectTheme } from '../ui/theme/detect.ts';
import type { CliContext } from './cli-context.ts';

/** What a terminal needs to be the shell's again when the companion could not start. */
const LEAVE = '\u001b[?25h\u001b[?1049l';

/** Draws the frame, where there is a terminal to draw on and no help to be printed. */
export function showFirstFrame(argv: readonly string[], { env, stdin }: CliContext): void {
  const { stdout } = process;
  if (!stdout.isTTY || !stdin.isTTY || !isOrdinary(argv)) return;
  const frame = skeletonFrame(stdout.columns || 80, stdout.rows || 24, detectTheme(env));
  // Keys that are pressed before the surface is up shall be waiting for it, not be echoed over its frame.
  stdin.setRawMode(true);
  stdout.write(frame);
}

/** Words that lead to the surface for certain: a wrong one, `--help` and `--plain` need the screen as it is. */
function isOrdinary(argv: readonly string[]): boolean {
  const [option, pane, ...more] = argv;
  return (
    option === undefined ||
    (option === '--pane' && pane !== undefined && !pane.startsWith('-') && more.length === 0)
  );
}

/** Gives the terminal back after a start that failed. */
export function hideFirstFrame({ stdin }: CliContext): void {
  stdin.setRawMode(false);
  process.stdout.write(LEAVE);
}
