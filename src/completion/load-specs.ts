/** Reads the shipped grammar of commands that lies beside the program; a run from source has none. */
import { readFileSync } from 'node:fs';
import { GrammarCatalogue } from './core/grammar.ts';

/** The catalogue; null when its file is not there. */
export function loadSpecs(): GrammarCatalogue | null {
  try {
    return new GrammarCatalogue(readFileSync(new URL('./completion-specs.txt', import.meta.url), 'utf8'));
  } catch {
    // A broken installation still completes from the history.
    return null;
  }
}
