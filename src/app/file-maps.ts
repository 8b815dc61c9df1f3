/** Composes the file maps: in a thread for whoever must stay responsive, in this one for a single command. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { IsSecret } from '../agent/tools/kept-back.ts';
import type { FileMapPort } from '../agent/tools/tool.ts';
import type { FitOptions } from '../filemap/core/fit-map.ts';
import { FileMaps } from '../filemap/file-maps.ts';
import { MapCache } from '../filemap/map-cache.ts';
import { MapThread } from '../filemap/map-thread.ts';
import { type Failure, fail, ok, type Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { RenderedMap } from '../protocol/file-map.ts';

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

/** A map for an AI: of a file in its project, and nowhere else. Links are followed before that is judged. */
export async function mapProjectFile(
  where: {
    readonly env: Env;
    readonly root: string;
    readonly file: string;
    /** Files that are refused; left out: the user asks, and none is. */
    readonly isSecret?: IsSecret;
  },
  options: FitOptions,
): Promise<Result<RenderedMap>> {
  const { resolveInProject } = await import('../agent/tools/project-path.ts');
  const found = await resolveInProject(await realpath(where.root), where.file);
  if (!found.ok) return found;
  const { isSecret = () => false } = where;
  if (isSecret(found.value.relative) || isSecret(where.file)) {
    return fail('refused', 'This file holds secrets, by its name.', 'Ask the user for what you need of it.');
  }
  return (await directFileMaps(where.env)).render(found.value.absolute, options);
}

/** Maps for the agent's `read_file`. `onFailure` hears why a file has none. */
export function agentFileMaps(maps: FileMaps, onFailure: (failure: Failure) => void): FileMapPort {
  return {
    outline: async ({ absolutePath, relativePath }, maxBytes) => {
      const rendered = await maps.render(absolutePath, { maxBytes });
      if (!rendered.ok) {
        onFailure(rendered.error);
        return rendered;
      }
      const { text, details } = rendered.value;
      const { symbolCount, totalLines, language } = details;
      return ok({ text, filePath: relativePath, symbolCount, totalLines, language });
    },
  };
}

function cacheOf(env: Env): MapCache {
  return new MapCache(path.join(copanePaths(env).cacheDir, 'file-maps'));
}
