/** Starts lazygit for a comparison, where `npm run setup:peers` has built it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findPeer, PEERS } from './peers.ts';
import type { Start } from './time-to-frame.ts';

/** It starts without questions, news or network access. */
const CONFIG = 'disableStartupPopups: true\nupdate:\n  method: never\ngit:\n  autoFetch: false\n';

/** Starts it in `project`, with its configuration in `folder`; null where there is no lazygit. */
export function lazygit(project: string, folder: string): Omit<Start, 'shows'> | null {
  const file = findPeer(PEERS.lazygit);
  if (file === null) return null;
  const home = path.join(folder, 'lazygit');
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'config.yml'), CONFIG);
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_STATE_HOME: home, LANG: 'C.UTF-8' };
  return { file, args: ['--use-config-dir', home, '--path', project], env, cwd: project };
}
