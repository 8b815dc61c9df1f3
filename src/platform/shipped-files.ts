/** The files that the program opens or starts by name. The build makes them; `shippedFile` accepts no other name. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Child processes and worker threads: the name in the build, and the module bundled into it. */
export const SHIPPED_PROGRAMS = {
  'completion-worker.js': 'src/completion/worker.ts',
  'gguf.js': 'src/completion/models/gguf-child.ts',
  'color-worker.js': 'src/app/review/color-worker.ts',
  'filemap.js': 'src/filemap/map-child.ts',
} as const;

export const SHIPPED_DATA = {
  'completion-hidden.zsh': 'src/completion/zsh/hidden.zsh',
  'completion-prior.txt': 'src/completion/prior/tldr.txt',
  'completion-popular.txt': 'src/completion/prior/popular.txt',
} as const;

const SOURCES = { ...SHIPPED_PROGRAMS, ...SHIPPED_DATA };

/** The path of a shipped file: beside the bundle, or the source when copane runs from source. */
export function shippedFile(name: keyof typeof SOURCES): URL {
  const here = import.meta.dirname;
  const isSource = import.meta.filename.endsWith('.ts');
  return pathToFileURL(isSource ? path.resolve(here, '../..', SOURCES[name]) : path.join(here, name));
}
