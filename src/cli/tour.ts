/** `copane tour`: runs a scripted AI in the AI pane when no AI CLI is installed. */

import { openTmux, prefixKey } from '../app/tmux.ts';
import { runTour, TERMINAL_GONE } from '../app/tour/tour.ts';
import { createTourReview } from '../app/tour/tour-review.ts';
import { createTourSession } from '../app/tour/tour-session.ts';
import { systemTimers } from '../platform/timers.ts';
import { type CliContext, refuse, subcommand, unwrap } from './cli-context.ts';

export function command(context: CliContext) {
  return subcommand('tour', context)
    .description('try copane with a scripted AI; "copane up" opens this when no AI CLI is installed')
    .action(async () => {
      if (!process.stdin.isTTY)
        refuse(context, 'refused', 'the tour needs a terminal', 'Start it with: copane up -- copane tour');
      const ended = new AbortController();
      // More than one signal can arrive: tmux and the kernel both report the closed terminal.
      process.on('SIGHUP', () => ended.abort(TERMINAL_GONE));
      process.on('SIGTERM', () => ended.abort());
      // Reads and writes fail on a closed terminal, but the example must still be removed.
      for (const stream of [process.stdout, process.stdin])
        stream.on('error', () => ended.abort(TERMINAL_GONE));
      await runTour({
        stdin: process.stdin,
        stdout: process.stdout,
        clock: systemTimers,
        review: createTourReview(context.env),
        session: unwrap(context, createTourSession(context.env)),
        prefix: await prefixKey(openTmux(context.env).tmux),
        signal: ended.signal,
      });
    });
}
