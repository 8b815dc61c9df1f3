/** Detects and marks a damaged database before SQLite opens it. Any process may; the next leader repairs it. */
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isHeaderDamaged, PAGE_BYTES } from './core/sqlite-pages.ts';
import { readWal, USER_VERSION_AT } from './core/wal-frames.ts';

const HEADER_BYTES = 100;
/** SQLite's smallest page size: no database is shorter. */
const LEAST_BYTES = 512;

const markOf = (databaseFile: string): string => `${databaseFile}.damage`;

/** Marks the database as damaged. If the mark cannot be written, the damage will be found again. */
export function markDamage(databaseFile: string, why: string): void {
  try {
    writeFileSync(markOf(databaseFile), `${why}\n`, { mode: 0o600 });
  } catch {
    // Nothing to do: the next process to read that page finds the damage again.
  }
}

/** Removes the mark once the damage is repaired. */
export function clearDamage(databaseFile: string): void {
  rmSync(markOf(databaseFile), { force: true });
}

/** Why the database must not be opened; null if it may be. */
export function knownDamage(databaseFile: string): string | null {
  const mark = markOf(databaseFile);
  if (existsSync(mark)) return readFileSync(mark, 'utf8').trim() || 'marked as damaged';
  const size = statSync(databaseFile, { throwIfNoEntry: false })?.size;
  if (size === undefined) return null;
  // A new database is renamed into place only when complete, but SQLite treats so short a file as a new one.
  if (size < LEAST_BYTES) return size === 0 ? 'the file is empty' : 'the file is cut short';
  if (isHeaderDamaged(headerOf(databaseFile))) return 'its first page is damaged';
  return whyWalIsDamaged(databaseFile);
}

/** SQLite silently skips an unreadable log, losing the newest changes, and accepts another database's log as ours. */
function whyWalIsDamaged(databaseFile: string): string | null {
  const log = `${databaseFile}-wal`;
  if (!existsSync(log)) return null;
  const { isDamaged } = readWal(readFileSync(log), PAGE_BYTES, schemaInFile(databaseFile));
  return isDamaged ? 'its log of the newest changes is damaged' : null;
}

/** The schema number in the file header; 0 if it has none. */
export function schemaInFile(databaseFile: string): number {
  const header = headerOf(databaseFile);
  return header.length < HEADER_BYTES ? 0 : header.readUInt32BE(USER_VERSION_AT);
}

function headerOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
