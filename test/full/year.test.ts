/** A year of work, day by day: storage stays below the documented size. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ok } from '../../src/lib/result.ts';
import type { EventBody } from '../../src/protocol/event.ts';
import { rowOf } from '../../src/review/records/stored-file.ts';
import { BLOB_GRACE_MS, sweepBlobs } from '../../src/store/blob-sweep.ts';
import { BlobStore } from '../../src/store/blobs.ts';
import { databaseFileOf, openStore, type StoreWriter } from '../../src/store/store.ts';
import { databaseUsage } from '../../src/store/usage.ts';
import { must, promptOf, temporaryHome } from '../helpers/host-fakes.ts';

const DAY_MS = 24 * 3_600_000;
const DAYS = 365;
const PROMPTS = 200;
const SUGGESTIONS = 10;
const HUNKS = 10;
/** The size that docs/state.md promises for such a year. */
const YEAR_MAX_MIB = 64;
const TEXT = 'Please look at the second paragraph again, and say why. '.repeat(12);

let now = Date.now();

function workOneDay(writer: StoreWriter, day: number, blob: string): void {
  for (let n = 0; n < PROMPTS; n++) {
    const entry = {
      ...promptOf(`${day}-${n}`, TEXT),
      reason: null,
      proof: null,
      createdAt: now,
      updatedAt: now,
    };
    for (const state of ['recorded', 'delivered'] as const) {
      writer.outbox.put({ ...entry, state });
      writer.emit({ type: 'outbox/changed', entry: { ...entry, state } });
    }
  }
  for (let n = 0; n < SUGGESTIONS; n++) decide(writer, `s-${day}-${n}`, blob);
}

function decide(writer: StoreWriter, id: string, blob: string): void {
  const files = ['src/a.ts'];
  const stored = { id, createdAt: now, description: TEXT, target: '/p', patch: blob, files, revision: HUNKS };
  writer.reviews.putSuggestion({ ...stored, end: null } as never);
  writer.reviews.putFile(id, 0, { base: null, absent: false, origin: blob, unmoved: false, parts: [] });
  for (let hunk = 0; hunk < HUNKS; hunk++) {
    const pieces = [[hunk, hunk + 1, 0, TEXT]];
    const change = { id: `${id}-${hunk}`, file: 0, decision: 'accepted', pieces, past: ['pending'] };
    writer.reviews.putChanges(id, [rowOf(change as never)]);
    writer.viewed.mark([`${id}-${hunk}`], true);
    writer.emit({
      type: 'review/changed',
      suggestion: { id },
      decisions: [{ hunk }],
    } as unknown as EventBody);
  }
  writer.reviews.putSuggestion({ ...stored, end: 'finalized' } as never);
}

it(`keeps a year of ${PROMPTS} prompts and ${SUGGESTIONS * HUNKS} decisions a day below ${YEAR_MAX_MIB} MiB`, async () => {
  const home = temporaryHome();
  const { stateDir } = home.paths;
  const store = must(openStore({ stateDir, now: () => now }));
  must(store.beginEpoch({ pid: 1, startedAt: 0, version: 'test', socketPath: '/s' }));
  const blobs = new BlobStore(stateDir);
  for (let day = 0; day < DAYS; day++) {
    now += DAY_MS;
    // A blob costs a disk sync: one stands for those of a month.
    const blob = must(await blobs.put(Buffer.from(`patch of month ${Math.floor(day / 30)}\n${TEXT}`)));
    must(store.write((writer) => ok(workOneDay(writer, day, blob)), 'ordered'));
  }
  store.close();
  await sweepBlobs({ stateDir, now: now + BLOB_GRACE_MS, signal: new AbortController().signal });
  const sizes = readdirSync(stateDir, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(stateDir, name)))
    .map((found) => (found.isFile() ? found.size : 0));
  const mebibytes = sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
  console.log(`a year: ${mebibytes.toFixed(1)} MiB of at most ${YEAR_MAX_MIB}`);
  expect(mebibytes).toBeGreaterThan(5);
  expect(mebibytes).toBeLessThan(YEAR_MAX_MIB);
  const usage = must(databaseUsage(databaseFileOf(stateDir)));
  const counts = Object.fromEntries(usage.map(({ kind, count }) => [kind, count]));
  expect(counts).toMatchObject({ reviews: 500, seen: Math.min(200_000, DAYS * SUGGESTIONS * HUNKS) });
  expect(counts.prompts).toBeLessThan(2_100);
  // Of twelve months two remain, each in a folder, and no unreferenced blob.
  expect(readdirSync(path.join(stateDir, 'blobs'), { recursive: true }).length).toBeLessThan(2 * 3 + 12);
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/state.md'), 'utf8');
  expect(page).toContain(`${YEAR_MAX_MIB} MiB`);
  home.remove();
});
