/**
 * Reads a file of lines from its end: the last stretch, then appended lines, older stretches on demand. Never writes,
 * locks or keeps the file open. Starts again when the file was replaced, truncated or rewritten.
 */
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { decode, LF, type Line, LineSplitter, splitAfterFirst } from '../../lib/line-splitter.ts';
import { errorMessage } from '../../lib/result.ts';
import { type OpenedFile, openRegular } from '../../platform/regular-file.ts';

/** A longer line is skipped and reported: no transcript contains one on purpose, and it would take as much memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How far back to search for the start of a line: a sparse file of 100 GB is one line, and takes minutes. */
const MAX_CROSSED_BYTES = 256 * 1024 * 1024;
/** How much of the end is read when a file is opened. */
export const FIRST_STRETCH_BYTES = 1024 * 1024;
/** Each older stretch is twice as long as the one before, up to this. */
const MAX_STRETCH_BYTES = 8 * 1024 * 1024;
/** A file that grew by more than this since the last poll is read again from its end. */
export const MAX_GROWTH_BYTES = 32 * 1024 * 1024;
const READ_CHUNK_BYTES = 1024 * 1024;
/** Bytes before the read position that must be unchanged; otherwise the file was rewritten in place. */
const ANCHOR_BYTES = 64;

export type TailStep =
  /** Gone, a folder, not permitted: `reason` is for users. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'unchanged' }
  /** `lines` follow all earlier ones. */
  | { readonly kind: 'grown'; readonly lines: readonly Line[] }
  /** Forget all earlier lines; these are the last ones of the file. */
  | { readonly kind: 'restarted'; readonly lines: readonly Line[] };

export interface TailLimits {
  readonly maxLineBytes?: number;
  readonly firstStretchBytes?: number;
  /** Empty lines are lines too. */
  readonly keepBlankLines?: boolean;
  /** The end of the file for this reader, whatever was written after it. */
  readonly endOffset?: number;
}

/** The position in one incarnation of the file. `start..end` has been read. */
interface Position {
  readonly dev: number;
  readonly ino: number;
  start: number;
  end: number;
  mtimeMs: number;
  /** The last bytes before `end`. */
  anchor: Buffer;
  readonly splitter: LineSplitter;
  /** The end of the line that begins before `start`. */
  head: Uint8Array;
  /** Bytes of that line already dropped because it exceeds the limit. */
  headSkipped: number;
  stretchBytes: number;
}

export class JsonlTail {
  readonly #path: string;
  readonly #maxLineBytes: number;
  readonly #firstStretchBytes: number;
  readonly #keepBlank: boolean;
  readonly #endOffset: number;
  #at: Position | null = null;
  /** Reuses one buffer while crossing a line beyond the limit: new memory for each stretch would pile up. */
  #scratch: Buffer | null = null;

  constructor(path: string, limits: TailLimits = {}) {
    this.#path = path;
    this.#maxLineBytes = limits.maxLineBytes ?? MAX_LINE_BYTES;
    this.#firstStretchBytes = limits.firstStretchBytes ?? FIRST_STRETCH_BYTES;
    this.#keepBlank = limits.keepBlankLines ?? false;
    this.#endOffset = limits.endOffset ?? Number.POSITIVE_INFINITY;
  }

  /** All lines of the file have been returned. */
  get complete(): boolean {
    return this.#at?.start === 0;
  }

  /** There is an older stretch to read. */
  get canReachBack(): boolean {
    return this.#at !== null && this.#at.start > 0;
  }

  /** The unfinished last line, if it does not end in LF yet. */
  pendingText(): string | null {
    return this.#at?.splitter.pendingText() ?? null;
  }

  /** Restarts with the next `poll`. */
  forget(): void {
    this.#at = null;
  }

  /** The changes of the file since the last call. */
  async poll(): Promise<TailStep> {
    const step = await this.#withFile(async (handle, stats): Promise<TailStep> => {
      const at = this.#at;
      if (at === null || !continues(at, stats)) return this.#restart(handle, stats);
      if (stats.size === at.end && stats.mtimeMs === at.mtimeMs) return { kind: 'unchanged' };
      if (!(await anchorHolds(handle, at))) return this.#restart(handle, stats);
      const lines = await this.#forward(handle, at, stats);
      // Bytes of an unfinished line are also news: its text may already be a complete record.
      return lines === null ? { kind: 'unchanged' } : { kind: 'grown', lines };
    });
    if (step.kind === 'unavailable') this.#at = null;
    return step;
  }

  /** The lines of the stretch before everything returned so far; null if the file was replaced. */
  async back(): Promise<readonly Line[] | null> {
    const step = await this.#withFile(async (handle, stats): Promise<TailStep> => {
      const at = this.#at;
      if (at === null || !continues(at, stats)) return { kind: 'unchanged' };
      return { kind: 'grown', lines: await this.#stretch(handle, at) };
    });
    return step.kind === 'grown' ? step.lines : null;
  }

  async #withFile(use: (handle: FileHandle, stats: Stats) => Promise<TailStep>): Promise<TailStep> {
    let opened: OpenedFile | null = null;
    try {
      opened = await openRegular(this.#path);
      const { handle, stats } = opened;
      stats.size = Math.min(stats.size, this.#endOffset);
      return await use(handle, stats);
    } catch (error) {
      return { kind: 'unavailable', reason: errorMessage(error) };
    } finally {
      // What was read stays valid, even if a network file system fails to close.
      await opened?.handle.close().catch(() => undefined);
      if (!(this.#at !== null && this.#at.headSkipped > 0)) this.#scratch = null;
    }
  }

  async #restart(handle: FileHandle, stats: Stats): Promise<TailStep> {
    const at: Position = {
      dev: stats.dev,
      ino: stats.ino,
      start: stats.size,
      end: stats.size,
      mtimeMs: stats.mtimeMs,
      anchor: await readRange(handle, Math.max(0, stats.size - ANCHOR_BYTES), stats.size),
      splitter: new LineSplitter(this.#maxLineBytes, this.#keepBlank),
      head: new Uint8Array(0),
      headSkipped: 0,
      stretchBytes: this.#firstStretchBytes,
    };
    this.#at = at;
    const stretch = await this.#pendingAndRest(handle, at);
    return { kind: 'restarted', lines: stretch === null ? [] : this.#prepend(at, stretch) };
  }

  /** Passes the unfinished last line to the splitter; returns the text before it, without its LF. */
  async #pendingAndRest(handle: FileHandle, at: Position): Promise<Uint8Array | null> {
    const tail: Uint8Array[] = [];
    let tailBytes = 0;
    let lastLf = -1;
    let chunk: Uint8Array = new Uint8Array(0);
    while (at.start > 0 && lastLf === -1) {
      chunk = await this.#older(handle, at);
      lastLf = chunk.lastIndexOf(LF);
      tailBytes += chunk.length - lastLf - 1;
      if (lastLf === -1) tailBytes = crossed(at, tailBytes);
      if (tailBytes > this.#maxLineBytes) tail.length = 0;
      else tail.unshift(Buffer.from(chunk.subarray(lastLf + 1)));
    }
    if (tailBytes > this.#maxLineBytes) at.splitter.skip(tailBytes);
    else for (const piece of tail) at.splitter.push(piece);
    return lastLf === -1 ? null : chunk.subarray(0, lastLf);
  }

  async #stretch(handle: FileHandle, at: Position): Promise<readonly Line[]> {
    if (at.start === 0) return [];
    return this.#prepend(at, await this.#older(handle, at));
  }

  /** The bytes before `start`, valid until the next call: kept parts are copied. */
  async #older(handle: FileHandle, at: Position): Promise<Uint8Array> {
    const from = Math.max(0, at.start - at.stretchBytes);
    if (this.#scratch === null || this.#scratch.length < at.start - from)
      this.#scratch = Buffer.allocUnsafeSlow(at.start - from);
    const chunk = await readInto(handle, this.#scratch.subarray(0, at.start - from), from);
    at.start = from;
    at.stretchBytes = Math.min(at.stretchBytes * 2, MAX_STRETCH_BYTES);
    return chunk;
  }

  /** The lines that `chunk` completes; it ends where earlier reading stopped. */
  #prepend(at: Position, chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let bytes = chunk;
    if (at.headSkipped > 0) {
      const lastLf = chunk.lastIndexOf(LF);
      at.headSkipped += chunk.length - lastLf - 1;
      if (lastLf === -1) at.headSkipped = crossed(at, at.headSkipped);
      if (lastLf === -1 && at.start > 0) return [];
      lines.push({ kind: 'skipped', bytes: at.headSkipped });
      at.headSkipped = 0;
      if (lastLf === -1) return lines;
      bytes = chunk.subarray(0, lastLf);
    } else if (at.head.length > 0) {
      bytes = Buffer.concat([chunk, at.head]);
    }
    const split = splitAfterFirst(bytes, this.#keepBlank);
    const rest = [...split.lines.map((line) => this.#capped(line)), ...lines];
    at.head = new Uint8Array(0);
    const { head } = split;
    const tooLong = head.length > this.#maxLineBytes;
    if (at.start > 0) {
      if (tooLong) at.headSkipped = head.length;
      else at.head = Buffer.from(head);
      return rest;
    }
    if (tooLong) rest.unshift({ kind: 'skipped', bytes: head.length });
    else if (head.length > 0) rest.unshift({ kind: 'line', text: decode(head) });
    return rest;
  }

  #capped(line: Line): Line {
    if (line.kind === 'skipped' || line.text.length * 3 <= this.#maxLineBytes) return line;
    const bytes = Buffer.byteLength(line.text);
    return bytes <= this.#maxLineBytes ? line : { kind: 'skipped', bytes };
  }

  /** Reads up to the size seen; null if only the time of the file changed. */
  async #forward(handle: FileHandle, at: Position, stats: Stats): Promise<readonly Line[] | null> {
    at.mtimeMs = stats.mtimeMs;
    if (stats.size === at.end) return null;
    const lines: Line[] = [];
    while (at.end < stats.size) {
      const chunk = await readRange(handle, at.end, Math.min(stats.size, at.end + READ_CHUNK_BYTES));
      if (chunk.length === 0) break;
      for (const line of at.splitter.push(chunk)) lines.push(line);
      at.end += chunk.length;
      at.anchor = Buffer.concat([at.anchor, chunk.subarray(-ANCHOR_BYTES)]).subarray(-ANCHOR_BYTES);
    }
    return lines;
  }
}

/** The bytes of a skipped line; beyond the limit everything before `start` counts as part of it. */
function crossed(at: Position, bytes: number): number {
  if (bytes <= MAX_CROSSED_BYTES) return bytes;
  const all = bytes + at.start;
  at.start = 0;
  return all;
}

/** Whether the file is still the same, judging by its inode and size. */
function continues(at: Position, stats: Stats): boolean {
  const same = stats.dev === at.dev && stats.ino === at.ino;
  return same && stats.size >= at.end && stats.size - at.end <= MAX_GROWTH_BYTES;
}

async function anchorHolds(handle: FileHandle, at: Position): Promise<boolean> {
  return at.anchor.equals(await readRange(handle, at.end - at.anchor.length, at.end));
}

/** The bytes `from..to`, or fewer if the file ends before. */
function readRange(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  return readInto(handle, Buffer.allocUnsafe(Math.max(0, to - from)), from);
}

async function readInto(handle: FileHandle, buffer: Buffer, from: number): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
