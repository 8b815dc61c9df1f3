/** Where jj is on this machine: on the PATH, or where `cargo install --root ~/.cache/copane/jj jj-cli` put it. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The folder of jj's program; null where there is none. */
export function findJj(): string | null {
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    path.join(os.homedir(), '.cache/copane/jj/bin'),
  ];
  return folders.find((folder) => folder !== '' && isProgram(path.join(folder, 'jj'))) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs jj with a fixed name and address, and without the user's configuration. */
export function jj(cwd: string, ...args: string[]): string {
  return execFileSync('jj', ['--no-pager', '--color', 'never', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, JJ_CONFIG: '/dev/null', JJ_USER: 't', JJ_EMAIL: 't@example.com' },
  });
}
