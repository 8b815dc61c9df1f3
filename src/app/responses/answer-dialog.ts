/** Answers the question of a permission dialog, and only the one that was read: the screen is looked at again first. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { screenRulesFor } from '../../responses/screens/registry.ts';
import { viewPane } from '../../tmux/capture.ts';
import { isSamePane } from '../../tmux/core/formats.ts';
import type { PaneListing } from '../../tmux/panes.ts';
import type { TmuxPort } from '../../tmux/port.ts';

/** Presses `option`, a digit or letter, if the pane still asks `dialog`. */
export async function answerDialog(
  tmux: TmuxPort,
  { facts, cli }: PaneListing,
  { option, dialog }: { readonly option: string; readonly dialog: string },
): Promise<Result<void>> {
  if (!/^[0-9A-Za-z]$/.test(option))
    return fail('invalid', 'an option is chosen by a single digit or letter');
  const { paneId } = facts.identity;
  const view = await viewPane(tmux, paneId);
  if (!view.ok) return view;
  const reading = screenRulesFor(cli).read(view.value.screen);
  if (!isSamePane(view.value.facts, facts.identity) || reading.dialog !== dialog) {
    return fail('refused', 'the question on the screen has changed; nothing was answered', 'Read it again.');
  }
  const pressed = await tmux.run([['send-keys', '-t', paneId, '-l', option]]);
  return pressed.ok ? ok(undefined) : pressed;
}
