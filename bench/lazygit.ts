/** How lazygit is started for a comparison, where `npm run setup:peers` has built it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from '../src/platform/exec.ts';
import { copanePaths } from '../src/platform/paths.ts';
import type { Start } from './time-to-frame.ts';

export const LAZYGIT_VERSION = 'v0.64.1';
export const LAZYGIT_PROGRAM = path.join(copanePaths(process.env).cacheDir, 'peers/lazygit/lazygit');

/** No questions, no news and no network at its start. */
const CONFIG = 'disableStartupPopups: true\nupdate:\n  method: never\ngit:\n  autoFetch: false\n';

/** In `project`, with a configuration of its own below `folder`; null where there is no lazygit. */
export function lazygit(project: string, folder: string): Omit<Start, 'shows'> | null {
  const file = existsSync(LAZYGIT_PROGRAM) ? LAZYGIT_PROGRAM : findOnPath('lazygit', process.env);
  if (file === null) return null;
  const home = path.join(folder, 'lazygit');
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'config.yml'), CONFIG);
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_STATE_HOME: home, LANG: 'C.UTF-8' };
  return { file, args: ['--use-config-dir', home, '--path', project], env, cwd: project };
}
