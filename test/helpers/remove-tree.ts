/** Removes a test's folder, even while a process that is ending still writes there. */
import { type PathLike, rmSync } from 'node:fs';

/** Removes the folder and its content; waits up to some seconds while it keeps filling. May be missing. */
export function removeTree(folder: PathLike): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
