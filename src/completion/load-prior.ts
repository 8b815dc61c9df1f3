/** Reads the shipped prior that lies beside the program. Without it the engine knows only the user. */
import { readFileSync } from 'node:fs';
import { shippedFile } from '../platform/shipped-files.ts';
import { Prior } from './core/prior.ts';

/** The prior; null when its file is not there. */
export function loadPrior(): Prior | null {
  try {
    return new Prior(readFileSync(shippedFile('completion-prior.txt'), 'utf8').trimEnd().split('\n'));
  } catch {
    // A broken installation still completes from the history.
    return null;
  }
}
