import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { draftOf, must, promptOf, putDraft, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { fail, ok } from '../lib/result.ts';
import type { Draft } from '../protocol/draft.ts';
import type { OutboxEntry } from '../protocol/outbox.ts';
import { APPLIED_MAX_ROWS } from './applied-table.ts';
import { DRAFTS_MAX_EMPTY } from './draft-table.ts';
import type { EventLimits } from './event-table.ts';
import { peekLeader } from './leader-record.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { OUTBOX_COLLECT_EVERY, OUTBOX_MAX_FINISHED } from './outbox-table.ts';
import { databaseFileOf, openStore, type Store, type StoreWriter } from './store.ts';
import { VIEWED_MAX_HUNKS } from './viewed-table.ts';
import { countWaitingReviews } from './waiting-reviews.ts';

const CARD = { pid: 1, startedAt: 0, version: 'test', socketPath: '/s' };
const KEY = { project: '/p', pane: '%1' };

let home: ReturnType<typeof temporaryHome>;
let opened: Store[] = [];

beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => {
  for (const store of opened) store.close();
  opened = [];
  home.remove();
});

function open(options: { eventLimits?: EventLimits; lead?: boolean } = {}): Store {
  const store = must(openStore({ stateDir: home.paths.stateDir, now: () => 1000, ...options }));
  opened.push(store);
  if (options.lead !== false) must(store.beginEpoch(CARD));
  return store;
}

function change(store: Store, work: (writer: StoreWriter) => void) {
  return must(
    store.write((writer) => {
      work(writer);
      return ok(null);
    }),
  );
}

function entry(id: string, state: OutboxEntry['state'] = 'recorded', createdAt = 0): OutboxEntry {
  return { ...promptOf(id), state, reason: null, proof: null, createdAt, updatedAt: createdAt };
}

const emitText = (writer: StoreWriter, text: string) =>
  writer.emit({ type: 'review/viewed', hunks: [text], viewed: true });

describe('opening', () => {
  it('creates a private folder and database, and reopens it with its content', () => {
    const store = open();
    change(store, (writer) => {
      writer.outbox.put(entry('a'));
      putDraft(writer, { key: KEY, draft: draftOf('hello'), revision: 4, updatedAt: 9 });
      emitText(writer, 'hello');
    });
    expect(statSync(home.paths.stateDir).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(home.paths.stateDir)) {
      expect([name, statSync(path.join(home.paths.stateDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    store.close();
    opened = [];
    const again = open();
    expect(again.outbox.get('a')).toEqual(entry('a'));
    expect(again.drafts.get(KEY)).toEqual({ key: KEY, draft: draftOf('hello'), revision: 4, updatedAt: 9 });
    expect(again.events.after(0, 10)).toHaveLength(1);
    expect(again.notice).toBeNull();
  });

  it('makes an accessible folder private', () => {
    mkdirSync(home.paths.stateDir, { recursive: true, mode: 0o755 });
    open();
    expect(statSync(home.paths.stateDir).mode & 0o777).toBe(0o700);
  });

  it('refuses the schema of a newer copane and does not change it', () => {
    open().close();
    opened = [];
    const file = databaseFileOf(home.paths.stateDir);
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version=${SCHEMA_VERSION + 1}`);
    newer.close();
    const before = readFileSync(file);
    const refused = openStore({ stateDir: home.paths.stateDir, now: () => 0 });
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
    open().close();
    opened = [];
    const file = databaseFileOf(home.paths.stateDir);
    damage(file);
    const damaged = readFileSync(file);
    const store = open();
    expect(store.notice).toContain('damaged');
    const aside = readdirSync(home.paths.stateDir).find((name) => name.includes('.damaged-'));
    expect(aside).toBeDefined();
    expect(readFileSync(path.join(home.paths.stateDir, String(aside))).equals(damaged)).toBe(true);
    change(store, (writer) => writer.outbox.put(entry('a')));
    expect(store.outbox.get('a')).not.toBeNull();
  });

  it('reports a file in place of the folder', () => {
    mkdirSync(path.dirname(home.paths.stateDir), { recursive: true });
    writeFileSync(home.paths.stateDir, 'mine');
    const refused = openStore({ stateDir: home.paths.stateDir, now: () => 0 });
    expect(refused).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(!refused.ok && refused.error.message).toContain('a file stands in its place');
    expect(readFileSync(home.paths.stateDir, 'utf8')).toBe('mine');
  });

  it.each(['copane.db', 'copane.db-wal', 'copane.db-shm', 'copane.db.damage'])(
    'names the odd file found as %s',
    (name) => {
      open().close();
      opened = [];
      const place = path.join(home.paths.stateDir, name);
      for (const make of [() => mkdirSync(place), () => execFileSync('mkfifo', [place])]) {
        rmSync(place, { recursive: true, force: true });
        make();
        expect(openStore({ stateDir: home.paths.stateDir, now: () => 0 })).toMatchObject({
          error: { message: `${place} is not a regular file.`, hint: 'Move it away, then try again.' },
        });
        expect(peekLeader(databaseFileOf(home.paths.stateDir))).toBeNull();
        expect(countWaitingReviews(databaseFileOf(home.paths.stateDir))).toBeNull();
      }
    },
  );
});

describe('writing', () => {
  it('rolls back a change that fails or throws, with its events', () => {
    const store = open();
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
    const store = open();
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
    const old = open();
    const next = open();
    expect(must(old.write((writer) => ok(writer.outbox.put(entry('a')))))).toEqual({ kind: 'stale' });
    expect(next.outbox.list(null, 10)).toEqual([]);
    change(next, (writer) => writer.outbox.put(entry('b')));
    expect(peekLeader(databaseFileOf(home.paths.stateDir))).toEqual({ ...CARD, epoch: 2 });
  });

  it('refuses to write into a database whose file was removed', () => {
    const store = open();
    rmSync(home.paths.stateDir, { recursive: true });
    expect(store.isCurrent()).toBe(false);
    expect(must(store.write(() => ok(1)))).toEqual({ kind: 'stale' });
  });

  it('runs an identified request once, even across leaders', () => {
    const wanted = (store: Store, answer: string) =>
      must(store.write((writer) => writer.once('append k-1', () => ok(answer))));
    expect(wanted(open(), 'first')).toMatchObject({ result: ok('first') });
    expect(wanted(open(), 'second')).toMatchObject({ result: ok('first') });
  });

  it('drops results beyond the bound, oldest first', () => {
    const store = open();
    change(store, (writer) => {
      for (let n = 1; n <= APPLIED_MAX_ROWS + 1; n++) writer.once(`k${n}`, () => ok(n));
      expect(writer.once('k1', () => ok('again'))).toEqual(ok('again'));
      expect(writer.once('k3', () => ok('again'))).toEqual(ok(3));
    });
  });
});

describe('the event log', () => {
  it('bounds the number of events, without a gap', () => {
    const store = open({ eventLimits: { maxRows: 100, maxBytes: 1e9 } });
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
    const store = open({ eventLimits: { maxRows: 1000, maxBytes: 50_000 } });
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
    const store = open();
    expect(() => change(store, (writer) => emitText(writer, 'x'.repeat(8 * 1024 * 1024)))).toThrow(
      RangeError,
    );
    expect(store.events.head()).toBe(0);
  });

  it('continues numbering after everything was dropped', () => {
    const store = open({ eventLimits: { maxRows: 1, maxBytes: 1e9 } });
    change(store, (writer) => {
      for (let n = 0; n < 64; n++) emitText(writer, 'x');
    });
    store.close();
    opened = [];
    const again = open();
    change(again, (writer) => emitText(writer, 'x'));
    expect(again.events.head()).toBe(65);
  });
});

describe('drafts', () => {
  it('drops empty drafts beyond the bound, oldest first, and never one with text', () => {
    const store = open();
    const put = (writer: StoreWriter, pane: string, draft: Draft, updatedAt: number) =>
      putDraft(writer, { key: { project: 'p', pane }, draft, revision: 1, updatedAt });
    change(store, (writer) => {
      put(writer, 'text', draftOf('mine'), 0);
      for (let n = 1; n <= DRAFTS_MAX_EMPTY; n++) put(writer, `e${n}`, draftOf(), n);
      expect(writer.drafts.get({ project: 'p', pane: 'e1' }).revision).toBe(1);
      put(writer, 'last', draftOf(), DRAFTS_MAX_EMPTY + 1);
    });
    const revisionOf = (pane: string) => store.drafts.get({ project: 'p', pane }).revision;
    expect(['text', 'e1', 'e2', 'last'].map(revisionOf)).toEqual([1, 0, 1, 1]);
  });
});

describe('the outbox', () => {
  const LAST = OUTBOX_MAX_FINISHED + OUTBOX_COLLECT_EVERY;

  it('drops the oldest finished prompts beyond the bound, even if the clock goes back', () => {
    const store = open();
    change(store, (writer) => {
      writer.outbox.put(entry('open', 'pasted', -1));
      for (let n = 0; n <= LAST; n++) writer.outbox.put(entry(`f${n}`, 'delivered', -n));
      // An update keeps its original position.
      writer.outbox.put(entry(`f${LAST - 2}`, 'delivered', LAST));
    });
    expect(store.outbox.get('open')).not.toBeNull();
    expect(store.outbox.get('f0')).toBeNull();
    expect(store.outbox.list(null, 3).map(({ id }) => id)).toEqual([
      `f${LAST}`,
      `f${LAST - 1}`,
      `f${LAST - 2}`,
    ]);
    const kept = store.outbox.list(null, LAST).length;
    expect(kept).toBeGreaterThan(OUTBOX_MAX_FINISHED);
    expect(kept).toBeLessThanOrEqual(OUTBOX_MAX_FINISHED + OUTBOX_COLLECT_EVERY);
  });

  it('lists the prompts of one pane, regardless of the field order in its identity', () => {
    const store = open();
    change(store, (writer) => {
      writer.outbox.put(entry('a'));
      writer.outbox.put({ ...entry('b'), pane: { ...entry('b').pane, paneId: '%9' } });
    });
    const { socketPath, serverPid, paneId, panePid } = entry('a').pane;
    expect(store.outbox.list({ panePid, paneId, serverPid, socketPath }, 9).map(({ id }) => id)).toEqual([
      'a',
    ]);
  });
});

describe('suggestions', () => {
  const suggestion = (id: string, more = {}) =>
    ({
      id,
      target: '/p',
      patch: '',
      createdAt: Number(id),
      files: ['a'],
      end: null,
      revision: 1,
      ...more,
    }) as never;
  const listed = (store: Store) => store.reviews.openSuggestions().map(({ id, revision }) => [id, revision]);

  it('are listed as stored after a change, a rollback and a purge', () => {
    const store = open();
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('1')));
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('2')));
    expect(listed(store)).toEqual([
      ['2', 1],
      ['1', 1],
    ]);
    must(
      store.write((writer) => {
        writer.reviews.putSuggestion(suggestion('1', { revision: 2 }));
        expect(listed(store)).toContainEqual(['1', 2]);
        return fail('refused', 'no');
      }),
    );
    expect(listed(store)).toContainEqual(['1', 1]);
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('1', { end: 'discarded' })));
    expect(listed(store)).toEqual([['2', 1]]);
    change(store, (writer) => writer.purge({ kind: 'reviews', before: 10, unfinished: false }));
    expect(store.reviews.suggestions().map(({ id }) => id)).toEqual(['2']);
  });

  it('are listed in order of arrival, regardless of the clock', () => {
    const store = open();
    for (const [id, createdAt] of [
      ['first', 9_000],
      ['second', 1],
      ['third', 5_000],
    ] as const)
      change(store, (writer) => writer.reviews.putSuggestion(suggestion(id, { createdAt })));
    change(store, (writer) =>
      writer.reviews.putSuggestion(suggestion('first', { createdAt: 9_000, revision: 2 })),
    );
    expect(store.reviews.suggestions().map(({ id }) => id)).toEqual(['third', 'second', 'first']);
  });

  it('are dropped once ended, beyond a number and a size, oldest first', () => {
    const store = open();
    const files = ['n'.repeat(1024 * 1024)];
    change(store, (writer) => writer.reviews.putSuggestion(suggestion('0', { files })));
    for (let id = 1; id <= 5; id += 1)
      change(store, (writer) =>
        writer.reviews.putSuggestion(suggestion(`${id}`, { files, end: 'finalized' })),
      );
    expect(store.reviews.suggestions().map(({ id }) => id)).toEqual(['5', '4', '3', '0']);
    change(store, (writer) => {
      for (let id = 6; id <= 600; id += 1)
        writer.reviews.putSuggestion(suggestion(`${id}`, { end: 'finalized' }));
    });
    const left = store.reviews.suggestions();
    expect([left.length, left.at(-2)?.id, left.at(-1)?.id]).toEqual([501, '101', '0']);
  });
});

it('finds no leader record before the first leader', () => {
  expect(peekLeader(databaseFileOf(home.paths.stateDir))).toBeNull();
  open({ lead: false });
  expect(peekLeader(databaseFileOf(home.paths.stateDir))).toBeNull();
  expect(existsSync(databaseFileOf(home.paths.stateDir))).toBe(true);
});

describe('viewed hunks', () => {
  it('survive a restart until unmarked', () => {
    change(open(), (writer) => writer.viewed.mark(['a', 'b', 'a'], true));
    const store = open();
    expect(store.viewed.of(['b', 'c', 'a'])).toEqual(['b', 'a']);
    change(store, (writer) => writer.viewed.mark(['b', 'never'], false));
    expect(store.viewed.of(['a', 'b'])).toEqual(['a']);
  });

  it('are dropped beyond a bound, oldest first', () => {
    const store = open();
    const ids = Array.from({ length: VIEWED_MAX_HUNKS + 1 }, (_, index) => `${index}`);
    change(store, (writer) => writer.viewed.mark(ids.slice(0, VIEWED_MAX_HUNKS), true));
    expect(store.viewed.of(['0'])).toEqual(['0']);
    change(store, (writer) => writer.viewed.mark(ids.slice(VIEWED_MAX_HUNKS), true));
    expect(store.viewed.of(['0', '1', `${VIEWED_MAX_HUNKS}`])).toEqual(['1', `${VIEWED_MAX_HUNKS}`]);
  });
});
