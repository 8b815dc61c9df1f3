/**
 * Bytes kept by their SHA-256 beside the database: written once, whole or not at all, checked at every read.
 * Knows nothing of what they mean, and drops nothing: the sweep does, by their time.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../lib/result.ts';
import { ensurePrivateFolder, STATE_LEVELS } from '../platform/private-files.ts';
import { readRegularSync } from '../platform/regular-file.ts';
import { type Commit, guardStorage } from './sqlite.ts';

/** One blob is at most this large. */
export const BLOB_MAX_BYTES = 256 * 1024 * 1024;

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
  put(bytes: Uint8Array, commit: Commit = 'synced'): Result<string> {
    if (bytes.length > BLOB_MAX_BYTES) {
      return fail('invalid', `${bytes.length} bytes are too much to keep; the limit is ${BLOB_MAX_BYTES}.`);
    }
    const hash = createHash('sha256').update(bytes).digest('hex');
    const file = this.#fileOf(hash);
    return guardStorage(file, () => {
      // A sweep must not take what is asked for again before its record is written.
      if (existsSync(file)) renewTime(file);
      else writeWhole(file, bytes, commit);
      return ok(hash);
    });
  }

  /** The bytes of `hash`, exactly as they were put. */
  get(hash: string): Result<Buffer> {
    if (!HASH.test(hash)) return fail('invalid', `"${hash}" is not a SHA-256 in hex.`);
    const file = this.#fileOf(hash);
    try {
      const bytes = readRegularSync(file, { maxBytes: BLOB_MAX_BYTES });
      if (createHash('sha256').update(bytes).digest('hex') === hash) return ok(bytes);
      return fail('internal', `The snapshot ${file} is damaged: its content does not match its name.`);
    } catch (thrown) {
      return fail('not_found', `The snapshot ${file} cannot be read (${errorMessage(thrown)}).`);
    }
  }

  #fileOf(hash: string): string {
    return path.join(this.#folder, hash.slice(0, 2), hash.slice(2));
  }
}

function renewTime(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/** Temporary file, fsync, rename, fsync of the folder: after a crash the blob is there whole or not at all. */
function writeWhole(file: string, bytes: Uint8Array, commit: Commit): void {
  const folder = path.dirname(file);
  ensurePrivateFolder(folder, STATE_LEVELS + 2);
  const temporary = path.join(folder, `.${randomUUID()}`);
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(descriptor, bytes);
      if (commit === 'synced') fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
  if (commit === 'synced') syncFolder(folder);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
