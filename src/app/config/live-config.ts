/** The current configuration: rereads the file when it has changed. */
import { statSync } from 'node:fs';
import type { Env } from '../../platform/paths.ts';
import { systemCode } from '../../platform/system-error.ts';
import type { Config } from '../../protocol/config.ts';
import { loadConfig } from './load-config.ts';

/** Changes with the file and its permissions. If the file cannot be checked: the reason. */
function stampOf(file: string): string {
  try {
    const { ino, size, ctimeMs } = statSync(file);
    return `${ino} ${size} ${ctimeMs}`;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    return code;
  }
}

/** Returns a function that gives the current configuration and checks the file on each call. */
export function liveConfig(file: string, env: Env): () => Config {
  let known: { readonly stamp: string; readonly config: Config } | null = null;
  return () => {
    const stamp = stampOf(file);
    if (known?.stamp !== stamp) known = { stamp, config: loadConfig(file, env).config };
    return known.config;
  };
}
