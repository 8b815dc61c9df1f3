/**
 * The host lock: an exclusive SQLite lock on a file of its own, held for the life of the process. The kernel
 * drops it with the process, however that ends. Nothing else may open the file: closing any other descriptor
 * of it in this process would drop the lock.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ok, type Result } from '../../lib/result.ts';
import { createPrivateFile, ensurePrivateFolder } from '../../platform/private-files.ts';
import { guardStorage, SQLITE, sqliteCodeOf } from '../../store/sqlite.ts';

export interface HostLock {
  release(): void;
}

/** The lock; null when another process holds it. */
export function acquireHostLock(stateDir: string): Result<HostLock | null> {
  const file = path.join(stateDir, 'host.lock');
  return guardStorage(file, () => {
    ensurePrivateFolder(stateDir);
    createPrivateFile(file);
    const database = new DatabaseSync(file);
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
