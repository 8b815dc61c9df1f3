/**
 * The host lock: an exclusive SQLite lock on a separate file, held for the life of the process and released by the
 * kernel however the process ends. Nothing else may open the file: closing any other descriptor of it in this process
 * would release the lock.
 */

import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Failure, ok, type Result } from '../../lib/result.ts';
import { createPrivateFile, ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';
import { connect, guardStorage, NO_LOCKS_HINT, SQLITE, sqliteCodeOf } from '../../store/sqlite.ts';

export interface HostLock {
  release(): void;
}

/** Acquires the lock; null if another process holds it. */
export function acquireHostLock(stateDir: string): Result<HostLock | null> {
  return lockFile(path.join(stateDir, 'host.lock'));
}

/**
 * Why no process can hold the lock; null if one can. SQLite reports a file system without locks as if another process
 * held them; locking a file that only we know tells the two apart.
 */
export function whyNoLocks(stateDir: string): Failure | null {
  const file = path.join(stateDir, `probe-${randomUUID()}.lock`);
  try {
    const held = lockFile(file);
    if (held.ok && held.value !== null) held.value.release();
    if (!held.ok || held.value !== null) return null;
    return {
      code: 'internal',
      message: `The file system of ${stateDir} does not support file locks.`,
      hint: NO_LOCKS_HINT,
    };
  } finally {
    rmSync(file, { force: true });
  }
}

function lockFile(file: string): Result<HostLock | null> {
  const stateDir = path.dirname(file);
  return guardStorage(file, () => {
    ensurePrivateFolder(stateDir, STATE_LEVELS);
    createPrivateFile(file);
    const database = connect(file);
    try {
      database.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
      return ok({ release: () => database.close() });
    } catch (thrown) {
      database.close();
      if (sqliteCodeOf(thrown) === SQLITE.BUSY) return ok(null);
      throw thrown;
    }
  });
}
