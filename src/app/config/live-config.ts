/** The current configuration: rereads the file when it has changed. */
import { statSync } from 'node:fs';
import type { Env } from '../../platform/paths.ts';
import type { Config } from '../../protocol/config.ts';
import { loadConfig } from './load-config.ts';

/** Returns a function that gives the current configuration and checks the file on each call. */
export function liveConfig(file: string, env: Env): () => Config {
  let known: { readonly stamp: string; readonly config: Config } | null = null;
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (known?.stamp !== stamp) known = { stamp, config: loadConfig(file, env).config };
    return known.config;
  };
}
