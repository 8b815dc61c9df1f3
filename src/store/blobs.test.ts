import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { must, temporaryHome } from '../../test/helpers/host-fakes.ts';
import { BLOB_MAX_BYTES, BlobStore } from './blobs.ts';

let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
  home = temporaryHome();
});
afterEach(() => home.remove());

const fileOf = (hash: string) => path.join(home.paths.stateDir, 'blobs', hash.slice(0, 2), hash.slice(2));

it.each([
  ['nothing', Buffer.alloc(0)],
  ['text with CR LF', Buffer.from('a\r\nb')],
  ['bytes that are not text', randomBytes(100_000)],
])('returns exactly what was stored: %s', async (_name, bytes) => {
  const blobs = new BlobStore(home.paths.stateDir);
  const hash = must(await blobs.put(bytes));
  expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(must(await blobs.get(hash)).equals(bytes)).toBe(true);
  expect(statSync(fileOf(hash)).mode & 0o777).toBe(0o600);
});

it('stores equal bytes once and leaves no temporary file', async () => {
  const blobs = new BlobStore(home.paths.stateDir);
  const hash = must(await blobs.put(Buffer.from('x')));
  expect(must(await blobs.put(Buffer.from('x')))).toBe(hash);
  expect(readdirSync(path.dirname(fileOf(hash)))).toEqual([hash.slice(2)]);
});

it('fails if a blob is missing or changed, or the name is not a hash', async () => {
  const blobs = new BlobStore(home.paths.stateDir);
  expect(await blobs.get('0'.repeat(64))).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await blobs.get('../../etc/passwd')).toMatchObject({ ok: false, error: { code: 'invalid' } });
  const hash = must(await blobs.put(Buffer.from('x')));
  writeFileSync(fileOf(hash), 'y');
  expect(await blobs.get(hash)).toMatchObject({ ok: false, error: { code: 'internal' } });
});

it('accepts a blob at the limit and refuses one that is a byte larger', async () => {
  const blobs = new BlobStore(home.paths.stateDir);
  expect(await blobs.put(new Uint8Array(BLOB_MAX_BYTES + 1))).toMatchObject({
    ok: false,
    error: { code: 'invalid' },
  });
  expect(await blobs.put(new Uint8Array(BLOB_MAX_BYTES))).toMatchObject({ ok: true });
});

it('names the folder when it cannot be created', async () => {
  writeFileSync(path.join(home.home, 'file'), '');
  const blobs = new BlobStore(path.join(home.home, 'file'));
  const refused = await blobs.put(Buffer.from('x'));
  expect(refused).toMatchObject({ ok: false, error: { code: 'internal' } });
});

it.each(['put', 'get'] as const)('lets other work run during a loop of small blobs: %s', async (kind) => {
  const blobs = new BlobStore(home.paths.stateDir);
  const known = must(await blobs.put(Buffer.from('x')));
  let others = 0;
  const other = () => {
    others += 1;
    if (others < 3) setImmediate(other);
  };
  setImmediate(other);
  const deadline = performance.now() + 2_000;
  for (let at = 0; others < 3 && performance.now() < deadline; at += 1)
    await (kind === 'put' ? blobs.put(Buffer.from(`${at}`), 'ordered') : blobs.get(known));
  expect(others).toBe(3);
});
