/** Reads the shipped prior that lies beside the program. Without it the engine knows only the user. */
import { readFileSync } from 'node:fs';
import { Prior } from './core/prior.ts';

/** The prior; null when its file is not there. */
export function loadPrior(): Prior | null {
  const name = import.meta.url.endsWith('.ts') ? './prior/tldr.txt' : './completion-prior.txt';
  try {
    return new Prior(
      readFileSync(new URL(name, import.meta.url), 'utf8')
        .trimEnd()
        .split('\n'),
    );
  } catch {
    // A broken installation still completes from the history.
    return null;
  }
}
