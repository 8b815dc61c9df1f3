/** What the followed pane does now: its state, since when, and what it asks. */
import { isDeepStrictEqual } from 'node:util';
import type { AskedCall } from '../../protocol/dialog.ts';
import { composeDialog } from '../../responses/core/dialog.ts';
import type { PaneStatus } from '../../ui/responses/port.ts';
import type { FollowedPane } from './followed-pane.ts';

export const NO_STATUS: PaneStatus = { state: 'unknown', since: null, dialog: null, queued: false };

/** The same object as before while nothing changed. */
export function statusOf(pane: FollowedPane, asked: readonly AskedCall[], before: PaneStatus): PaneStatus {
  const { reading, since } = pane;
  const choice = reading?.choice ?? null;
  const now = choice === null ? null : composeDialog(choice, asked);
  const dialog = isDeepStrictEqual(now, before.dialog) ? before.dialog : now;
  const status = { state: pane.pane.state, since, dialog, queued: reading?.queued ?? false };
  return isDeepStrictEqual(status, before) ? before : status;
}
