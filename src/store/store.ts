/** The store: one SQLite file per user. Only the leader writes, under its epoch, which every transaction checks. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { createPrivateFile, ensurePrivateFolder } from '../platform/private-files.ts';
import type { EventBody } from '../protocol/event.ts';
import { AgentTables } from './agent-tables.ts';
import { AppliedTable } from './applied-table.ts';
import { NOT_SALVAGED, SALVAGE_RULES } from './core/salvage-rules.ts';
import { knownDamage, markDamage, schemaInFile } from './damage.ts';
import { databaseFileOf } from './database-file.ts';
import { DraftTable } from './draft-table.ts';
import { type EventLimits, EventTable, type LoggedEvent } from './event-table.ts';
import { type LeaderRecord, readEpoch, writeLeader } from './leader-record.ts';
import { ObservationTable } from './observation-table.ts';
import { OutboxTable } from './outbox-table.ts';
import { type Purged, type PurgeRequest, purge } from './purge.ts';
import { ReviewTables } from './review-tables.ts';
import { finishSalvage, salvage } from './salvage.ts';
import { createSchema, SCHEMA_VERSION, schemaVersionOf } from './schema.ts';
import {
  type Commit,
  DamageError,
  guardStorage,
  isDamage,
  jsonOf,
  openDatabase,
  refuseOddFiles,
  SQLITE,
  sqliteCodeOf,
  transact,
  watched,
} from './sqlite.ts';
import { ViewedTable } from './viewed-table.ts';

export { databaseFileOf };

/** The operations of one change; they commit together. */
export interface StoreWriter {
  readonly outbox: OutboxTable;
  readonly drafts: DraftTable;
  readonly reviews: ReviewTables;
  readonly agent: AgentTables;
  readonly viewed: ViewedTable;
  readonly observations: ObservationTable;
  /** Appends an event to the log; listeners get it after the commit. */
  emit(body: EventBody): void;
  purge(wanted: PurgeRequest): Purged;
  /** Runs `change` once per `request`: a repeated request gets the first result and changes nothing. */
  once<T>(request: string, change: () => Result<T>): Result<T>;
}

/** The outcome of a change. `stale`: another leader began a newer epoch; nothing was written. */
export type WriteOutcome<T> =
  | { readonly kind: 'done'; readonly result: Result<T>; readonly events: readonly LoggedEvent[] }
  | { readonly kind: 'stale' };

export interface StoreOptions {
  readonly stateDir: string;
  readonly now: () => number;
  readonly eventLimits?: EventLimits;
}

/** Damage this soon after a salvage comes from the disk, so another salvage would not help. */
const SALVAGE_PAUSE_MS = 60_000;

interface Salvaged {
  readonly sentence: string;
  /** ms since the epoch. */
  readonly at: number;
}

export class Store {
  readonly outbox: OutboxTable;
  readonly drafts: DraftTable;
  readonly reviews: ReviewTables;
  readonly agent: AgentTables;
  readonly viewed: ViewedTable;
  readonly observations: ObservationTable;
  readonly events: EventTable;
  readonly #salvaged: Salvaged | null;
  readonly #applied: AppliedTable;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #inode: bigint;
  readonly #now: () => number;
  #onDamage: () => void = () => undefined;
  #epoch = 0;

  constructor(
    database: DatabaseSync,
    file: string,
    options: StoreOptions & { readonly salvaged: Salvaged | null },
  ) {
    this.#database = database;
    this.#file = file;
    this.#inode = inodeOf(file);
    this.#now = options.now;
    this.#salvaged = options.salvaged;
    const watch = <T extends object>(table: T): T => watched(table, (thrown) => this.#meet(thrown));
    this.outbox = watch(new OutboxTable(database));
    this.drafts = watch(new DraftTable(database));
    this.reviews = watch(new ReviewTables(database));
    this.agent = watch(new AgentTables(database));
    this.viewed = watch(new ViewedTable(database));
    this.observations = watch(new ObservationTable(database));
    this.events = watch(new EventTable(database, options.eventLimits));
    this.#applied = watch(new AppliedTable(database));
  }

  /** A user-visible notice about opening a damaged database. */
  get notice(): string | null {
    return this.#salvaged?.sentence ?? null;
  }

  /** Calls `listener` on damage that reopening can repair. */
  onDamage(listener: () => void): void {
    this.#onDamage = listener;
  }

  /** Marks damage for the next opening, unless a recent salvage shows that the disk is to blame. */
  #meet(thrown: unknown): void {
    if (!isDamage(thrown)) return;
    if (this.#salvaged !== null && this.#now() - this.#salvaged.at < SALVAGE_PAUSE_MS) return;
    markDamage(this.#file, errorMessage(thrown));
    this.#onDamage();
  }

  /** Runs `work`; handles a database error here and also returns it to the caller. */
  #guard<T>(work: () => Result<T>): Result<T> {
    return guardStorage(this.#file, () => {
      try {
        return work();
      } catch (thrown) {
        this.#meet(thrown);
        throw thrown;
      }
    });
  }

  /**
   * Begins this process's epoch as leader. Only the host lock's holder calls it. A start does not wait for the disk:
   * after a power cut no older leader is alive, and the next synced write includes the epoch.
   */
  beginEpoch(card: Omit<LeaderRecord, 'epoch'>): Result<LeaderRecord> {
    const work = () => ok(writeLeader(this.#database, card));
    const begun = this.#guard(() => transact(this.#database, work, 'ordered'));
    if (begun.ok) this.#epoch = begun.value.epoch;
    return begun;
  }

  /** The result of an earlier `once` with this `request`; null if it has not run. */
  answered<T>(request: string): T | null {
    const known = this.#applied.get(request);
    return known === null ? null : (JSON.parse(known) as T);
  }

  /** Whether this process may still write: no newer epoch began, and the file has not been replaced. */
  isCurrent(): boolean {
    if (inodeOf(this.#file) !== this.#inode) return false;
    try {
      return readEpoch(this.#database) === this.#epoch;
    } catch (thrown) {
      this.#meet(thrown);
      throw thrown;
    }
  }

  /** Runs `change` in one transaction under this process's epoch. A failed result rolls it back. */
  write<T>(change: (writer: StoreWriter) => Result<T>, commit: Commit = 'synced'): Result<WriteOutcome<T>> {
    return this.#guard((): Result<WriteOutcome<T>> => {
      const events: LoggedEvent[] = [];
      let outcome: WriteOutcome<T> = { kind: 'stale' };
      const work = (): Result<unknown> => {
        if (!this.isCurrent()) return ok(undefined);
        const result = change(this.#writer(events));
        outcome = { kind: 'done', result, events: result.ok ? events : [] };
        return result;
      };
      let isDone = false;
      try {
        isDone = transact(this.#database, work, commit).ok;
      } finally {
        if (!isDone) this.reviews.forget();
      }
      return ok(outcome);
    });
  }

  close(): void {
    this.#database.close();
  }

  #writer(events: LoggedEvent[]): StoreWriter {
    return {
      outbox: this.outbox,
      drafts: this.drafts,
      reviews: this.reviews,
      agent: this.agent,
      viewed: this.viewed,
      observations: this.observations,
      purge: (wanted) => {
        this.reviews.forget();
        return purge(this.#database, wanted);
      },
      emit: (body) => events.push(this.events.append(this.#now(), body)),
      once: <T>(request: string, change: () => Result<T>) => {
        const known = this.#applied.get(request);
        if (known !== null) return ok(jsonOf<T>(known));
        const result = change();
        if (result.ok) this.#applied.put(request, JSON.stringify(result.value));
        return result;
      },
    };
  }
}

/** Opens the store; creates or salvages it as needed. Only the host lock's holder calls it. */
export function openStore(options: StoreOptions): Result<Store> {
  const file = databaseFileOf(options.stateDir);
  return guardStorage(file, () => {
    ensurePrivateFolder(options.stateDir);
    refuseOddFiles(file);
    finishSalvage(file);
    if (!existsSync(file)) createDatabase(file);
    const why = knownDamage(file);
    // This version cannot salvage a newer copane's database.
    if (why !== null && schemaInFile(file) <= SCHEMA_VERSION) return openSalvaged(file, why, options);
    try {
      return openAt(file, { ...options, salvaged: null });
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      return openSalvaged(file, errorMessage(thrown), options);
    }
  });
}

function openSalvaged(file: string, why: string, options: StoreOptions): Result<Store> {
  const at = options.now();
  const sentence = salvage({ file, now: at, why, create: (path) => openIntact(path) });
  return openAt(file, { ...options, salvaged: { sentence, at } });
}

/** A new database is renamed into place when complete. */
function createDatabase(file: string): void {
  const making = `${file}.new`;
  rmSync(making, { force: true });
  const database = openIntact(making);
  database.exec('PRAGMA journal_mode=DELETE');
  database.close();
  renameSync(making, file);
}

/** Creates an empty database of the current schema. */
function openIntact(file: string): DatabaseSync {
  createPrivateFile(file);
  const database = openDatabase(file);
  createSchema(database);
  return database;
}

function openAt(file: string, options: StoreOptions & { readonly salvaged: Salvaged | null }): Result<Store> {
  const database = openDatabase(file);
  try {
    const found = schemaVersionOf(database);
    if (found <= SCHEMA_VERSION) {
      checkSchema(database, found);
      return ok(new Store(database, file, options));
    }
    database.close();
    return fail(
      'refused',
      `${file} was written by a newer copane (schema ${found}; this one knows ${SCHEMA_VERSION}).`,
      'Update this copane, or set XDG_STATE_HOME to another folder for it.',
    );
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Checks the number and the columns, and that no trigger runs: a foreign schema can have the same number. */
function checkSchema(database: DatabaseSync, version: number): void {
  if (version !== SCHEMA_VERSION)
    throw new DamageError(`its tables are not those of copane: schema ${version}`);
  const foreign = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    .get();
  if (foreign !== undefined)
    throw new DamageError(`its tables are not those of copane: ${foreign.type} ${foreign.name}`);
  for (const { table, columns } of [...SALVAGE_RULES, ...NOT_SALVAGED]) {
    try {
      database.prepare(`SELECT ${columns.join(', ')} FROM ${table} LIMIT 0`);
    } catch (thrown) {
      if (sqliteCodeOf(thrown) !== SQLITE.ERROR) throw thrown;
      throw new DamageError(`its tables are not those of copane: ${errorMessage(thrown)}`);
    }
  }
}

const inodeOf = (file: string): bigint => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
