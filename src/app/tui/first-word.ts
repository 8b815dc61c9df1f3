/** What the companion says the first time that it runs for a user: the offers of the set-up, once. */
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';

const FIRST_WORD = 'Welcome. ? shows every key. zsh completions: copane init zsh. All is well? copane doctor';

/** The word, or null from the second time on. A state folder that cannot be written has other words for it. */
export function firstWord(stateDir: string): string | null {
  try {
    closeSync(openSync(path.join(stateDir, 'welcomed'), 'wx', 0o600));
    return FIRST_WORD;
  } catch {
    return null;
  }
}
