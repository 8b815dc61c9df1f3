/**
 * Follows a history file: reads it once from its tail, then what is appended. Notices when it was rewritten
 * or replaced. A file that is missing, unreadable or somebody else's is simply empty.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type HistoryEntry, HistoryFileParser } from './core/history-file.ts';

/** Of a longer file only the end is read. */
const MAX_READ_BYTES = 128 * 1024 * 1024;
/** Read in pieces, so that a request in between is answered: learning one takes some milliseconds. */
const CHUNK_BYTES = 4 * 1024;

/** Gets new entries, and how many bytes of the file come after them. */
export type TakeEntries = (entries: readonly HistoryEntry[], bytesAfter: number) => void;

export class HistoryReader {
  readonly #file: string;
  readonly #uid: number;
  readonly #parser = new HistoryFileParser();
  #inode = 0;
  #offset = 0;
  #mtimeMs = 0;
  #busy = false;

  constructor(options: { readonly file: string; readonly uid: number }) {
    this.#file = options.file;
    this.#uid = options.uid;
  }

  /**
   * Hands over what is new since the last call, piece by piece. A rewritten file is followed from its end:
   * zsh rewrites the same lines when it trims, and they must not count twice.
   */
  async readNew(take: TakeEntries): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    let handle: FileHandle | null = null;
    try {
      // A FIFO in the file's place would block an open for ever.
      handle = await open(this.#file, constants.O_RDONLY | constants.O_NONBLOCK);
      await this.#follow(handle, take);
    } catch {
      // Missing, unreadable, vanished while read: there is nothing to learn from it now; the next call looks again.
      return;
    } finally {
      await handle?.close();
      this.#busy = false;
    }
  }

  async #follow(handle: FileHandle, take: TakeEntries): Promise<void> {
    const stat = await handle.stat();
    const { ino, size, mtimeMs } = stat;
    if (!stat.isFile() || stat.uid !== this.#uid) return;
    if (ino === this.#inode && size === this.#offset && mtimeMs === this.#mtimeMs) return;
    this.#mtimeMs = mtimeMs;
    const first = this.#inode === 0;
    if (first) this.#offset = Math.max(0, size - MAX_READ_BYTES);
    else if (ino !== this.#inode || size < this.#offset) {
      this.#parser.reset();
      this.#offset = size;
    }
    this.#inode = ino;
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0) return;
      this.#offset += bytesRead;
      take(this.#parser.push(buffer.subarray(0, bytesRead)), size - this.#offset);
      // Requests that came meanwhile are answered between two pieces.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
