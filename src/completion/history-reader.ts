/** Follows a history file: reads its end, then appended entries; detects rewrites. A missing file counts as empty. */
import { existsSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type OpenedFile, openRegular } from '../platform/regular-file.ts';
import { type HistoryEntry, HistoryFileParser } from './core/history-file.ts';

/** Only this much of the end of a longer file is read. */
const MAX_READ_BYTES = 128 * 1024 * 1024;
/** This much of the end of a long file is read first, in order; older entries follow, backwards. */
const RECENT_BYTES = 512 * 1024;
/** Piece size for older entries. */
const OLDER_BYTES = 64 * 1024;
/** Piece size for recent entries. Requests are answered between two pieces; learning one takes some milliseconds. */
const CHUNK_BYTES = 4 * 1024;
/** The last bytes that were read; if the file no longer has them there, it was edited in place. */
const TAIL_BYTES = 64;

export interface TakeEntries {
  readonly newer: (entries: readonly HistoryEntry[]) => void;
  /** Takes entries older than all before, in file order. False: no more are wanted. */
  readonly older: (entries: readonly HistoryEntry[]) => boolean;
}

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
   * Passes on the entries since the last call; at first, the newest. Continues a rewritten file (the result is true)
   * from its end: zsh rewrites the same lines when it trims, and they must not count twice.
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

  /** Every line of the file now; null if it cannot be read. */
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
      // Missing, unreadable, or deleted meanwhile: the next call tries again.
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
    let start = isFirst ? Math.max(0, size - RECENT_BYTES) : 0;
    if (isFirst && start > 0) start = await entryAfter(handle, start);
    if (isFirst) this.#offset = start;
    this.#inode = ino;
    if (isRewritten) {
      this.#parser.reset();
      this.#offset = size;
      this.#tail = Buffer.alloc(0);
      await readFrom(handle, Math.max(0, size - TAIL_BYTES), (bytes) => this.#keepTail(bytes));
      return true;
    }
    await readFrom(handle, this.#offset, (bytes) => {
      this.#offset += bytes.length;
      this.#keepTail(bytes);
      take.newer(this.#parser.push(bytes));
    });
    if (start > 0) await readOlder(handle, start, take.older);
    return false;
  }

  /** Whether the file still contains the bytes that were read. */
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

/** The start of the first entry after `offset`. */
async function entryAfter(handle: FileHandle, offset: number): Promise<number> {
  const buffer = Buffer.alloc(OLDER_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, OLDER_BYTES, offset);
  return offset + entryIn(buffer.subarray(0, bytesRead));
}

/** The start of the first entry that does not continue an earlier one; the length if there is none. */
function entryIn(bytes: Buffer): number {
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1))
    if (end === 0 || bytes[end - 1] !== BACKSLASH) return end + 1;
  return bytes.length;
}

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;

/** Passes on the entries before `end`, piece by piece, the newest piece first. */
async function readOlder(handle: FileHandle, end: number, take: TakeEntries['older']): Promise<void> {
  const first = Math.max(0, end - MAX_READ_BYTES);
  let rest = Buffer.alloc(0);
  for (let at = end; at > first; ) {
    const length = Math.min(OLDER_BYTES, at - first);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at - length);
    at -= length;
    const piece = Buffer.concat([buffer.subarray(0, bytesRead), rest]);
    // An entry that began earlier is read with the earlier piece.
    const begin = at === first ? 0 : entryIn(piece);
    rest = Buffer.from(piece.subarray(0, Math.min(begin, OLDER_BYTES)));
    if (!take(new HistoryFileParser().push(piece.subarray(begin)))) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Reads from `offset` to the end; requests are answered between two pieces. */
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
