/** Reads the user's configuration file. Never one from a repository: only the user's own XDG folder counts. */
import { errorMessage } from '../../lib/result.ts';
import type { Env } from '../../platform/paths.ts';
import { readRegularSync } from '../../platform/regular-file.ts';
import { formatProblem, type LoadedConfig, parseConfig } from './parse-config.ts';

/** Who reads the file also reports what is wrong with it, so both come from one module. */
export { formatProblem };

/** A larger file is not a configuration. */
export const CONFIG_MAX_BYTES = 1024 * 1024;

/** The configuration of `file` and `env`. What cannot be read is listed as a problem, so this never fails. */
export function loadConfig(file: string, env: Env): LoadedConfig {
  try {
    return parseConfig({ file, text: readText(file), env });
  } catch (thrown) {
    const without = parseConfig({ file, text: null, env });
    const problem = {
      where: file,
      position: null,
      message: `cannot be read: ${errorMessage(thrown)}`,
      hint: 'the defaults apply',
    };
    return { ...without, problems: [problem, ...without.problems] };
  }
}

/** Null where there is no such file. */
function readText(file: string): string | null {
  try {
    return String(readRegularSync(file, { maxBytes: CONFIG_MAX_BYTES }));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw thrown;
  }
}
