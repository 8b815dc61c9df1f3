/**
 * The host lock: an exclusive SQLite lock on a separate file, released by the kernel however the process ends. Nothing
 * else may open the file: closing any other descriptor of it in this process would release the lock.
 */

import { randomUUID } from 'node:crypto';
import { rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { type Failure, ok, type Result } from '../../lib/result.ts';
import { createPrivateFile, ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';
import { connect, guardStorage, NO_LOCKS_HINT, SQLITE, sqliteCodeOf } from '../../store/sqlite.ts';

export interface HostLock {
  release(): void;
}

/** How long a leader may take to serve after it took the lock: opening the store takes long on a loaded machine. */
const START_MAX_MS = 30_000;

const lockOf = (stateDir: string) => path.join(stateDir, 'host.lock');

/** Acquires the lock; null if another process holds it. The file's time tells when it was taken. */
export function acquireHostLock(stateDir: string): Result<HostLock | null> {
  const file = lockOf(stateDir);
  const lock = lockFile(file);
  if (lock.ok && lock.value !== null) date(file);
  return lock;
}

function date(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // If nothing can be written, the store reports it with a clearer message.
  }
}

/** Whether another process holds it, and may still be starting. */
export function isJustTaken(stateDir: string): boolean {
  const file = lockOf(stateDir);
  const taken = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.abs(Date.now() - taken) >= START_MAX_MS) return false;
  const lock = lockFile(file);
  if (lock.ok) lock.value?.release();
  return lock.ok && lock.value === null;
}

/** Why no process can take the lock, or null. A test with another file tells missing support from a held lock. */
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
