/** Composes the file maps: in a thread for whoever must stay responsive, in this one for a single command. */
import path from 'node:path';
import { FileMaps } from '../filemap/file-maps.ts';
import { MapCache } from '../filemap/map-cache.ts';
import { MapThread } from '../filemap/map-thread.ts';
import { copanePaths, type Env } from '../platform/paths.ts';

/** Maps that never hold up this thread; `close` ends the other one. */
export function threadedFileMaps(env: Env): { readonly maps: FileMaps; readonly close: () => Promise<void> } {
  const thread = new MapThread();
  return { maps: new FileMaps((file) => thread.map(file), cacheOf(env)), close: () => thread.close() };
}

/** Maps for a command that has nothing else to do. */
export async function directFileMaps(env: Env): Promise<FileMaps> {
  // Parsers of many languages: loaded only where a map is made.
  const [{ mapFile }, { Grammars }] = await Promise.all([
    import('../filemap/map-file.ts'),
    import('../filemap/grammars.ts'),
  ]);
  const grammars = new Grammars();
  return new FileMaps((file) => mapFile(file, grammars), cacheOf(env));
}

function cacheOf(env: Env): MapCache {
  return new MapCache(path.join(copanePaths(env).cacheDir, 'file-maps'));
}
