/** The configuration of a user who has set nothing, computed at build time: startup need not load the schema. */
import { statSync } from 'node:fs';
import type { Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';

/** The schema's defaults, filled in by the bundler. */
declare const COPANE_CONFIG_DEFAULTS: Config | undefined;

/** The defaults; null if a file or variable must be read. */
export function unconfigured(file: string, env: Env): Config | null {
  if (typeof COPANE_CONFIG_DEFAULTS === 'undefined') return null;
  const defaults = COPANE_CONFIG_DEFAULTS;
  const names = Object.keys(defaults).map((key) => `COPANE_${key.toUpperCase()}`);
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if ([...names, 'SUGGESTION_MANAGER_HOST', 'SUGGESTION_MANAGER_PORT'].some(isSet) || mayExist(file))
    return null;
  const variable = editorVariable(env);
  return variable === undefined ? defaults : { ...defaults, editor: env[variable] ?? null };
}

/** The standard variable that names the user's editor. */
export function editorVariable(env: Env): 'VISUAL' | 'EDITOR' | undefined {
  return (['VISUAL', 'EDITOR'] as const).find((name) => (env[name] ?? '') !== '');
}

/** A file that cannot be checked counts as existing: loading it reports the problem. */
function mayExist(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
