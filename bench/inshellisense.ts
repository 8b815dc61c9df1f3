/** Starts inshellisense for a comparison, where it is installed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findPeer, PEERS } from './peers.ts';
import type { ZshSessionOptions } from './zsh-session.ts';

/** Starts a session; null where it is not installed. */
export function inshellisense(open: { close: () => unknown }[]): ZshSessionOptions | null {
  const program = findPeer(PEERS.inshellisense);
  if (program === null) return null;
  // It unpacks its resources into its home once.
  const home = mkdtempSync(path.join(os.tmpdir(), 'copane-bench-is-'));
  open.push({ close: () => rmSync(home, { recursive: true, force: true }) });
  writeFileSync(path.join(home, '.zshrc'), "PS1='READY%# '\n");
  const env = { HOME: home, ZDOTDIR: home };
  execFileSync(program, ['reinit'], { env: { ...process.env, ...env }, stdio: 'ignore' });
  return { zshrc: [], env, argv: [program, '-s', 'zsh'] };
}
