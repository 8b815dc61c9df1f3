/**
 * The configuration of someone who has configured nothing, which is most people: known when the product is built, so
 * that a start need not load the schema to learn it. Run from source it is never known.
 */
import { statSync } from 'node:fs';
import type { Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';

/** Filled in by the bundle: the schema's defaults. */
declare const COPANE_CONFIG_DEFAULTS: Config | undefined;

/** The defaults; null when there is a file or a variable that must be read. */
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

/** The customary variable that names the user's editor. */
export function editorVariable(env: Env): 'VISUAL' | 'EDITOR' | undefined {
  return (['VISUAL', 'EDITOR'] as const).find((name) => (env[name] ?? '') !== '');
}

/** A file that cannot be checked is a problem to report, not a missing file. */
function mayExist(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
