/** SQLite through `node:sqlite`: opening, transactions, and error codes as sentences. Knows no tables. */

import { statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { parseJson } from '../lib/parse-json.ts';
import { errorMessage, type Failure, fail, type Result } from '../lib/result.ts';
import { FolderError } from '../platform/private-files.ts';
import { systemCode, systemWords } from '../platform/system-error.ts';
import { hasFields } from './core/record-fields.ts';

/** How long a statement waits for another process's write lock. */
const BUSY_TIMEOUT_MS = 2_000;

/** The primary result codes of SQLite that copane distinguishes. */
export const SQLITE = {
  ERROR: 1,
  PERM: 3,
  BUSY: 5,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  MISUSE: 21,
  RANGE: 25,
  NOTADB: 26,
} as const;

/** SQLite's I/O errors from file locks: unlock, read lock, lock, shared memory; and "locking protocol". */
const LOCK_ERRORS: ReadonlySet<number> = new Set([2058, 2314, 3850, 5130, 15]);

/** The WAL's shared-memory file could not grow: a full disk that SQLite reports as an I/O error. */
const SQLITE_IOERR_SHMSIZE = 4874;

function extendedCodeOf(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return null;
  return typeof thrown.errcode === 'number' ? thrown.errcode : null;
}

/** SQLite's primary result code of a thrown error; null if SQLite did not throw it. */
export function sqliteCodeOf(thrown: unknown): number | null {
  const code = extendedCodeOf(thrown);
  return code === null ? null : code & 0xff;
}

/** A row that SQLite reads without error but that copane cannot have written. */
export class DamageError extends Error {}

/** Whether the error means that the file is not an intact copane database. */
export function isDamage(thrown: unknown): boolean {
  const code = sqliteCodeOf(thrown);
  return code === SQLITE.CORRUPT || code === SQLITE.NOTADB || thrown instanceof DamageError;
}

/** Whether a reader can meet this error: the database is damaged, locked or incomplete. */
export const isOfDatabase = (thrown: unknown) =>
  sqliteCodeOf(thrown) !== null || isDamage(thrown) || thrown instanceof FolderError;

const OWN_FOLDER_HINT = 'Make it writable for you, or set XDG_STATE_HOME to a folder of your own.';

/** The hint for a file system without file locks. */
export const NO_LOCKS_HINT =
  'A network file system may need its lock service. Or set XDG_STATE_HOME to a folder on a local disk.';

/** The failure for an SQLite or file system error about `file`; null for any other error. */
export function storageFailure(thrown: unknown, file: string): Failure | null {
  const folder = path.dirname(file);
  const why = errorMessage(thrown);
  if (isDiskFull(thrown))
    return failureOf(
      `The disk with ${folder} is full; nothing was written.`,
      'Free some space, then try again.',
    );
  if (isDamage(thrown))
    return failureOf(
      `${file} is damaged (${why}).`,
      'Try again: copane keeps the damaged file and recovers what can be read of it.',
    );
  if (thrown instanceof FolderError) return failureOf(thrown.message, thrown.hint ?? OWN_FOLDER_HINT);
  if (isLockRefused(thrown))
    return failureOf(`The file system of ${folder} does not support file locks (${why}).`, NO_LOCKS_HINT);
  switch (sqliteCodeOf(thrown)) {
    case SQLITE.PERM:
    case SQLITE.READONLY:
    case SQLITE.CANTOPEN:
      return failureOf(`${file} cannot be written (${why}).`, OWN_FOLDER_HINT);
    case SQLITE.BUSY:
      return failureOf(
        `${file} has been in use by another process for more than ${BUSY_TIMEOUT_MS / 1000} s.`,
        `Run "copane doctor" to see who leads. ${NO_LOCKS_HINT}`,
      );
    case SQLITE.NOMEM:
      return unusable(folder, 'ENOMEM');
    case SQLITE.IOERR:
      return failureOf(
        `Reading or writing ${file} failed: an input/output error of the disk, or no room left on it or in your quota (${why}).`,
        'Check the free space ("df", "quota"), your limits ("ulimit -f") and the disk ("dmesg"), then try again.',
      );
    case null:
      return fileSystemFailure(thrown, placeOf(thrown, folder));
    case SQLITE.ERROR:
    case SQLITE.MISUSE:
    case SQLITE.CONSTRAINT:
    case SQLITE.RANGE:
      return null;
    default:
      return failureOf(`${file} cannot be used (${why}).`);
  }
}

/** The folder that a file system error is about: `folder`, unless the error names a file elsewhere. */
function placeOf(thrown: unknown, folder: string): string {
  const named = thrown instanceof Error && 'path' in thrown ? thrown.path : undefined;
  return typeof named !== 'string' || named.startsWith(folder) || folder.startsWith(named)
    ? folder
    : path.dirname(named);
}

/** Whether the system refuses every lock, rather than another process holding it. */
function isLockRefused(thrown: unknown): boolean {
  const code = extendedCodeOf(thrown);
  return (code !== null && LOCK_ERRORS.has(code)) || systemCode(thrown) === 'ENOLCK';
}

function isDiskFull(thrown: unknown): boolean {
  const code = extendedCodeOf(thrown);
  if (code === SQLITE_IOERR_SHMSIZE || (code !== null && (code & 0xff) === SQLITE.FULL)) return true;
  return systemCode(thrown) === 'ENOSPC';
}

function fileSystemFailure(thrown: unknown, folder: string): Failure | null {
  const code = systemCode(thrown);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return failureOf(`No permission to write in ${folder}.`, OWN_FOLDER_HINT);
    case 'EROFS':
      return failureOf(`${folder} is on a read-only file system.`, OWN_FOLDER_HINT);
    case 'ENOTDIR':
    case 'EEXIST':
      return failureOf(
        `${folder} cannot be a folder: a file stands in its place.`,
        'Move that file away, or set XDG_STATE_HOME to a folder of your own.',
      );
    case 'ENOENT':
      return thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'mkdir'
        ? failureOf(`Cannot create a folder at ${folder}.`, OWN_FOLDER_HINT)
        : unusable(folder, code);
    case null:
      return null;
    default:
      return unusable(folder, code);
  }
}

const failureOf = (message: string, hint?: string): Failure => fail('internal', message, hint).error;

function unusable(folder: string, code: string): Failure {
  const { what, hint } = systemWords(code);
  return failureOf(`${folder} cannot be used: ${what}.`, hint);
}

/** Runs `work` and turns SQLite or file system errors about `file` into a `Failure`; rethrows others. */
export function guardStorage<T>(file: string, work: () => Result<T>): Result<T> {
  try {
    return work();
  } catch (thrown) {
    const failure = storageFailure(thrown, file);
    if (failure === null) throw thrown;
    return { ok: false, error: failure };
  }
}

/** A database, the files that SQLite adds beside it, and the damage mark. */
const OWN_FILES = ['', '-wal', '-shm', '-journal', '.damage'];

/** Throws if one of these names is not a regular file: SQLite would block on a FIFO. */
export function refuseOddFiles(database: string): void {
  for (const end of OWN_FILES) {
    const found = statSync(`${database}${end}`, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile())
      throw new FolderError(`${database}${end} is not a regular file.`, 'Move it away, then try again.');
  }
}

interface ConnectOptions extends DatabaseSyncOptions {
  /** Nobody writes to it, so read it without locks and create no files beside it. */
  readonly immutable?: boolean;
}

/** Connects to a database, copane's or another program's; the only function that does. Throws SQLite's errors. */
export function connect(file: string, { immutable = false, ...options }: ConnectOptions = {}): DatabaseSync {
  refuseOddFiles(file);
  if (!immutable) return new DatabaseSync(file, options);
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, options);
}

/** Opens a database for reading and writing: WAL mode, every commit synced before it returns. */
export function openDatabase(file: string): DatabaseSync {
  const database = connect(file);
  try {
    database.exec(
      `PRAGMA busy_timeout=${BUSY_TIMEOUT_MS};PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON`,
    );
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  return database;
}

/**
 * How durable a commit is. `synced`: on disk before the commit returns. `ordered`: a power cut may lose it and all
 * later ones, but no earlier one; a process crash loses nothing.
 */
export type Commit = 'synced' | 'ordered';

/** Runs `work` in one write transaction; rolls it back on a failed result or an exception. */
export function transact<T>(
  database: DatabaseSync,
  work: () => Result<T>,
  commit: Commit = 'synced',
): Result<T> {
  if (commit === 'synced') return inTransaction(database, work);
  database.exec('PRAGMA synchronous=NORMAL');
  try {
    return inTransaction(database, work);
  } finally {
    database.exec('PRAGMA synchronous=FULL');
  }
}

function inTransaction<T>(database: DatabaseSync, work: () => Result<T>): Result<T> {
  database.exec('BEGIN IMMEDIATE');
  let result: Result<T>;
  try {
    result = work();
    database.exec(result.ok ? 'COMMIT' : 'ROLLBACK');
  } catch (thrown) {
    rollBack(database);
    throw thrown;
  }
  return result;
}

/** SQLite itself rolls back on some errors (a full disk); a second ROLLBACK would then hide the first error. */
function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK');
  } catch (thrown) {
    if (sqliteCodeOf(thrown) === null) throw thrown;
  }
}

/** The value of a column declared as text. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new DamageError(`expected text, found ${typeof value}`);
  return value;
}

/** The value of a column declared as a number. */
export function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new DamageError(`expected a number, found ${typeof value}`);
  return value;
}

/** The record in a JSON column; it must have these fields. */
export function jsonOf<T>(value: unknown, fields: readonly string[] = []): T {
  const record = parseJson(textOf(value));
  if (record === undefined || (fields.length > 0 && !hasFields(record, fields)))
    throw new DamageError('a record is not what was written');
  return record as T;
}

/** The same object, but its methods report an error before throwing it: any read may meet damage. */
export function watched<T extends object>(table: T, report: (thrown: unknown) => void): T {
  return new Proxy(table, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        try {
          return member.apply(target, args);
        } catch (thrown) {
          report(thrown);
          throw thrown;
        }
      };
    },
  });
}
