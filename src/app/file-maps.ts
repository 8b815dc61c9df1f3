/** Creates the file maps. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FileMapPort } from '../agent/tools/tool.ts';
import type { FitOptions } from '../filemap/core/fit-map.ts';
import { FileMaps } from '../filemap/file-maps.ts';
import { MapCache } from '../filemap/map-cache.ts';
import { MapProcess } from '../filemap/map-process.ts';
import { type Failure, fail, ok, type Result } from '../lib/result.ts';
import { copanePaths, type Env } from '../platform/paths.ts';
import type { RenderedMap } from '../protocol/file-map.ts';
import type { IsSecret } from '../review/core/secret-files.ts';

/**
 * File maps made in a child process; `close` ends it at once, otherwise it ends with this process. `onFailure` gets the
 * reason when a map could not be kept; whoever makes only one does not need to know.
 */
export function openFileMaps(
  env: Env,
  onFailure: (message: string) => void = () => undefined,
): { readonly maps: FileMaps; readonly close: () => Promise<void> } {
  const apart = new MapProcess();
  const cache = new MapCache(path.join(copanePaths(env).cacheDir, 'file-maps'), onFailure);
  return { maps: new FileMaps((file) => apart.map(file), cache), close: () => apart.close() };
}

/** A map for an AI, only for files in its project. Resolves links before it checks that. */
export async function mapProjectFile(
  where: {
    readonly env: Env;
    readonly root: string;
    readonly file: string;
    /** Files to refuse; omitted when the user asks. */
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
  const { maps, close } = openFileMaps(where.env);
  const rendered = await maps.render(found.value.absolute, options);
  await close();
  return rendered;
}

const AGENT_READ_CALL = 'read_file(file_path, start_line, end_line)';

/** Maps for the agent's `read_file`. `onFailure` gets the reason when a file has no map. */
export function agentFileMaps(maps: FileMaps, onFailure: (failure: Failure) => void): FileMapPort {
  return {
    outline: async ({ absolutePath, relativePath }, maxBytes) => {
      const rendered = await maps.render(absolutePath, { maxBytes, readCall: AGENT_READ_CALL });
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
