/** The companion's welcome message, shown once per user: how to set copane up. */
// biome-ignore lint/style/noRestrictedImports: opens a new file, to write it.
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';

/** Short enough for the four rows that a narrow pane has for it. */
const FIRST_WORD =
  'Welcome. ? shows every key. In a shell: copane init tmux offers a popup key and a status line, copane init lists more; copane doctor checks.';

/** The message; null from the second time on, or if the state folder is not writable (reported elsewhere). */
export function firstWord(stateDir: string): string | null {
  try {
    ensurePrivateFolder(stateDir, STATE_LEVELS);
    closeSync(openSync(path.join(stateDir, 'welcomed'), 'wx', 0o600));
    return FIRST_WORD;
  } catch {
    return null;
  }
}
