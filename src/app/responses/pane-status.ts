/** The current status of the followed pane: its state and since when, its question, its text so far. */
import { isDeepStrictEqual } from 'node:util';
import type { AskedCall } from '../../protocol/dialog.ts';
import { composeDialog } from '../../responses/core/dialog.ts';
import { type Preview, previewOf } from '../../responses/core/preview.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import type { PaneStatus, ResponsesView } from '../../ui/responses/port.ts';
import type { FollowedPane } from './followed-pane.ts';

export const NO_STATUS: PaneStatus = {
  state: 'unknown',
  since: null,
  dialog: null,
  writing: null,
};

/** Returns the same object while nothing changes. */
export function statusOf(pane: FollowedPane, asked: readonly AskedCall[], view: ResponsesView): PaneStatus {
  const before = view.status;
  const { reading, since } = pane;
  const choice = reading?.choice ?? null;
  const now = choice === null ? null : composeDialog(choice, [...asked, ...pane.asked], pane.hasHook);
  const dialog = isDeepStrictEqual(now, before.dialog) ? before.dialog : now;
  const writing = writingOf(pane, view);
  const status = { state: pane.pane.state, since, dialog, writing };
  return isDeepStrictEqual(status, before) ? before : status;
}

/** For the newest turn while it has no text, or for the last sent prompt while there is no turn at all. */
function writingOf({ pane, screen }: FollowedPane, view: ResponsesView): Preview | null {
  const [newest] = view.turns;
  const isAwaited = newest === undefined || (newest.progress === 'streaming' && newest.response === '');
  if (view.past !== null || screen === null || pane.state !== 'working' || !isAwaited) return null;
  const prompt = newest?.prompt ?? view.deliveries[0]?.text ?? null;
  const rules = screenRulesFor(pane.cli);
  const facts = {
    rows: screen.rows.map(({ text }) => text),
    extract: (rows: readonly string[]) => rules.extract(rows, screen.width).lines,
    turn: newest?.id ?? null,
    prompt,
  };
  return previewOf(facts, view.status.writing);
}
