/** Folders and files that only their owner may enter. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import path from 'node:path';

/** `.local`, `state`, `copane` below a home folder. If more is missing, the path is wrong: a home is never created. */
export const STATE_LEVELS = 3;

/** A folder or file that cannot be used, with a message and a next step for the user. */
export class FolderError extends Error {
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    super(message);
    this.hint = hint;
  }
}

/** Creates a private folder (0700) and up to `levels` - 1 parents. Closes an existing folder to other users. */
export function ensurePrivateFolder(folder: string, levels = STATE_LEVELS + 1): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) makeFolder(folder, levels);
  else if (found.uid !== process.getuid?.()) {
    throw new FolderError(`${folder} belongs to another user (uid ${found.uid}); copane does not use it.`);
  } else if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Not with `recursive`: it reports ENOENT if a parent is on a read-only file system. */
function makeFolder(folder: string, levels: number): void {
  const parent = path.dirname(folder);
  if (!existsSync(parent)) {
    if (levels === 1) throw new FolderError(`${folder} cannot be made: there is no folder ${parent}.`);
    makeFolder(parent, levels - 1);
  }
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process created it at the same moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw thrown;
  }
}

/** Creates `file` empty, mode 0600. Never opens an existing file: closing it would drop SQLite's POSIX locks. */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (thrown) {
    if (!existsSync(file)) throw thrown;
  }
}
