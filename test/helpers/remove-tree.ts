/** Takes a folder of a test away, also while a process that was told to end still writes there. */
import { type PathLike, rmSync } from 'node:fs';

/** Removes the folder with all that is in it; waits for at most some seconds while it keeps filling. Missing is fine. */
export function removeTree(folder: PathLike): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
