/** The configuration as it is at the moment: the file is read again when it has changed. */
import { statSync } from 'node:fs';
import type { Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';
import { loadConfig } from './load-config.ts';

/** Gives the configuration of `file` and `env`; looks at the file each time it is asked. */
export function liveConfig(file: string, env: Env): () => Config {
  let known: { readonly stamp: string; readonly config: Config } | null = null;
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (known?.stamp !== stamp) known = { stamp, config: loadConfig(file, env).config };
    return known.config;
  };
}
