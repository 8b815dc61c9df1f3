/** The text that the user has selected in a pane's copy mode. The selection and the user's buffers stay as they are. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { PaneFacts } from '../../tmux/core/formats.ts';
import type { TmuxPort } from '../../tmux/port.ts';

/** Buffers that we make are named so; tmux adds a number. */
const BUFFER_PREFIX = 'copane-selection-';

/** The selected text; a failure says that there is none. */
export async function readSelection(tmux: TmuxPort, pane: PaneFacts): Promise<Result<string>> {
  const target = pane.identity.paneId;
  const shown = await tmux.run([['display-message', '-p', '-t', target, '#{selection_present}']]);
  if (!shown.ok) return shown;
  if (shown.value.trim() !== '1')
    return fail(
      'not_found',
      'nothing is selected in the AI pane',
      'Select in its copy mode first (prefix [).',
    );
  const copied = await tmux.run([
    ['send-keys', '-t', target, '-X', 'copy-selection-no-clear', BUFFER_PREFIX],
    ['list-buffers', '-F', '#{buffer_name}', '-f', `#{m:${BUFFER_PREFIX}*,#{buffer_name}}`],
  ]);
  if (!copied.ok) return copied;
  const [name] = copied.value.split('\n');
  if (!name) return fail('not_found', 'the selection is empty');
  const text = await tmux.run([
    ['show-buffer', '-b', name],
    ['delete-buffer', '-b', name],
  ]);
  return text.ok ? ok(text.value) : text;
}
