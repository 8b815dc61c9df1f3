/**
 * Bytes kept by their SHA-256 beside the database: written once, whole or not at all, checked at every read.
 * Knows nothing of what they mean, and drops nothing: the sweep does, by their time.
 */
import { createHash, randomUUID, webcrypto } from 'node:crypto';
import { existsSync, utimesSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { ensurePrivateFolder, STATE_LEVELS } from '../platform/private-files.ts';
import { readRegular } from '../platform/regular-file.ts';
import { type Commit, storageFailure } from './sqlite.ts';

/** One blob is at most this large. */
export const BLOB_MAX_BYTES = 256 * 1024 * 1024;
/** More than this is hashed by another thread. */
const HASHED_HERE_MAX_BYTES = 1024 * 1024;

const HASH = /^[0-9a-f]{64}$/;

/** Where the blobs of a state folder lie. */
export function blobFolderOf(stateDir: string): string {
  return path.join(stateDir, 'blobs');
}

export class BlobStore {
  readonly #folder: string;

  /** `stateDir` is the folder of the database. */
  constructor(stateDir: string) {
    this.#folder = blobFolderOf(stateDir);
  }

  /**
   * Keeps `bytes` and gives their hash; the same bytes twice are one blob. `ordered`: it is there whole or not at all,
   * and a power cut may cost it.
   */
  async put(bytes: Uint8Array, commit: Commit = 'synced'): Promise<Result<string>> {
    if (bytes.length > BLOB_MAX_BYTES) {
      return fail('invalid', `${bytes.length} bytes are too much to keep; the limit is ${BLOB_MAX_BYTES}.`);
    }
    const hash = await hashOf(bytes);
    const file = this.#fileOf(hash);
    try {
      // In one turn: a sweep must not take what is asked for again before its record is written.
      if (existsSync(file)) renewTime(file);
      else await writeWhole(file, bytes, commit);
      return ok(hash);
    } catch (thrown) {
      const failure = storageFailure(thrown, file);
      if (failure === null) throw thrown;
      return { ok: false, error: failure };
    }
  }

  /** The bytes of `hash`, exactly as they were put. */
  async get(hash: string): Promise<Result<Buffer>> {
    if (!HASH.test(hash)) return fail('invalid', `"${hash}" is not a SHA-256 in hex.`);
    const file = this.#fileOf(hash);
    try {
      const bytes = await readRegular(file, { maxBytes: BLOB_MAX_BYTES });
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
  if (bytes.length <= HASHED_HERE_MAX_BYTES) return createHash('sha256').update(bytes).digest('hex');
  // The types want memory that no thread shares, as ours is.
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString(
    'hex',
  );
}

function renewTime(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/** Temporary file, fsync, rename, fsync of the folder: after a crash the blob is there whole or not at all. */
async function writeWhole(file: string, bytes: Uint8Array, commit: Commit): Promise<void> {
  const folder = path.dirname(file);
  ensurePrivateFolder(folder, STATE_LEVELS + 2);
  const temporary = path.join(folder, `.${randomUUID()}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      if (commit === 'synced') await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  if (commit === 'synced') await syncFolder(folder);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
