/** The language of a file: by its name, or by the interpreter in its first line. */
import type { Language } from './language.ts';
import * as mappers from './mappers/index.ts';

const LANGUAGES: readonly Language[] = Object.values(mappers);

/** The language of a file; null if neither name nor first line tells. `Dockerfile.dev` counts as a Dockerfile. */
export function languageOf(file: { readonly name: string; readonly firstLine: string }): Language | null {
  const name = file.name.toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return (
    LANGUAGES.find(({ fileNames }) => fileNames?.includes(name)) ??
    LANGUAGES.find(({ extensions }) => name.includes('.') && extensions.includes(extension)) ??
    LANGUAGES.find(({ fileNames }) => fileNames?.some((known) => name.startsWith(`${known}.`))) ??
    LANGUAGES.find(
      ({ interpreter }) => file.firstLine.startsWith('#!') && interpreter?.test(file.firstLine),
    ) ??
    null
  );
}

/** The grammars in use, which the build ships. */
export function grammarNames(): readonly string[] {
  return [...new Set(LANGUAGES.flatMap(({ grammar }) => (grammar === undefined ? [] : [grammar.wasm])))];
}
