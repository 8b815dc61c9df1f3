import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { draftOf, must, putDraft } from '../../test/helpers/host-fakes.ts';
import { CARD, change, entry, KEY, testStores } from '../../test/helpers/test-store.ts';
import { fail, ok } from '../lib/result.ts';
import { APPLIED_MAX_ROWS } from './applied-table.ts';
import { peekLeader } from './leader-record.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { databaseFileOf, openStore, type Store, type StoreWriter } from './store.ts';
import { countWaitingReviews } from './waiting-reviews.ts';

const stores = testStores();
const emitText = (writer: StoreWriter, text: string) =>
  writer.emit({ type: 'review/viewed', hunks: [text], viewed: true });

describe('opening', () => {
  it('creates a private folder and database, and reopens it with its content', () => {
    const store = stores.open();
    change(store, (writer) => {
      writer.outbox.put(entry('a'));
      putDraft(writer, { key: KEY, draft: draftOf('hello'), revision: 4, updatedAt: 9 });
      emitText(writer, 'hello');
    });
    expect(statSync(stores.stateDir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(stores.stateDir)) {
      expect([name, statSync(path.join(stores.stateDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    store.close();
    stores.forget();
    const again = stores.open();
    expect(again.outbox.get('a')).toEqual(entry('a'));
    expect(again.drafts.get(KEY)).toEqual({ key: KEY, draft: draftOf('hello'), revision: 4, updatedAt: 9 });
    expect(again.events.after(0, 10)).toHaveLength(1);
    expect(again.notice).toBeNull();
  });

  it('makes an accessible folder private', () => {
    mkdirSync(stores.stateDir, { recursive: true, mode: 0o755 });
    stores.open();
    expect(statSync(stores.stateDir).mode & 0o777).toBe(0o700);
  });

  it('refuses the schema of a newer copane and does not change it', () => {
    stores.open().close();
    stores.forget();
    const file = databaseFileOf(stores.stateDir);
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version=${SCHEMA_VERSION + 1}`);
    newer.close();
    const before = readFileSync(file);
    const refused = openStore({ stateDir: stores.stateDir, now: () => 0 });
    expect(refused).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(!refused.ok && refused.error.message).toContain(`schema ${SCHEMA_VERSION + 1}`);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ['garbage', (file: string) => writeFileSync(file, 'this is not a database. '.repeat(500))],
    [
      'a torn page',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(0xee, 100, 4096);
        writeFileSync(file, bytes);
      },
    ],
  ])('keeps a copy of a damaged database and starts a new one: %s', (_name, damage) => {
    stores.open().close();
    stores.forget();
    const file = databaseFileOf(stores.stateDir);
    damage(file);
    const damaged = readFileSync(file);
    const store = stores.open();
    expect(store.notice).toContain('damaged');
    const aside = readdirSync(stores.stateDir).find((name) => name.includes('.damaged-'));
    expect(aside).toBeDefined();
    expect(readFileSync(path.join(stores.stateDir, String(aside))).equals(damaged)).toBe(true);
    change(store, (writer) => writer.outbox.put(entry('a')));
    expect(store.outbox.get('a')).not.toBeNull();
  });

  it('reports a file in place of the folder', () => {
    mkdirSync(path.dirname(stores.stateDir), { recursive: true });
    writeFileSync(stores.stateDir, 'mine');
    const refused = openStore({ stateDir: stores.stateDir, now: () => 0 });
    expect(refused).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(!refused.ok && refused.error.message).toContain('a file stands in its place');
    expect(readFileSync(stores.stateDir, 'utf8')).toBe('mine');
  });

  it.each(['copane.db', 'copane.db-wal', 'copane.db-shm', 'copane.db.damage'])(
    'names the odd file found as %s',
    (name) => {
      stores.open().close();
      stores.forget();
      const place = path.join(stores.stateDir, name);
      for (const make of [() => mkdirSync(place), () => execFileSync('mkfifo', [place])]) {
        rmSync(place, { recursive: true, force: true });
        make();
        expect(openStore({ stateDir: stores.stateDir, now: () => 0 })).toMatchObject({
          error: { message: `${place} is not a regular file.`, hint: 'Move it away, then try again.' },
        });
        expect(peekLeader(databaseFileOf(stores.stateDir))).toBeNull();
        expect(countWaitingReviews(databaseFileOf(stores.stateDir))).toBeNull();
      }
    },
  );
});

describe('writing', () => {
  it('rolls back a change that fails or throws, with its events', () => {
    const store = stores.open();
    const failed = must(
      store.write((writer) => {
        writer.outbox.put(entry('a'));
        emitText(writer, 'x');
        return fail('refused', 'no');
      }),
    );
    expect(failed).toEqual({ kind: 'done', result: fail('refused', 'no'), events: [] });
    expect(() =>
      store.write((writer) => {
        writer.outbox.put(entry('b'));
        throw new Error('a defect');
      }),
    ).toThrow('a defect');
    expect(store.outbox.list(null, 10)).toEqual([]);
    expect(store.events.head()).toBe(0);
    change(store, (writer) => emitText(writer, 'y'));
    expect(store.events.after(0, 10).map(({ seq }) => seq)).toEqual([1]);
  });

  it('syncs every commit except ordered ones, and the first commit after one', () => {
    const store = stores.open();
    const calls: string[] = [];
    // SQLite's syncs cannot be observed, but its settings can.
    const { exec } = DatabaseSync.prototype;
    const spy = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
      this: DatabaseSync,
      sql,
    ) {
      calls.push(sql);
      exec.call(this, sql);
    });
    must(store.write((writer) => ok(writer.outbox.put(entry('a'))), 'ordered'));
    expect(() =>
      store.write(() => {
        throw new Error('a defect');
      }, 'ordered'),
    ).toThrow('a defect');
    must(store.write((writer) => ok(writer.outbox.put(entry('b')))));
    spy.mockRestore();
    const ordered = ['PRAGMA synchronous=NORMAL', 'BEGIN IMMEDIATE'];
    expect(calls).toEqual([
      ...ordered,
      'COMMIT',
      'PRAGMA synchronous=FULL',
      ...ordered,
      'ROLLBACK',
      'PRAGMA synchronous=FULL',
      'BEGIN IMMEDIATE',
      'COMMIT',
    ]);
    expect(store.outbox.list(null, 10)).toHaveLength(2);
  });

  it('refuses a replaced leader and accepts the new one', () => {
    const old = stores.open();
    const next = stores.open();
    expect(must(old.write((writer) => ok(writer.outbox.put(entry('a')))))).toEqual({ kind: 'stale' });
    expect(next.outbox.list(null, 10)).toEqual([]);
    change(next, (writer) => writer.outbox.put(entry('b')));
    expect(peekLeader(databaseFileOf(stores.stateDir))).toEqual({ ...CARD, epoch: 2 });
  });

  it('refuses to write into a database whose file was removed', () => {
    const store = stores.open();
    rmSync(stores.stateDir, { recursive: true });
    expect(store.isCurrent()).toBe(false);
    expect(must(store.write(() => ok(1)))).toEqual({ kind: 'stale' });
  });

  it('runs an identified request once, even across leaders', () => {
    const wanted = (store: Store, answer: string) =>
      must(store.write((writer) => writer.once('append k-1', () => ok(answer))));
    expect(wanted(stores.open(), 'first')).toMatchObject({ result: ok('first') });
    expect(wanted(stores.open(), 'second')).toMatchObject({ result: ok('first') });
  });

  it('drops results beyond the bound, oldest first', () => {
    const store = stores.open();
    change(store, (writer) => {
      for (let n = 1; n <= APPLIED_MAX_ROWS + 1; n++) writer.once(`k${n}`, () => ok(n));
      expect(writer.once('k1', () => ok('again'))).toEqual(ok('again'));
      expect(writer.once('k3', () => ok('again'))).toEqual(ok(3));
    });
  });
});

describe('the event log', () => {
  it('bounds the number of events, without a gap', () => {
    const store = stores.open({ eventLimits: { maxRows: 100, maxBytes: 1e9 } });
    change(store, (writer) => {
      for (let n = 0; n < 320; n++) emitText(writer, String(n));
    });
    expect(store.events.head()).toBe(320);
    expect(store.events.oldest()).toBe(221);
    expect(store.events.after(0, 1000).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 100 }, (_, i) => 221 + i),
    );
  });

  it('bounds the bytes of events, but always keeps the newest', () => {
    const store = stores.open({ eventLimits: { maxRows: 1000, maxBytes: 50_000 } });
    change(store, (writer) => {
      for (let n = 0; n < 64; n++) emitText(writer, 'x'.repeat(10_000));
    });
    const kept = store.events.after(0, 1000);
    expect(kept.length).toBe(4);
    expect(kept.at(-1)?.seq).toBe(64);
    change(store, (writer) => {
      for (let n = 0; n < 64; n++) emitText(writer, 'x'.repeat(60_000));
    });
    expect(store.events.oldest()).toBe(128);
  });

  it('refuses an event that is too large for a message', () => {
    const store = stores.open();
    expect(() => change(store, (writer) => emitText(writer, 'x'.repeat(8 * 1024 * 1024)))).toThrow(
      RangeError,
    );
    expect(store.events.head()).toBe(0);
  });

  it('continues numbering after everything was dropped', () => {
    const store = stores.open({ eventLimits: { maxRows: 1, maxBytes: 1e9 } });
    change(store, (writer) => {
      for (let n = 0; n < 64; n++) emitText(writer, 'x');
    });
    store.close();
    stores.forget();
    const again = stores.open();
    change(again, (writer) => emitText(writer, 'x'));
    expect(again.events.head()).toBe(65);
  });
});

it('finds no leader record before the first leader', () => {
  expect(peekLeader(databaseFileOf(stores.stateDir))).toBeNull();
  stores.open({ lead: false });
  expect(peekLeader(databaseFileOf(stores.stateDir))).toBeNull();
  expect(existsSync(databaseFileOf(stores.stateDir))).toBe(true);
});
