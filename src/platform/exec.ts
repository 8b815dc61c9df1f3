/** Finds programs on the PATH, and hands this process over to one. */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Env } from './paths.ts';

function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The file that a shell would run for `name`; null if there is none. */
export function findOnPath(name: string, env: Env): string | null {
  if (name.includes('/')) return isExecutableFile(name) ? name : null;
  for (const dir of (env.PATH ?? '').split(':')) {
    const file = path.join(dir === '' ? '.' : dir, name);
    if (isExecutableFile(file)) return file;
  }
  return null;
}

/** Replaces this process like `exec`; does not return. Before Node 22.15, runs a child and exits with its code. */
export function replaceProcess(file: string, args: readonly string[], env: Env): never {
  const defined = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (typeof process.execve === 'function') {
    // Node has set the terminal to non-blocking, so plain programs fail to read (EAGAIN). A child that inherits the
    // terminal makes it blocking again for all who share it.
    spawnSync('true', { stdio: 'inherit' });
    process.execve(file, [file, ...args], defined);
  }
  const { status } = spawnSync(file, args, { stdio: 'inherit', env: defined });
  process.exit(status ?? 1);
}

/** Starts a program that outlives this process and does not share its terminal. Does not report a failure to start. */
export function startApart(file: string, args: readonly string[], env: Env): void {
  const child = spawn(file, args, { stdio: 'ignore', detached: true, env });
  child.on('error', () => undefined);
  child.unref();
}
