/** Reads lines A to B of a file, keeping only those in memory. */
import type { ByteSource } from './file-source.ts';

const LF = 0x0a;
const CHUNK_BYTES = 256 * 1024;

/** Beyond the wanted lines a file is read only to count its lines, up to this size. */
const COUNT_MAX_BYTES = 256 * 1024 * 1024;

export interface WantedLines {
  readonly startLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
  /** Read on after the range, to count the lines of the file. */
  readonly count: boolean;
  readonly signal: AbortSignal;
}

export interface LineRange {
  /** The lines' exact bytes, including line ends. */
  readonly bytes: Buffer;
  /** Last line in `bytes`; `startLine - 1` if the file ends before. */
  readonly endLine: number;
  /** Null if the file was not read to the end. */
  readonly totalLines: number | null;
  /** The first line alone is longer than `maxBytes`: `bytes` holds its beginning. */
  readonly cutInLine: boolean;
}

/** Takes chunks, keeps the wanted lines, counts all. */
class RangeCollector {
  readonly #wanted: WantedLines;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Bytes of `#kept` up to the last complete line. */
  #wholeBytes = 0;
  lines = 0;
  #openLine = false;
  #endLine: number;
  #full = false;
  #cutInLine = false;

  constructor(wanted: WantedLines) {
    this.#wanted = wanted;
    this.#endLine = wanted.startLine - 1;
  }

  get full(): boolean {
    return this.#full;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const found = chunk.indexOf(LF, at);
      const end = found === -1 ? chunk.length : found + 1;
      this.#take(chunk.subarray(at, end), found !== -1);
      at = end;
    }
  }

  #take(piece: Buffer, endsLine: boolean): void {
    const line = this.lines + 1;
    if (!this.#full && line >= this.#wanted.startLine) this.#keep(piece, line, endsLine);
    this.#openLine = !endsLine;
    if (endsLine) this.lines = line;
  }

  #keep(piece: Buffer, line: number, endsLine: boolean): void {
    const room = this.#wanted.maxBytes - this.#keptBytes;
    if (piece.length > room) {
      this.#full = true;
      if (this.#wholeBytes > 0) return;
      // Copied, because the chunk's memory is reused.
      this.#kept.push(Buffer.from(piece.subarray(0, room)));
      this.#cutInLine = true;
      this.#endLine = line;
      return;
    }
    this.#kept.push(Buffer.from(piece));
    this.#keptBytes += piece.length;
    if (!endsLine) return;
    this.#wholeBytes = this.#keptBytes;
    this.#endLine = line;
    this.#full = line - this.#wanted.startLine + 1 >= this.#wanted.maxLines;
  }

  finish(reachedEnd: boolean): LineRange {
    const totalLines = reachedEnd ? this.lines + (this.#openLine ? 1 : 0) : null;
    const whole = Buffer.concat(this.#kept);
    if (this.#cutInLine) return { bytes: whole, endLine: this.#endLine, totalLines, cutInLine: true };
    // The file's last line may lack its line end, and is complete all the same.
    const lastIsOpen = reachedEnd && !this.#full && this.#keptBytes > this.#wholeBytes;
    if (lastIsOpen) return { bytes: whole, endLine: this.lines + 1, totalLines, cutInLine: false };
    return {
      bytes: whole.subarray(0, this.#wholeBytes),
      endLine: this.#endLine,
      totalLines,
      cutInLine: false,
    };
  }
}

/** Reads the wanted lines; passes on errors of the file system, and throws if `signal` is aborted. */
export async function readLineRange(source: ByteSource, wanted: WantedLines): Promise<LineRange> {
  const collector = new RangeCollector(wanted);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let position = 0;
  for (;;) {
    wanted.signal.throwIfAborted();
    const bytesRead = await source.read(buffer, position);
    if (bytesRead === 0) return collector.finish(true);
    collector.push(buffer.subarray(0, bytesRead));
    position += bytesRead;
    if (collector.full && (!wanted.count || position > COUNT_MAX_BYTES)) return collector.finish(false);
  }
}

/** The lines of `text`, each with its line end. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const whole = lines.map((line) => `${line}\n`);
  return last === '' ? whole : [...whole, last];
}
