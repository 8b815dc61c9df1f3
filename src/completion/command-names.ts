/** The names of programs on a search path. Reads each directory once in a while, never per keystroke. */
import { readdir } from 'node:fs/promises';

/** Directories beyond this are not read; nor are more entries than this in one. */
const MAX_DIRECTORIES = 64;
const MAX_ENTRIES = 20_000;

/** All names of files in the directories of `searchPath`. */
export async function readCommandNames(searchPath: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  const directories = new Set(searchPath.split(':').filter((directory) => directory.startsWith('/')));
  for (const directory of [...directories].slice(0, MAX_DIRECTORIES)) {
    // A directory that is not there is ordinary in a PATH.
    const entries = await readdir(directory).catch(() => []);
    for (const entry of entries.slice(0, MAX_ENTRIES)) names.add(entry);
  }
  return names;
}
