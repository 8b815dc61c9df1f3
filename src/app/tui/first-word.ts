/** What the companion says the first time that it runs for a user: the offers of the set-up, once. */
// biome-ignore lint/style/noRestrictedImports: opens a new file, to write it.
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';

/** Short enough for the four rows that a narrow pane has for it. */
const FIRST_WORD =
  'Welcome. ? shows every key. In a shell: copane init tmux offers a popup key and a status line, copane init lists more; copane doctor checks.';

/** The word, or null from the second time on. A state folder that cannot be written has other words for it. */
export function firstWord(stateDir: string): string | null {
  try {
    ensurePrivateFolder(stateDir, STATE_LEVELS);
    closeSync(openSync(path.join(stateDir, 'welcomed'), 'wx', 0o600));
    return FIRST_WORD;
  } catch {
    return null;
  }
}
