/** Reads the shipped prior that lies beside the program. Without it the engine knows only the user. */
import { readRegularSync } from '../platform/regular-file.ts';
import { shippedFile } from '../platform/shipped-files.ts';
import { Prior } from './core/prior.ts';

const PRIOR_MAX_BYTES = 64 * 1024 * 1024;

/** The prior; null when its file is not there. */
export function loadPrior(): Prior | null {
  try {
    return new Prior(linesOf('completion-prior.txt'), linesOf('completion-popular.txt'));
  } catch {
    // A broken installation still completes from the history.
    return null;
  }
}

const linesOf = (name: 'completion-prior.txt' | 'completion-popular.txt'): readonly string[] =>
  String(readRegularSync(shippedFile(name), { maxBytes: PRIOR_MAX_BYTES }))
    .trimEnd()
    .split('\n');
