/** Access to one AI pane for the length of a command. */
import { openPaneSession, type PaneSession } from '../app/responses/pane-session.ts';
import { type CliContext, unwrap } from './cli-context.ts';

export interface PaneFlag {
  readonly pane?: string;
}

/** Runs `work` with the pane, by default the one that the user means, then closes it. */
export async function withPane(
  context: CliContext,
  pane: string | undefined,
  work: (session: PaneSession) => Promise<void>,
): Promise<void> {
  const session = unwrap(context, await openPaneSession(context.env, pane ?? null, context.tmux));
  try {
    await work(session);
  } finally {
    await session.close();
  }
}
