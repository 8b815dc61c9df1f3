/** Reads the shipped grammar of commands that lies beside the program; a run from source has none. */
import { readRegularSync } from '../platform/regular-file.ts';
import { GrammarCatalogue } from './core/grammar.ts';

const SPECS_MAX_BYTES = 64 * 1024 * 1024;

/** The catalogue; null when its file is not there. */
export function loadSpecs(): GrammarCatalogue | null {
  try {
    return new GrammarCatalogue(
      String(
        readRegularSync(new URL('./completion-specs.txt', import.meta.url), { maxBytes: SPECS_MAX_BYTES }),
      ),
    );
  } catch {
    // A broken installation still completes from the history.
    return null;
  }
}
