/** Reads the user's configuration file from the user's own XDG folder, never from a repository. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import { formatProblem, type LoadedConfig, parseConfig } from './parse-config.ts';

/** Re-exported for callers that report the problems. */
export { formatProblem };

export const CONFIG_MAX_BYTES = 1024 * 1024;

/** The configuration from `file` and `env`. Never fails: errors are listed as problems. */
export function loadConfig(file: string, env: Env): LoadedConfig {
  try {
    return parseConfig({ file, text: readText(file), env });
  } catch (thrown) {
    return parseConfig({ file, text: null, env, failure: errorMessage(thrown) });
  }
}

/** Null if the file does not exist. Throws if it stands under a name that is not read. */
function readText(file: string): string | null {
  try {
    return String(readRegularSync(file, { maxBytes: CONFIG_MAX_BYTES }));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
  }
  const misnamed = path.join(path.dirname(file), 'config.json');
  if (existsSync(misnamed))
    throw new Error(`rename ${misnamed}, which is not read, to ${path.basename(file)}`);
  return null;
}
