/** Tells whether a missing folder could be created, without creating it. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../../lib/result.ts';

/** Why it could not be created, in words; null if it could. */
export function whyNotCreatable(folder: string): string | null {
  const parent = path.dirname(folder);
  const found = statSync(parent, { throwIfNoEntry: false });
  if (found === undefined) return parent === folder ? null : whyNotCreatable(parent);
  if (!found.isDirectory()) return `${parent} is a file`;
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
    return null;
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    if (code === 'EROFS') return `${parent} is on a file system that is read-only`;
    return code === 'EACCES' || code === 'EPERM' ? `you may not write in ${parent}` : errorMessage(thrown);
  }
}
