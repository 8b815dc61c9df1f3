/** Maps on disk: one private file each, named by path hash, valid while size and time match. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { errorMessage } from '../lib/result.ts';
import { readRegular } from '../platform/regular-file.ts';
import { systemCode } from '../platform/system-error.ts';
import { type FileMap, fileMapSchema } from '../protocol/file-map.ts';

const ENTRY_MAX_BYTES = 64 * 1024 * 1024;

export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
}

export interface CachedMap {
  readonly stamp: FileStamp;
  readonly map: FileMap;
}

/** Increased with every change of a map's content, so that older entries are replaced. */
const FORMAT = 2;
const entrySchema = z.strictObject({
  format: z.literal(FORMAT),
  stamp: z.strictObject({ size: z.number(), mtimeMs: z.number() }),
  map: fileMapSchema,
});

/** The most entries kept; beyond it the least recently used are deleted. */
const MAX_ENTRIES = 500;
/** Entries are counted once per this many writes. */
const SWEEP_EVERY = 50;

export class MapCache {
  readonly #dir: string;
  readonly #onFailure: (message: string) => void;
  #writes = 0;

  /** `dir` is created with the first map. `onFailure`: a map could not be kept, so it will be made again. */
  constructor(dir: string, onFailure: (message: string) => void) {
    this.#dir = dir;
    this.#onFailure = onFailure;
  }

  /** The last map of the file, valid or not; null if there is none. */
  async get(file: string): Promise<CachedMap | null> {
    try {
      const entry = this.#entry(file);
      const { stamp, map } = entrySchema.parse(
        JSON.parse(String(await readRegular(entry, { maxBytes: ENTRY_MAX_BYTES }))),
      );
      const now = new Date();
      await utimes(entry, now, now);
      return map.path === file ? { stamp, map } : null;
    } catch {
      // Missing, half written by a crash, or of another version: make it again.
      return null;
    }
  }

  async put(file: string, cached: CachedMap): Promise<void> {
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      const temporary = path.join(this.#dir, `.${randomUUID()}`);
      await writeFile(temporary, JSON.stringify({ format: FORMAT, ...cached }), { mode: 0o600 });
      await rename(temporary, this.#entry(file));
      this.#writes++;
      if (this.#writes % SWEEP_EVERY === 1) await this.#sweep();
    } catch (thrown) {
      // A full disk or a read-only home.
      if (systemCode(thrown) === null) throw thrown;
      this.#onFailure(`The map of ${file} was not kept: ${errorMessage(thrown)}`);
    }
  }

  async #sweep(): Promise<void> {
    const names = await readdir(this.#dir);
    if (names.length <= MAX_ENTRIES) return;
    const used = await Promise.all(
      names.map(async (name) => {
        const entry = path.join(this.#dir, name);
        return { entry, usedMs: (await stat(entry)).mtimeMs };
      }),
    );
    used.sort((a, b) => b.usedMs - a.usedMs);
    for (const { entry } of used.slice(MAX_ENTRIES)) await rm(entry, { force: true });
  }

  #entry(file: string): string {
    return path.join(this.#dir, `${createHash('sha256').update(file).digest('hex')}.json`);
  }
}
