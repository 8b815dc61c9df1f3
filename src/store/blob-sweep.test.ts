import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { must, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { ok } from '../lib/result.ts';
import { BLOB_GRACE_MS, sweepBlobs } from './blob-sweep.ts';
import { BlobStore, blobFolderOf } from './blobs.ts';
import { openStore, type Store, type StoreWriter } from './store.ts';

let home: ReturnType<typeof temporaryHome>;
let store: Store;
let blobs: BlobStore;
beforeEach(() => {
  home = temporaryHome();
  store = must(openStore({ stateDir: home.paths.stateDir, now: () => 0 }));
  must(store.beginEpoch({ pid: 1, startedAt: 0, version: 'test', socketPath: '/s' }));
  blobs = new BlobStore(home.paths.stateDir);
});
afterEach(() => {
  store.close();
  home.remove();
});

const NOW = Date.now();
const fileOf = (hash: string) =>
  path.join(blobFolderOf(home.paths.stateDir), hash.slice(0, 2), hash.slice(2));

/** Creates a blob last used `ageMs` ago. */
async function old(text: string, ageMs = BLOB_GRACE_MS + 1_000): Promise<string> {
  const hash = must(await blobs.put(Buffer.from(text)));
  const at = new Date(NOW - ageMs);
  utimesSync(fileOf(hash), at, at);
  return hash;
}

const write = (change: (writer: StoreWriter) => void) =>
  must(
    store.write((writer) => {
      change(writer);
      return ok(undefined);
    }),
  );
const sweep = (signal = new AbortController().signal) =>
  sweepBlobs({ stateDir: home.paths.stateDir, now: NOW, signal });
const isKept = (hash: string) => existsSync(fileOf(hash));

const SESSION = 'sess_1';
const image = (blob: string) => ({ blob, type: 'file', executable: false }) as const;

/** For each kind of record that can own a blob, a function that writes such a record. */
const OWNERS: readonly (readonly [string, (writer: StoreWriter, hash: string) => void])[] = [
  [
    'a suggestion',
    (w, patch) => w.reviews.putSuggestion({ id: 's', createdAt: 0, end: null, patch } as never),
  ],
  [
    'a file of a suggestion',
    (w, blob) => {
      w.reviews.putSuggestion({ id: 's', createdAt: 0, end: null } as never);
      w.reviews.putFile('s', 0, { base: { blob } } as never);
    },
  ],
  [
    'a pending write',
    (w, newBlob) => w.reviews.putIntent({ id: 'i', write: { inPlace: { newBlob } } } as never),
  ],
  [
    'a file of the change log',
    (w, blob) =>
      w.agent.putTracked({ root: '/r', path: 'a', base: image(blob), from: 0, disk: null } as never),
  ],
  [
    'a checkpoint',
    (w, blob) =>
      w.agent.putCheckpoint({
        checkpoint: { checkpoint_id: 'c', session_id: SESSION },
        files: [{ path: 'a', base: image(blob), proposed: null }],
      } as never),
  ],
  ['a pending save', (w, oldBlob) => w.agent.putSave({ id: 'v', write: { inPlace: { oldBlob } } } as never)],
];

describe('a sweep', () => {
  it.each(OWNERS)('keeps what %s names, and drops it with its record', async (_, put) => {
    const [named, lost] = [await old('named'), await old('lost')];
    write((writer) => put(writer, named));
    expect(await sweep()).toEqual({ kept: 1, dropped: 1 });
    expect([named, lost].map(isKept)).toEqual([true, false]);
    expect(must(await blobs.get(named)).toString()).toBe('named');
    write(({ agent, reviews }) => {
      agent.dropTracked('/r', 'a');
      agent.dropCheckpoint('c');
      agent.dropSave('v');
      agent.dropLayer('s');
      reviews.dropIntent('i');
    });
    expect(await sweep()).toMatchObject({ dropped: 1 });
    expect(isKept(named)).toBe(false);
  });

  it('keeps a recent blob, one exactly at the bound, and one stored again', async () => {
    const [atBound, again] = [await old('at the bound', BLOB_GRACE_MS), await old('again')];
    must(await blobs.put(Buffer.from('again')));
    expect(await sweep()).toMatchObject({ kept: 2, dropped: 0 });
    expect([atBound, again].map(isKept)).toEqual([true, true]);
  });

  it('deletes files that a crash left incomplete', async () => {
    const folder = path.join(blobFolderOf(home.paths.stateDir), 'ab');
    mkdirSync(folder, { recursive: true });
    const half = path.join(folder, '.half');
    writeFileSync(half, 'x');
    utimesSync(half, 0, 0);
    await sweep();
    expect(existsSync(half)).toBe(false);
  });

  it('stops deleting once aborted', async () => {
    const folder = path.join(blobFolderOf(home.paths.stateDir), 'ab');
    mkdirSync(folder, { recursive: true });
    for (let i = 0; i < 1_000; i += 1) {
      writeFileSync(path.join(folder, String(i)), '');
      utimesSync(path.join(folder, String(i)), 0, 0);
    }
    const controller = new AbortController();
    const swept = sweep(controller.signal);
    controller.abort();
    await expect(swept).rejects.toThrow();
    expect(readdirSync(folder).length).toBeGreaterThan(500);
  });

  it('does nothing in a folder without blobs', async () => {
    expect(await sweep()).toEqual({ kept: 0, dropped: 0 });
  });
});
