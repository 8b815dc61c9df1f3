/** Content-addressed storage: each blob once under its SHA-256, written atomically, verified on every read. */
import { createHash, randomUUID, webcrypto } from 'node:crypto';
import {
  closeSync,
  fsync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { ensurePrivateFolder, STATE_LEVELS } from '../platform/private-files.ts';
import { readRegular, readRegularSync } from '../platform/regular-file.ts';
import { Slices } from '../platform/slices.ts';
import { type Commit, storageFailure } from './sqlite.ts';

export const BLOB_MAX_BYTES = 256 * 1024 * 1024;
/** Larger blobs are hashed, written and read in other threads. */
const DONE_HERE_MAX_BYTES = 1024 * 1024;

const sync = promisify(fsync);
const writeAside = promisify(writeFile);

/** A blob stored within this time is young enough: the sweep spares those of the last day. */
const RENEWED_AFTER_MS = 3_600_000;

const HASH = /^[0-9a-f]{64}$/;

export const blobFolderOf = (stateDir: string): string => path.join(stateDir, 'blobs');

export class BlobStore {
  readonly #folder: string;
  /** Small blobs are written and read here, in slices, because a loop over thousands would block everything else. */
  readonly #slices = new Slices();

  /** `stateDir` is the folder of the database. */
  constructor(stateDir: string) {
    this.#folder = blobFolderOf(stateDir);
  }

  /** Stores `bytes` and returns their hash; equal bytes share a blob. `ordered`: a power cut may lose it. */
  async put(bytes: Uint8Array, commit: Commit = 'synced'): Promise<Result<string>> {
    if (bytes.length > BLOB_MAX_BYTES) {
      return fail('invalid', `${bytes.length} bytes are too much to keep; the limit is ${BLOB_MAX_BYTES}.`);
    }
    await this.#slices.pause();
    const hash = await hashOf(bytes);
    const file = this.#fileOf(hash);
    try {
      // No await before this: a sweep must not delete a blob just stored again whose record is not written yet.
      const known = statSync(file, { throwIfNoEntry: false });
      if (known === undefined) await writeWhole(file, bytes, commit);
      else if (Date.now() - known.mtimeMs > RENEWED_AFTER_MS) renewTime(file);
      return ok(hash);
    } catch (thrown) {
      const failure = storageFailure(thrown, file);
      if (failure === null) throw thrown;
      return { ok: false, error: failure };
    }
  }

  /** The bytes stored under `hash`. */
  async get(hash: string): Promise<Result<Buffer>> {
    if (!HASH.test(hash)) return fail('invalid', `"${hash}" is not a SHA-256 in hex.`);
    const file = this.#fileOf(hash);
    await this.#slices.pause();
    try {
      const isSmall = statSync(file).size <= DONE_HERE_MAX_BYTES;
      const read = isSmall ? readRegularSync : readRegular;
      const bytes = await read(file, { maxBytes: BLOB_MAX_BYTES });
      if ((await hashOf(bytes)) === hash) return ok(bytes);
      return fail('internal', `The snapshot ${file} is damaged: its content does not match its name.`);
    } catch (thrown) {
      return fail('not_found', `The snapshot ${file} cannot be read (${errorMessage(thrown)}).`);
    }
  }

  #fileOf(hash: string): string {
    return path.join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length <= DONE_HERE_MAX_BYTES) return createHash('sha256').update(bytes).digest('hex');
  // The type requires unshared memory, which ours is.
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString(
    'hex',
  );
}

function renewTime(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/**
 * Temporary file, fsync, rename, fsync of the folder: after a crash the blob is complete or absent. Only waits for the
 * disk run asynchronously, because a review of thousands of files stores a blob for each.
 */
async function writeWhole(file: string, bytes: Uint8Array, commit: Commit): Promise<void> {
  const folder = path.dirname(file);
  ensurePrivateFolder(folder, STATE_LEVELS + 2);
  const temporary = path.join(folder, `.${randomUUID()}`);
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      if (bytes.length <= DONE_HERE_MAX_BYTES) writeFileSync(descriptor, bytes);
      else await writeAside(descriptor, bytes);
      if (commit === 'synced') await sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw thrown;
  }
  if (commit === 'synced') await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, 'r');
  try {
    await sync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
