/** How copane starts itself again: for the companion's pane, and for lines that the user copies. */
import { fileURLToPath } from 'node:url';
import { wordList } from '../lib/word-list.ts';

/** Path of `bin/copane`, which stands beside the bundle's folder. */
export function ownProgram(): string {
  return fileURLToPath(new URL('../bin/copane', import.meta.url));
}

/** Variables that say where copane keeps its things: a tmux server remembers its own, so they are handed on. */
const PLACE_VARIABLES = wordList(
  'COPANE_SOCKET COPANE_NODE XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR NO_COLOR',
);

/** `-e NAME=value` for every such variable that is set. */
export function placeFlags(env: Readonly<Record<string, string | undefined>>): string[] {
  return PLACE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : ['-e', `${name}=${env[name]}`]));
}
