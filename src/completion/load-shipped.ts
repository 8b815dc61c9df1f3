/** Reads the shipped prior and grammar of commands. Without them the engine knows only the user. */
import { readRegularSync } from '../platform/regular-file.ts';
import { shippedFile } from '../platform/shipped-files.ts';
import { GrammarCatalogue } from './core/grammar.ts';
import { Prior } from './core/prior.ts';

const SHIPPED_MAX_BYTES = 64 * 1024 * 1024;

export const loadPrior = (): Prior | null =>
  ifThere(() => new Prior(linesOf('completion-prior.txt'), linesOf('completion-popular.txt')));

/** A run from source has none: the build creates them. */
export const loadSpecs = (): GrammarCatalogue | null =>
  ifThere(() => new GrammarCatalogue(textOf(new URL('./completion-specs.txt', import.meta.url))));

/** A broken installation still completes from the history. */
function ifThere<T>(load: () => T): T | null {
  try {
    return load();
  } catch {
    return null;
  }
}

const textOf = (file: string | URL): string => String(readRegularSync(file, { maxBytes: SHIPPED_MAX_BYTES }));

const linesOf = (name: 'completion-prior.txt' | 'completion-popular.txt'): readonly string[] =>
  textOf(shippedFile(name)).trimEnd().split('\n');
