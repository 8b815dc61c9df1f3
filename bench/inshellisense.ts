/** How inshellisense is started for a comparison, where it is installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ZshSessionOptions } from './zsh-session.ts';

const FOLDER =
  process.env.COPANE_BENCH_INSHELLISENSE ?? path.join(os.homedir(), '.cache/copane/shells/inshellisense');
export const INSHELLISENSE_PROGRAM = path.join(
  FOLDER,
  'node_modules/@microsoft/inshellisense-linux-x64/inshellisense-linux-x64',
);

/** A session of it; null where it is not installed. */
export function inshellisense(open: { close: () => unknown }[]): ZshSessionOptions | null {
  if (!existsSync(INSHELLISENSE_PROGRAM)) return null;
  // It keeps its resources below a home, and makes them once.
  const home = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-is-'));
  open.push({ close: () => rmSync(home, { recursive: true, force: true }) });
  writeFileSync(path.join(home, '.zshrc'), "PS1='READY%# '\n");
  const env = { HOME: home, ZDOTDIR: home };
  execFileSync(INSHELLISENSE_PROGRAM, ['reinit'], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return { zshrc: [], env, argv: [INSHELLISENSE_PROGRAM, '-s', 'zsh'] };
}
