/**
 * Follows a history file: reads it once from its tail, then what is appended. Notices when it was rewritten
 * or replaced: lines may be gone from it. A file that is missing, unreadable or someone else's is simply empty.
 */
import { existsSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type OpenedFile, openRegular } from '../platform/regular-file.ts';
import { type HistoryEntry, HistoryFileParser } from './core/history-file.ts';

/** Of a longer file only the end is read. */
const MAX_READ_BYTES = 128 * 1024 * 1024;
/** Read in pieces, so that a request in between is answered: learning one takes some milliseconds. */
const CHUNK_BYTES = 4 * 1024;
/** The end of what was read; when it stands there no longer, the file was edited in place. */
const TAIL_BYTES = 64;

/** Gets new entries, and how many bytes of the file come after them. */
export type TakeEntries = (entries: readonly HistoryEntry[], bytesAfter: number) => void;

export class HistoryReader {
  readonly #file: string;
  readonly #uid: number;
  readonly #parser = new HistoryFileParser();
  #inode = 0;
  #offset = 0;
  #mtimeMs = 0;
  #tail = Buffer.alloc(0);
  #busy = false;

  constructor(options: { readonly file: string; readonly uid: number }) {
    this.#file = options.file;
    this.#uid = options.uid;
  }

  /**
   * Hands over what is new since the last call, piece by piece. A rewritten file is followed from its end: zsh rewrites
   * the same lines when it trims, and they must not count twice. Gives whether it was rewritten.
   */
  async readNew(take: TakeEntries): Promise<boolean> {
    if (this.#busy) return false;
    this.#busy = true;
    try {
      return (await this.#opened((handle, stat) => this.#follow(handle, stat, take))) ?? this.#isGone();
    } finally {
      this.#busy = false;
    }
  }

  /** Every line that stands in the file now; null when it cannot be read. */
  async lines(): Promise<ReadonlySet<string> | null> {
    return this.#opened(async (handle, { size }) => {
      const found = new Set<string>();
      const parser = new HistoryFileParser();
      await readFrom(handle, Math.max(0, size - MAX_READ_BYTES), (bytes) => {
        for (const { line } of parser.push(bytes)) found.add(line);
      });
      return found;
    });
  }

  /** The file was read once and is no longer there. */
  #isGone(): boolean {
    if (this.#inode === 0 || existsSync(this.#file)) return false;
    this.#parser.reset();
    [this.#inode, this.#offset, this.#tail] = [0, 0, Buffer.alloc(0)];
    return true;
  }

  async #opened<T>(use: (handle: FileHandle, stat: Stats) => Promise<T>): Promise<T | null> {
    let opened: OpenedFile | null = null;
    try {
      opened = await openRegular(this.#file);
      const { handle, stats } = opened;
      return stats.uid === this.#uid ? await use(handle, stats) : null;
    } catch {
      // Missing, unreadable, vanished while read: there is nothing to learn from it now; the next call looks again.
      return null;
    } finally {
      await opened?.handle.close();
    }
  }

  async #follow(handle: FileHandle, { ino, size, mtimeMs }: Stats, take: TakeEntries): Promise<boolean> {
    if (ino === this.#inode && size === this.#offset && mtimeMs === this.#mtimeMs) return false;
    this.#mtimeMs = mtimeMs;
    const isFirst = this.#inode === 0;
    const isRewritten = !isFirst && (ino !== this.#inode || !(await this.#isAppendedTo(handle, size)));
    if (isFirst) this.#offset = Math.max(0, size - MAX_READ_BYTES);
    this.#inode = ino;
    if (isRewritten) {
      this.#parser.reset();
      this.#offset = size;
      const start = Math.max(0, size - TAIL_BYTES);
      this.#tail = Buffer.alloc(0);
      await readFrom(handle, start, (bytes) => this.#keepTail(bytes));
      return true;
    }
    await readFrom(handle, this.#offset, (bytes) => {
      this.#offset += bytes.length;
      this.#keepTail(bytes);
      take(this.#parser.push(bytes), size - this.#offset);
    });
    return false;
  }

  /** What was read of the file still stands there. */
  async #isAppendedTo(handle: FileHandle, size: number): Promise<boolean> {
    if (size < this.#offset) return false;
    const { length } = this.#tail;
    const now = Buffer.alloc(length);
    const { bytesRead } = await handle.read(now, 0, length, this.#offset - length);
    return bytesRead === length && now.equals(this.#tail);
  }

  #keepTail(bytes: Buffer): void {
    this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes]).subarray(-TAIL_BYTES));
  }
}

/** Reads on from `offset` to the end. Requests that come meanwhile are answered between two pieces. */
async function readFrom(handle: FileHandle, offset: number, take: (bytes: Buffer) => void): Promise<void> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let at = offset; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    take(buffer.subarray(0, bytesRead));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
