import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { draftOf, must, promptOf, putDraft, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { ok } from '../lib/result.ts';
import { rowOf } from '../review/records/stored-file.ts';
import { NOT_SALVAGED, SALVAGE_RULES } from './core/salvage-rules.ts';
import { DAMAGED_COPIES_MAX, damagedCopies, recentSalvage } from './salvage.ts';
import { isDamage } from './sqlite.ts';
import { databaseFileOf, openStore, type Store, type StoreWriter } from './store.ts';

const CARD = { pid: 1, startedAt: 0, version: 'test', socketPath: '/s' };
const PAGE_BYTES = 4096;
const ROWS = 30;
/** Longer than a page, so that it needs overflow pages. */
const LONG = 'long '.repeat(3_000);

let home: ReturnType<typeof temporaryHome>;
let file: string;
let now = Date.UTC(2026, 0, 1);
beforeEach(() => {
  home = temporaryHome();
  file = databaseFileOf(home.paths.stateDir);
});
afterEach(() => home.remove());

function open(): Store {
  now += 3_600_000;
  const store = must(openStore({ stateDir: home.paths.stateDir, now: () => now }));
  must(store.beginEpoch(CARD));
  return store;
}

/** Writes enough rows to give each table several pages, some rows longer than a page. */
function fill(store: Store): void {
  const write = (change: (writer: StoreWriter) => void) => must(store.write((writer) => ok(change(writer))));
  write((writer) => {
    for (let n = 0; n < ROWS; n++) {
      const text = n % 10 === 0 ? LONG : `line ${n} `.repeat(20);
      putDraft(writer, {
        key: { project: `/p${n}`, pane: '%1' },
        draft: { ...draftOf(text), pulls: [{ turnId: 't', lines: [text] }] },
        revision: 2,
        updatedAt: n,
      });
      const at = { createdAt: n, updatedAt: n, reason: null, proof: null, state: 'delivered' } as const;
      writer.outbox.put({ ...promptOf(`o${n}`, text), ...at });
      fillReview(writer, n);
    }
    writer.agent.putSession({ id: 'a', updated_at: 1, root: '/p' } as never);
    writer.agent.putJob({ job: { id: 'j', session_id: 'a' }, run: {}, hunkEdits: {} } as never);
    for (let n = 1; n < 120; n++)
      writer.agent.putEvent('j', { cursor: n, type: 'status', data: { n } } as never);
    writer.agent.addLayer({ root: '/p', suggestion: 's1', origin: 'agent', job: 'j' });
    writer.viewed.mark(['h1', 'h2'], true);
    writer.emit({ type: 'review/viewed', hunks: ['h1'], viewed: true });
  });
}

function fillReview(writer: StoreWriter, n: number): void {
  const id = `s${n}`;
  const record = { id, createdAt: n, target: '/p', patch: 'x', revision: 1, files: ['a'], end: null };
  writer.reviews.putSuggestion(record as never);
  writer.reviews.putFile(id, 0, { base: null, absent: false, origin: null, unmoved: false, parts: [] });
  const change = (name: string) => ({ id: name, file: 0, decision: 'accepted', past: [] });
  const names = Array.from({ length: 5 }, (_, c) => `c${c}`);
  writer.reviews.putChanges(
    id,
    names.map((name) => rowOf(change(name) as never)),
  );
}

/** Every row of every salvaged table, as text. */
function rowsIn(databaseFile: string): Map<string, readonly string[]> {
  const database = new DatabaseSync(databaseFile);
  const rows = SALVAGE_RULES.map(({ table, columns }) => {
    // A draft's stored size depends on which of its lines survive.
    const told = columns.filter((column) => column !== 'lines' && column !== 'bytes');
    const found = database.prepare(`SELECT ${told.join(', ')} FROM ${table}`).all();
    return [table, found.map((row) => JSON.stringify(Object.values(row))).sort()] as const;
  });
  database.close();
  return new Map(rows);
}

/** Reads everything, as the commands do. */
function readAll(store: Store): void {
  store.outbox.list(null, 1_000);
  for (let n = 0; n < ROWS; n++) {
    store.drafts.get({ project: `/p${n}`, pane: '%1' });
    store.outbox.get(`o${n}`);
    store.reviews.suggestion(`s${n}`);
    store.reviews.files(`s${n}`);
    store.reviews.changes(`s${n}`);
  }
  store.reviews.openSuggestions();
  store.reviews.intents();
  for (const { id } of store.agent.sessions()) store.agent.jobs(id);
  store.agent.events('j', 0, 1_000);
  store.agent.layers('/p');
  store.agent.tracked('/p');
  store.agent.checkpoints(null);
  store.agent.saves();
  store.viewed.of(['h1']);
  store.events.after(0, 100);
}

const markAfter = (store: Store, viewed: boolean) =>
  store.write((writer) => ok(writer.viewed.mark(['after'], viewed)));

/** Starts the store, and again after each salvage, until everything is readable and writable. */
function startUntilWhole(): Store {
  for (let round = 0; round < 2; round++) {
    const opened = openStore({ stateDir: home.paths.stateDir, now: () => (now += 3_600_000) });
    const store = must(opened);
    try {
      const begun = store.beginEpoch(CARD);
      readAll(store);
      must<unknown>(begun);
      for (const isViewed of [true, false]) must(markAfter(store, isViewed));
      return store;
    } catch (thrown) {
      store.close();
      if (!isDamage(thrown) && !existsSync(`${file}.damage`)) throw thrown;
    }
  }
  throw new Error('damage was met again after a salvage');
}

interface Sound {
  readonly bytes: Buffer;
  readonly rows: Map<string, readonly string[]>;
  /** The owner of each page. */
  readonly owners: ReadonlyMap<number, string>;
}

function soundDatabase(): Sound {
  const store = open();
  fill(store);
  store.close();
  const rows = rowsIn(file);
  const database = new DatabaseSync(file, { readOnly: true });
  const owners = new Map(
    database
      .prepare('SELECT pageno, name FROM dbstat')
      .all()
      .map((row) => [Number(row.pageno), String(row.name)]),
  );
  database.close();
  return { bytes: readFileSync(file), rows, owners };
}

/** The table whose rows a page holds; null for an index, the schema and tables that are not salvaged. */
function tableOf({ owners }: Sound, page: number): string | null {
  const owner = owners.get(page);
  return SALVAGE_RULES.find(({ table }) => table === owner)?.table ?? null;
}

/** Tables whose rows are useless without rows of this one. */
function below(table: string | null): readonly string[] {
  const children = SALVAGE_RULES.filter(({ parent }) => parent !== undefined && parent.table === table);
  const own = children.flatMap((child) => [child.table, ...below(child.table)]);
  // Decisions about a file with a lost base are not carried over, because they could apply a change twice.
  return table === 'suggestion_files' ? [...own, 'suggestion_changes'] : own;
}

describe('a damaged database', () => {
  it('keeps the rows of all other pages when one is zeroed or garbage', () => {
    const spoil = (page: number) => Buffer.alloc(PAGE_BYTES, page % 4 === 0 ? `${page} is not a page ` : 0);
    const sound = soundDatabase();
    const pages = sound.bytes.length / PAGE_BYTES;
    expect(pages).toBeGreaterThan(40);
    for (let page = 1; page <= pages; page++) {
      const spoiled = Buffer.from(sound.bytes);
      spoil(page).copy(spoiled, (page - 1) * PAGE_BYTES);
      writeFileSync(file, spoiled);
      const store = startUntilWhole();
      const { notice } = store;
      store.close();
      const owner = tableOf(sound, page);
      const affected = owner === null ? [] : [owner, ...below(owner)];
      const found = rowsIn(file);
      for (const [table, rows] of sound.rows) {
        const kept = found.get(table) ?? [];
        const what = [`page ${page} of ${sound.owners.get(page)}`, table];
        if (!affected.includes(table)) expect([...what, kept]).toEqual([...what, rows]);
        else expect([...what, kept.filter((row) => !rows.includes(row))]).toEqual([...what, []]);
        // Every surviving review has its file.
        if (table === 'suggestion_files')
          expect([...what, kept.length]).toEqual([...what, found.get('suggestions')?.length]);
      }
      const lost = affected.some((table) => found.get(table)?.length !== sound.rows.get(table)?.length);
      if (lost) expect([page, notice]).toEqual([page, expect.stringContaining('Could not be read')]);
      // Damage to a free page or one of an unused index may go unnoticed.
      if (notice === null) continue;
      const kept = readFileSync(path.join(home.paths.stateDir, String(damagedCopies(file).at(-1)?.name)));
      if (owner === 'drafts') {
        const words = readFileSync(
          path.join(home.paths.stateDir, `${damagedCopies(file).at(-1)?.name}.txt`),
          'utf8',
        );
        expect(words).toMatch(/drafts without a known place[\s\S]*line 7 line 7/);
      }
      const [from, to] = [(page - 1) * PAGE_BYTES, page * PAGE_BYTES];
      expect([page, kept.subarray(from, to).equals(spoiled.subarray(from, to))]).toEqual([page, true]);
    }
    console.log(`damaged pages: ${pages} survived of ${pages} tried`);
  });

  it('keeps everything before the cut when the file is truncated anywhere', () => {
    const sound = soundDatabase();
    const sizes = [0, 1, 99, 100, 4095, 4096, 4097, 3 * 4096, sound.bytes.length / 2, sound.bytes.length - 1];
    for (const size of sizes) {
      writeFileSync(file, sound.bytes);
      truncateSync(file, Math.floor(size));
      const store = startUntilWhole();
      expect([size, store.notice]).toEqual([size, expect.stringContaining('damaged')]);
      const before = sound.rows.get('outbox') ?? [];
      const kept = rowsIn(file).get('outbox') ?? [];
      expect(kept.filter((row) => !before.includes(row))).toEqual([]);
      if (size === sound.bytes.length - 1) expect(kept.length).toBeGreaterThan(before.length / 2);
      store.close();
    }
  });

  it('loses nothing when a byte in any header field changes', () => {
    const sound = soundDatabase();
    // Not the schema number (60): a larger one marks a newer copane's database.
    const fields = [0, 16, 18, 19, 20, 21, 22, 23, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 68, 92, 96];
    for (const at of fields) {
      const spoiled = Buffer.from(sound.bytes);
      spoiled[at] = 7;
      rmSync(`${file}-wal`, { force: true });
      rmSync(`${file}-shm`, { force: true });
      writeFileSync(file, spoiled);
      const store = startUntilWhole();
      const kept = new Set(rowsIn(file).get('outbox'));
      expect([at, sound.rows.get('outbox')?.every((row) => kept.has(row))]).toEqual([at, true]);
      store.close();
    }
  });

  it.each([512, 1024, 65_536])('loses nothing from a file with pages of %i bytes', (pageBytes) => {
    const sound = soundDatabase();
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode=DELETE; PRAGMA page_size=${pageBytes}; VACUUM`);
    database.close();
    const store = startUntilWhole();
    expect(store.notice).toContain('Nothing is missing');
    store.close();
    const found = rowsIn(file);
    for (const [table, rows] of sound.rows) expect([table, found.get(table)]).toEqual([table, rows]);
  });

  it.each(['null', '{}', '[]', '"x"', '{"id":1}'])('loses only one record when %s replaces it', (json) => {
    const sound = soundDatabase();
    const spoiled = { suggestions: 'record', outbox: 'entry' };
    for (const [table, column] of Object.entries(spoiled)) {
      const database = new DatabaseSync(file);
      database.exec(`UPDATE ${table} SET ${column} = '${json}' WHERE id = (SELECT max(id) FROM ${table})`);
      database.close();
      const store = startUntilWhole();
      expect([table, store.notice]).toEqual([
        table,
        expect.stringContaining('a record is not what was written'),
      ]);
      expect(store.notice).toContain('Could not be read, at least in part');
      store.close();
      expect(rowsIn(file).get(table)).toHaveLength((sound.rows.get(table)?.length ?? 0) - 1);
    }
  });

  it('is detected when only part of the write-ahead log is zeroed', () => {
    const store = open();
    fill(store);
    mkdirSync(path.join(home.home, 'copy'));
    for (const name of ['copane.db', 'copane.db-wal'])
      copyFileSync(path.join(home.paths.stateDir, name), path.join(home.home, 'copy', name));
    store.close();
    for (const name of ['copane.db', 'copane.db-wal'])
      copyFileSync(path.join(home.home, 'copy', name), path.join(home.paths.stateDir, name));
    const log = readFileSync(`${file}-wal`);
    expect(log.length).toBeGreaterThan(PAGE_BYTES);
    // A frame in the middle: SQLite itself would silently drop the frames after it.
    log.fill(0, 32 + 3 * (24 + PAGE_BYTES), 32 + 4 * (24 + PAGE_BYTES));
    writeFileSync(`${file}-wal`, log);
    const again = startUntilWhole();
    expect(again.notice).toContain('log of the newest changes');
    expect(rowsIn(file).get('outbox')?.length).toBeGreaterThan(ROWS / 2);
    again.close();
    writeFileSync(`${file}-wal`, Buffer.alloc(log.length));
    const third = startUntilWhole();
    expect(third.notice).toContain('log of the newest changes');
    third.close();
  });

  it.each([
    'ALTER TABLE drafts RENAME COLUMN pane TO words; DROP TABLE review_intents; CREATE TABLE review_intents (x)',
    'CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM suggestions; END',
    "CREATE TRIGGER t BEFORE INSERT ON meta BEGIN SELECT RAISE(ABORT, 'no'); END",
    'CREATE VIEW v AS SELECT * FROM suggestions',
    'PRAGMA user_version=0',
  ])('includes one with our schema number and foreign tables: %s', (sql) => {
    const sound = soundDatabase();
    const other = new DatabaseSync(file);
    other.exec(sql);
    other.close();
    const store = startUntilWhole();
    expect(store.notice).toContain('not those of copane');
    expect(rowsIn(file)).toEqual(sound.rows);
    store.close();
  });

  it('is detected when the log belongs to another database', () => {
    const sound = soundDatabase();
    const elsewhere = `${file}.elsewhere`;
    const other = new DatabaseSync(elsewhere);
    other.exec('PRAGMA journal_mode=WAL; CREATE TABLE a (b)');
    copyFileSync(`${elsewhere}-wal`, `${file}-wal`);
    other.close();
    const store = startUntilWhole();
    expect(store.notice).toContain('its log of the newest changes is damaged');
    expect(rowsIn(file)).toEqual(sound.rows);
    store.close();
  });

  it('does not restart its numbers', () => {
    const store = open();
    fill(store);
    const last = store.events.head();
    store.close();
    writeFileSync(`${file}.damage`, 'a test\n');
    const again = must(openStore({ stateDir: home.paths.stateDir, now: () => now }));
    expect(again.events.head()).toBeGreaterThan(last);
    expect(must(again.beginEpoch(CARD)).epoch).toBe(2);
    expect(existsSync(`${file}.damage`)).toBe(false);
    again.close();
  });

  it('is kept up to a bound, with its report', () => {
    soundDatabase();
    for (let round = 0; round < DAMAGED_COPIES_MAX + 2; round++) {
      writeFileSync(`${file}.damage`, `round ${round}\n`);
      open().close();
    }
    const copies = damagedCopies(file);
    expect(recentSalvage(file, now + 1_000)).toBe(copies.at(-1)?.sentence);
    expect(recentSalvage(file, now + 25 * 3_600_000)).toBeNull();
    expect(copies.map(({ sentence }) => /round \d/.exec(sentence)?.[0])).toEqual([
      'round 2',
      'round 3',
      'round 4',
    ]);
    expect(copies[0]?.sentence).toContain(`${ROWS} drafts, ${ROWS} prompts, ${ROWS} reviews`);
    const left = readdirSync(home.paths.stateDir).filter((name) => name.includes('damaged'));
    expect(left).toHaveLength(DAMAGED_COPIES_MAX * 2);
  });

  it('is repaired after a crash between the two renames', () => {
    const sound = soundDatabase();
    const before = readFileSync(file);
    copyFileSync(file, `${file}.salvage-2026-01-01T00-00-00-000Z`);
    writeFileSync(file, 'damaged');
    open().close();
    expect(rowsIn(file)).toEqual(sound.rows);
    expect(readFileSync(`${file}.damaged-2026-01-01T00-00-00-000Z`, 'utf8')).toBe('damaged');
    expect(before.length).toBeGreaterThan(0);
  });

  it('has a rule for every table', () => {
    open().close();
    const database = new DatabaseSync(file);
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all();
    database.close();
    const ruled = [...SALVAGE_RULES, ...NOT_SALVAGED].map(({ table }) => table);
    expect(tables.map((row) => String(row.name)).sort()).toEqual(ruled.sort());
  });
});
