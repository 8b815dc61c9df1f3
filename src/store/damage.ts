/**
 * The mark that a database is damaged, and what shows it before SQLite opens the file. Whoever meets damage marks
 * it, also who does not lead; the next leader sees to it.
 */
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
import { readWal } from './core/wal-frames.ts';

const HEADER_BYTES = 100;
/** The smallest page of SQLite: no database is shorter. */
const LEAST_BYTES = 512;
/** Where the number of our schema stands in the file. */
const USER_VERSION_AT = 60;

function markOf(databaseFile: string): string {
  return `${databaseFile}.damage`;
}

/** Marks the database as damaged. A disk that takes no mark will show the damage again. */
export function markDamage(databaseFile: string, why: string): void {
  try {
    writeFileSync(markOf(databaseFile), `${why}\n`, { mode: 0o600 });
  } catch {
    // Nothing else can be done here: the next who reads the same place meets it again.
  }
}

/** Removes the mark once the damage is repaired. */
export function clearDamage(databaseFile: string): void {
  rmSync(markOf(databaseFile), { force: true });
}

/** Why the database must not be opened as it is; null when it may be. */
export function knownDamage(databaseFile: string): string | null {
  const mark = markOf(databaseFile);
  if (existsSync(mark)) return readFileSync(mark, 'utf8').trim() || 'marked as damaged';
  const size = statSync(databaseFile, { throwIfNoEntry: false })?.size;
  if (size === undefined) return null;
  // A new database gets its name when it is whole. SQLite takes so short a file for a new one.
  if (size < LEAST_BYTES) return size === 0 ? 'the file is empty' : 'the file is cut short';
  if (isHeaderDamaged(headerOf(databaseFile))) return 'its first page is damaged';
  return whyWalIsDamaged(databaseFile);
}

/** SQLite silently skips a log that it cannot read, and loses the newest changes. */
function whyWalIsDamaged(databaseFile: string): string | null {
  const log = `${databaseFile}-wal`;
  if (!existsSync(log)) return null;
  const { isDamaged } = readWal(readFileSync(log), PAGE_BYTES);
  return isDamaged ? 'its log of the newest changes is damaged' : null;
}

/** The schema number that stands in the file; 0 where it has none. */
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
