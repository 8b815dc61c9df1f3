/**
 * Starts a new database from the readable rows of a damaged one, and keeps the damaged file beside it. A crash at any
 * moment leaves either the damaged file or the new one in place. Only the leader calls it.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { listed } from '../lib/count.ts';
import { missingKinds, type SalvagedTable, sortIntoTables } from './core/salvage-rows.ts';
import type { SalvageKind } from './core/salvage-rules.ts';
import { type FoundRows, PAGE_BYTES, type PageSource, pageSizesOf, readRows } from './core/sqlite-pages.ts';
import { readWal } from './core/wal-frames.ts';
import { clearDamage, schemaInFile } from './damage.ts';

/** How many damaged databases to keep. Readable rows of older ones have long been carried over. */
export const DAMAGED_COPIES_MAX = 3;

/** How long every leader reports the salvage. */
const RECENT_MS = 24 * 3_600_000;
/** The suffix while the salvage is built; a complete one is renamed to include the time. */
const BUILDING = '.salvage';
/** Added to the last event number found, so that new events never reuse a number. */
const EVENT_LEAP = 1_000_000;
/** An event without effect that keeps its number used. */
const NO_NEWS = JSON.stringify({ type: 'review/viewed', hunks: [], viewed: false });

export interface Salvage {
  readonly file: string;
  /** ms since the epoch. */
  readonly now: number;
  /** Why it counts as damaged: a user-visible phrase. */
  readonly why: string;
  /** Creates and opens an empty database of the current schema. */
  readonly create: (file: string) => DatabaseSync;
}

/** Salvages, and returns the user-visible report. Throws errors of SQLite and the file system, with nothing changed. */
export function salvage({ file, now, why, create }: Salvage): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const { found, isCut } = readAll(file);
  const { tables, damaged, loose } = sortIntoTables(found);
  const building = file + BUILDING;
  removeDatabase(building);
  fill(create(building), tables, continuityOf(found));
  syncFile(building);
  const aside = `${file}.damaged-${stamp}`;
  const sentence = describeSalvage({
    why,
    copy: path.basename(aside),
    tables,
    missing: missingKinds(damaged),
    isMore: damaged.has(null) || isCut,
    loose: loose.length,
  });
  writeFileSync(`${aside}.txt`, [`${sentence}\n`, ...loose].join('\n'), { mode: 0o600 });
  renameSync(building, `${building}-${stamp}`);
  finishSalvage(file);
  return sentence;
}

/** Moves a complete salvage into place, including one that a crash interrupted. */
export function finishSalvage(file: string): void {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}${BUILDING}-`;
  const complete = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith('Z'));
  for (const name of complete) {
    const aside = `${file}.damaged-${name.slice(prefix.length)}`;
    for (const suffix of ['-wal', '-shm', '']) {
      if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
    }
    renameSync(path.join(folder, name), file);
    clearDamage(file);
  }
  if (complete.length > 0) forgetOldCopies(file);
}

/** The reports about the kept damaged databases, newest last. */
export function damagedCopies(
  databaseFile: string,
): readonly { readonly name: string; readonly sentence: string }[] {
  const folder = path.dirname(databaseFile);
  if (!existsSync(folder)) return [];
  return copiesOf(databaseFile).map((name) => {
    const words = path.join(folder, `${name}.txt`);
    return {
      name,
      sentence: existsSync(words)
        ? (readFileSync(words, 'utf8').split('\n')[0] ?? '')
        : `An earlier database was damaged and kept as ${name}.`,
    };
  });
}

/** The report about a database damaged during the last day; null if there is none. `now` in ms since the epoch. */
export function recentSalvage(databaseFile: string, now: number): string | null {
  const newest = damagedCopies(databaseFile).at(-1);
  const age = newest === undefined ? Number.POSITIVE_INFINITY : now - timeOf(newest.name);
  return newest !== undefined && age < RECENT_MS ? newest.sentence : null;
}

/** Parses the time in the name of a copy: ISO 8601 with dashes. */
function timeOf(name: string): number {
  const [, date, hour, minute, second] = /damaged-([\d-]{10})T(\d\d)-(\d\d)-(\d\d)/.exec(name) ?? [];
  return Date.parse(`${date}T${hour}:${minute}:${second}Z`);
}

function copiesOf(databaseFile: string): readonly string[] {
  const prefix = `${path.basename(databaseFile)}.damaged-`;
  return readdirSync(path.dirname(databaseFile))
    .filter((name) => name.startsWith(prefix) && name.endsWith('Z'))
    .sort();
}

function forgetOldCopies(file: string): void {
  for (const name of copiesOf(file).slice(0, -DAMAGED_COPIES_MAX))
    removeDatabase(path.join(path.dirname(file), name));
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '.txt']) rmSync(file + suffix, { force: true });
}

/** Uses the page size that yields the most rows: the user may have given the file another one. */
function readAll(file: string): { readonly found: FoundRows; readonly isCut: boolean } {
  const descriptor = openSync(file, 'r');
  try {
    const read = pageSizesOf(readAt(descriptor, 0, PAGE_BYTES)).map((pageBytes) => {
      const source = pagesOf(file, descriptor, pageBytes);
      return { found: readRows(source), isCut: source.isCut };
    });
    return read.reduce((most, one) => (one.found.rows.length > most.found.rows.length ? one : most));
  } finally {
    closeSync(descriptor);
  }
}

/** The last committed pages: those in the log override those in the file. */
function pagesOf(
  file: string,
  descriptor: number,
  pageBytes: number,
): PageSource & { readonly isCut: boolean } {
  const { size } = statSync(file);
  const log = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`) : Buffer.alloc(0);
  const frames = readWal(log, pageBytes, schemaInFile(file));
  return {
    pageBytes,
    count: Math.max(Math.ceil(size / pageBytes), ...frames.pages.keys(), 0),
    isCut: frames.isDamaged || size % pageBytes !== 0 || size === 0,
    page: (number) => {
      const place = frames.pages.get(number);
      if (place !== undefined) return log.subarray(place, place + pageBytes);
      const bytes = readAt(descriptor, (number - 1) * pageBytes, pageBytes);
      return bytes.length === pageBytes ? bytes : null;
    },
  };
}

function readAt(descriptor: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, at));
}

/** Lines may be missing, so a draft's counts are computed from the remaining lines. */
const COUNT_DRAFTS = `UPDATE drafts SET
  lines = (SELECT count(*) FROM draft_lines WHERE draft = drafts.id),
  bytes = (SELECT coalesce(sum(octet_length(line)), 0) FROM draft_lines WHERE draft = drafts.id)
    + (SELECT coalesce(sum(octet_length(pull)), 0) FROM draft_pulls WHERE draft = drafts.id)`;

interface Continuity {
  readonly epoch: number;
  readonly lastEvent: number;
}

/** Counters that must not restart: the epoch and the last event number. */
function continuityOf({ rows }: FoundRows): Continuity {
  let epoch = 0;
  let lastEvent = 0;
  for (const { table, rowid, values } of rows) {
    if (values[0] === 'epoch' && (table === null || table === 'meta'))
      epoch = Math.max(epoch, Number(values[1]) || 0);
    if (table === 'events') lastEvent = Math.max(lastEvent, rowid ?? 0);
  }
  return { epoch, lastEvent };
}

function fill(
  database: DatabaseSync,
  tables: readonly SalvagedTable[],
  { epoch, lastEvent }: Continuity,
): void {
  try {
    // The whole file is synced once, before it is renamed.
    database.exec('PRAGMA synchronous=OFF;BEGIN IMMEDIATE');
    for (const { rule, rows } of tables) {
      const places = rule.columns.map(() => '?').join(', ');
      const insert = database.prepare(
        `INSERT INTO ${rule.table} (${rule.columns.join(', ')}) VALUES (${places})`,
      );
      for (const row of rows) insert.run(...row);
    }
    database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('epoch', String(epoch));
    database
      .prepare('INSERT INTO events (seq, ts, body) VALUES (?, 0, ?)')
      .run(lastEvent + EVENT_LEAP, NO_NEWS);
    database.exec(COUNT_DRAFTS);
    database.exec('COMMIT');
    // One file without a log, which can be renamed.
    database.exec('PRAGMA journal_mode=DELETE');
  } finally {
    database.close();
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

interface SalvageFacts {
  readonly why: string;
  /** The name under which the damaged file is kept. */
  readonly copy: string;
  readonly tables: readonly SalvagedTable[];
  /** Kinds with unreadable rows. */
  readonly missing: readonly SalvageKind[];
  /** Rows of an unknown kind are unreadable, too. */
  readonly isMore: boolean;
  /** Drafts whose project and pane are lost. Their text goes into the file beside the copy. */
  readonly loose: number;
}

/** One paragraph: what happened, what was carried over, what is missing. */
function describeSalvage({ why, copy, tables, missing, isMore, loose }: SalvageFacts): string {
  const kept = tables.flatMap(({ rule, rows }) =>
    rule.counts === null || rows.length === 0 ? [] : [`${rows.length} ${rule.counts}`],
  );
  return [
    `The database was damaged (${why}); it was kept as ${copy}.`,
    kept.length === 0 ? 'None of it was recovered.' : `Recovered: ${listed(kept)}.`,
    whatIsMissing(missing, isMore),
    ...(loose === 0 ? [] : [`The text of ${loose} drafts without a known place is in ${copy}.txt.`]),
  ].join(' ');
}

function whatIsMissing(missing: readonly SalvageKind[], isMore: boolean): string {
  if (missing.length > 0)
    return `Could not be read, at least in part: ${listed(missing)}${isMore ? ', and perhaps more' : ''}.`;
  if (isMore) return 'Part of the file could not be read, and its content is unknown.';
  return 'Nothing is missing.';
}
