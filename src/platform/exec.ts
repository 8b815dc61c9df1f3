/** Finds programs on the PATH, and hands this process over to one. */
import { spawnSync } from 'node:child_process';
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

/** The file that a shell would run for `name`; null when there is none. */
export function findOnPath(name: string, env: Env): string | null {
  if (name.includes('/')) return isExecutableFile(name) ? name : null;
  for (const dir of (env.PATH ?? '').split(':')) {
    const file = path.join(dir === '' ? '.' : dir, name);
    if (isExecutableFile(file)) return file;
  }
  return null;
}

/**
 * Becomes another program, as `exec` in a shell does; does not return. Where Node cannot (before 22.15), the
 * program runs as a child on the same terminal and its exit code becomes ours.
 */
export function replaceProcess(file: string, args: readonly string[], env: Env): never {
  const defined = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  if (typeof process.execve === 'function') process.execve(file, [file, ...args], defined);
  const { status } = spawnSync(file, args, { stdio: 'inherit', env: defined });
  process.exit(status ?? 1);
}
