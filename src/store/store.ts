/**
 * The store: one SQLite file of one user. Whoever leads writes, under its host epoch, checked inside each
 * transaction; a leader that was replaced cannot write one byte. Nothing is ever deleted to mend a file.
 */
import { existsSync, renameSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ok, type Result } from '../lib/result.ts';
import { createPrivateFile, ensurePrivateFolder } from '../platform/private-files.ts';
import type { EventBody } from '../protocol/event.ts';
import { AgentTables } from './agent-tables.ts';
import { AppliedTable } from './applied-table.ts';
import { databaseFileOf } from './database-file.ts';
import { DraftTable } from './draft-table.ts';
import { type EventLimits, EventTable, type LoggedEvent } from './event-table.ts';
import { type LeaderRecord, readEpoch, writeLeader } from './leader-record.ts';
import { migrate } from './migrations.ts';
import { OutboxTable } from './outbox-table.ts';
import { ReviewTables } from './review-tables.ts';
import { type Commit, guardStorage, isDamage, openDatabase, transact } from './sqlite.ts';
import { ViewedTable } from './viewed-table.ts';

export { databaseFileOf };

/** What a change may do; all of it happens, or none. */
export interface StoreWriter {
  readonly outbox: OutboxTable;
  readonly drafts: DraftTable;
  readonly reviews: ReviewTables;
  readonly agent: AgentTables;
  readonly viewed: ViewedTable;
  /** Appends an event to the log; it goes out to listeners after the commit. */
  emit(body: EventBody): void;
  /** Does `change` once for `request`: asked again, gives the first answer and changes nothing. */
  once<T>(request: string, change: () => Result<T>): Result<T>;
}

/** What became of a change: `stale` = another leader has begun a newer epoch, nothing was written. */
export type WriteOutcome<T> =
  | { readonly kind: 'done'; readonly result: Result<T>; readonly events: readonly LoggedEvent[] }
  | { readonly kind: 'stale' };

export interface StoreOptions {
  readonly stateDir: string;
  readonly now: () => number;
  readonly eventLimits?: EventLimits;
}

export class Store {
  readonly outbox: OutboxTable;
  readonly drafts: DraftTable;
  readonly reviews: ReviewTables;
  readonly agent: AgentTables;
  readonly viewed: ViewedTable;
  readonly events: EventTable;
  /** Something that the user must know about the opening: a damaged database was set aside. */
  readonly notice: string | null;
  readonly #applied: AppliedTable;
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #inode: bigint;
  readonly #now: () => number;
  #epoch = 0;

  constructor(
    database: DatabaseSync,
    file: string,
    options: StoreOptions & { readonly notice: string | null },
  ) {
    this.#database = database;
    this.#file = file;
    this.#inode = inodeOf(file);
    this.#now = options.now;
    this.notice = options.notice;
    this.outbox = new OutboxTable(database);
    this.drafts = new DraftTable(database);
    this.reviews = new ReviewTables(database);
    this.agent = new AgentTables(database);
    this.viewed = new ViewedTable(database);
    this.events = new EventTable(database, options.eventLimits);
    this.#applied = new AppliedTable(database);
  }

  /** Begins this process's epoch as leader. Only the holder of the host lock calls it. */
  beginEpoch(card: Omit<LeaderRecord, 'epoch'>): Result<LeaderRecord> {
    const begun = guardStorage(this.#file, () =>
      transact(this.#database, () => ok(writeLeader(this.#database, card))),
    );
    if (begun.ok) this.#epoch = begun.value.epoch;
    return begun;
  }

  /** Whether this process may still write: no newer epoch, and the file is the one that was opened. */
  isCurrent(): boolean {
    return inodeOf(this.#file) === this.#inode && readEpoch(this.#database) === this.#epoch;
  }

  /** Runs `change` in one transaction under this process's epoch, on the disk before it returns unless told otherwise. A failed result writes nothing. */
  write<T>(change: (writer: StoreWriter) => Result<T>, commit: Commit = 'synced'): Result<WriteOutcome<T>> {
    return guardStorage(this.#file, (): Result<WriteOutcome<T>> => {
      const events: LoggedEvent[] = [];
      let outcome: WriteOutcome<T> = { kind: 'stale' };
      const work = (): Result<unknown> => {
        if (!this.isCurrent()) return ok(undefined);
        const result = change(this.#writer(events));
        outcome = { kind: 'done', result, events: result.ok ? events : [] };
        return result;
      };
      transact(this.#database, work, commit);
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
      emit: (body) => events.push(this.events.append(this.#now(), body)),
      once: <T>(request: string, change: () => Result<T>) => {
        const known = this.#applied.get(request);
        if (known !== null) return ok(JSON.parse(known) as T);
        const result = change();
        if (result.ok) this.#applied.put(request, JSON.stringify(result.value));
        return result;
      },
    };
  }
}

/** Opens the store, makes it where it is missing, migrates it; a damaged file is set aside under a name that tells when. */
export function openStore(options: StoreOptions): Result<Store> {
  const file = databaseFileOf(options.stateDir);
  return guardStorage(file, () => {
    ensurePrivateFolder(options.stateDir);
    try {
      return openAt(file, { ...options, notice: null });
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      return openAt(file, { ...options, notice: setAside(file, options.now()) });
    }
  });
}

function openAt(file: string, options: StoreOptions & { readonly notice: string | null }): Result<Store> {
  createPrivateFile(file);
  const database = openDatabase(file);
  try {
    const migrated = migrate(database, file);
    if (migrated.ok) return ok(new Store(database, file, options));
    database.close();
    return migrated;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Renames the damaged database with its companions and says where it went. */
function setAside(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const aside = `${file}.damaged-${stamp}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return `The database was damaged. It was kept as ${aside}, and a new, empty one was begun.`;
}

/** 0 when the file is gone. */
function inodeOf(file: string): bigint {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
}
