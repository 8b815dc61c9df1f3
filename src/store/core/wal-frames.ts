/**
 * Reads an SQLite write-ahead log without SQLite: which pages it holds, and whether it is intact.
 * The format: https://www.sqlite.org/fileformat2.html#walformat
 */

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE = 0x377f0682;
const MAGIC_BIG = 0x377f0683;

export interface WalFrames {
  /** For each page, the offset in the log of its newest committed version. */
  readonly pages: ReadonlyMap<number, number>;
  /** Whether committed changes are unreadable in whole or in part. */
  readonly isDamaged: boolean;
}

const NOTHING: WalFrames = { pages: new Map(), isDamaged: false };

/** The offset of the schema number in the first page. */
export const USER_VERSION_AT = 60;

/** Reads a whole log. A log without frames is empty; one below the database's schema number belongs to another. */
export function readWal(log: Uint8Array, pageBytes: number, schema: number): WalFrames {
  if (log.length === 0) return NOTHING;
  if (log.length < HEADER_BYTES) return { ...NOTHING, isDamaged: true };
  const words = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const magic = words.getUint32(0);
  if (magic !== MAGIC_LITTLE && magic !== MAGIC_BIG) return { ...NOTHING, isDamaged: true };
  const sum = new Checksum(words, magic === MAGIC_LITTLE);
  sum.add(0, 24);
  if (!sum.isAt(24) || words.getUint32(8) !== pageBytes) return { ...NOTHING, isDamaged: true };
  const frames = readFrames(words, sum, pageBytes);
  const first = frames.pages.get(1);
  const isForeign = first !== undefined && words.getUint32(first + USER_VERSION_AT) < schema;
  return isForeign ? { ...NOTHING, isDamaged: true } : frames;
}

function readFrames(words: DataView, sum: Checksum, pageBytes: number): WalFrames {
  const pages = new Map<number, number>();
  let open = new Map<number, number>();
  let isBroken = false;
  let isDamaged = false;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = HEADER_BYTES; at + frameBytes <= words.byteLength; at += frameBytes) {
    // Frames of an earlier checkpoint have other salts: they are stale, not damaged.
    const isOurs =
      words.getUint32(at + 8) === words.getUint32(16) && words.getUint32(at + 12) === words.getUint32(20);
    if (isOurs && !isBroken) {
      sum.add(at, 8);
      sum.add(at + FRAME_HEADER_BYTES, pageBytes);
    }
    isBroken ||= !isOurs || !sum.isAt(at + 16);
    if (!isOurs) continue;
    open.set(words.getUint32(at), at + FRAME_HEADER_BYTES);
    if (words.getUint32(at + 4) === 0) continue;
    // A commit after the break: SQLite would drop it silently.
    isDamaged ||= isBroken;
    for (const [page, place] of open) pages.set(page, place);
    open = new Map();
  }
  return { pages, isDamaged };
}

/** The running checksum over all frames so far. */
class Checksum {
  readonly #words: DataView;
  readonly #isLittle: boolean;
  #first = 0;
  #second = 0;

  constructor(words: DataView, isLittle: boolean) {
    this.#words = words;
    this.#isLittle = isLittle;
  }

  add(from: number, bytes: number): void {
    let [first, second] = [this.#first, this.#second];
    for (let at = from; at < from + bytes; at += 8) {
      first = (first + this.#words.getUint32(at, this.#isLittle) + second) >>> 0;
      second = (second + this.#words.getUint32(at + 4, this.#isLittle) + first) >>> 0;
    }
    this.#first = first;
    this.#second = second;
  }

  /** Whether the checksum stored at `at` matches. */
  isAt(at: number): boolean {
    return this.#words.getUint32(at) === this.#first && this.#words.getUint32(at + 4) === this.#second;
  }
}
