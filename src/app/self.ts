/** How copane starts itself: for the companion's pane, and for commands that the user copies. */
import { fileURLToPath } from 'node:url';
import { wordList } from '../lib/word-list.ts';

export const ownProgram = (): string => fileURLToPath(new URL('../bin/copane', import.meta.url));

/** Variables that locate copane's files: a tmux server keeps its own environment, so they are passed on. */
const PLACE_VARIABLES = wordList(
  'COPANE_SOCKET COPANE_NODE XDG_STATE_HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR NO_COLOR',
);

/** `-e NAME=value` for each of these variables that is set. */
export function placeFlags(env: Readonly<Record<string, string | undefined>>): string[] {
  return PLACE_VARIABLES.flatMap((name) => (env[name] === undefined ? [] : ['-e', `${name}=${env[name]}`]));
}
