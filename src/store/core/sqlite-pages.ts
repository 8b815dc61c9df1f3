/**
 * Reads the rows of an SQLite file page by page, without SQLite, to recover what a damaged file still holds. Skips
 * and counts malformed pages, and bounds-checks everything it reads.
 * The format: https://www.sqlite.org/fileformat2.html
 */
import { decodeRecord, readVarint, type SqlValue } from './sqlite-record.ts';

/** SQLite's default page size, which all our databases use. */
export const PAGE_BYTES = 4096;
/** The newest versions that SQLite knows of the file format and the schema format. */
const WAL_VERSION = 2;
const SCHEMA_FORMAT = 4;
const FILE_HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const FIRST_FREE_PAGE_AT = 32;

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;

/** The pages of a file, numbered from 1; null past the end of the file. */
export interface PageSource {
  readonly pageBytes: number;
  readonly count: number;
  page(number: number): Uint8Array | null;
}

/** A row and the table that the schema names for its page; null if unknown. */
export interface FoundRow {
  readonly table: string | null;
  /** Null in a table without row ids. */
  readonly rowid: number | null;
  readonly values: readonly SqlValue[];
}

export interface FoundRows {
  readonly rows: readonly FoundRow[];
  /** Tables with a damaged page or a truncated row; null means unknown. */
  readonly damaged: ReadonlySet<string | null>;
}

/** Whether the header differs from copane's databases: another page size, or a format that SQLite can only read. */
export function isHeaderDamaged(header: Uint8Array): boolean {
  if (!hasMagic(header) || header.length < FILE_HEADER_BYTES) return false;
  const [writeVersion = 0, readVersion = 0, reserved] = header.subarray(18, 21);
  const isOfFormat = writeVersion <= WAL_VERSION && readVersion <= WAL_VERSION && reserved === 0;
  const isOfSchema = view(header).getUint32(44) <= SCHEMA_FORMAT;
  return view(header).getUint16(16) !== PAGE_BYTES || !isOfFormat || !isOfSchema;
}

/** The page sizes that a file may have: ours and the one in its header, which may be damaged. */
export function pageSizesOf(header: Uint8Array): readonly number[] {
  const named = header.length < FILE_HEADER_BYTES ? PAGE_BYTES : view(header).getUint16(16);
  const bytes = named === 1 ? 65_536 : named;
  const isOne = bytes >= 512 && (bytes & (bytes - 1)) === 0 && bytes !== PAGE_BYTES;
  return isOne ? [PAGE_BYTES, bytes] : [PAGE_BYTES];
}

function hasMagic(header: Uint8Array): boolean {
  return Buffer.from(header.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

export const readRows = (source: PageSource): FoundRows => new PageReader(source).read();

interface Cell {
  readonly rowid: number | null;
  /** Null if the rest of the row is lost. */
  readonly payload: Uint8Array | null;
}

interface Page {
  readonly kind: number;
  readonly children: readonly number[];
  readonly cells: readonly Cell[];
}

interface Root {
  readonly table: string;
  readonly isTable: boolean;
}

const SCHEMA: Root = { table: 'sqlite_schema', isTable: true };

class PageReader {
  readonly #source: PageSource;
  readonly #usable: number;
  readonly #parents = new Map<number, number>();
  readonly #overflow = new Set<number>();
  readonly #roots = new Map<number, Root>([[1, SCHEMA]]);

  constructor(source: PageSource) {
    this.#source = source;
    this.#usable = source.pageBytes;
  }

  read(): FoundRows {
    const free = this.#freePages();
    const pages = new Map<number, Page | null>();
    for (let number = 1; number <= this.#source.count; number++) {
      if (!free.has(number)) pages.set(number, this.#readPage(number));
    }
    for (const [number, page] of pages) {
      for (const child of page?.children ?? []) this.#parents.set(child, number);
    }
    for (const page of pages.values()) this.#learnRoots(page);
    return this.#rowsOf(pages);
  }

  #rowsOf(pages: ReadonlyMap<number, Page | null>): FoundRows {
    const rows: FoundRow[] = [];
    const damaged = new Set<string | null>();
    let lost = 0;
    let cut = 0;
    for (const [number, page] of pages) {
      const owner = this.#ownerOf(number);
      if (owner?.isTable === false) continue;
      const table = owner?.table ?? null;
      if (page === null) {
        if (table !== null) damaged.add(table);
        else if (!this.#overflow.has(number)) lost += 1;
        continue;
      }
      for (const { rowid, payload } of page.cells) {
        const values = payload === null ? null : decodeRecord(payload);
        if (values !== null) rows.push({ table, rowid, values });
        else {
          cut += 1;
          damaged.add(table);
        }
      }
    }
    for (const { table } of this.#unreadRoots()) damaged.add(table);
    // Unowned pages are the tail of a truncated row, or of unknown origin.
    if (lost > cut) damaged.add(null);
    return { rows, damaged };
  }

  /** Tables whose root page lies past the end of the file. */
  #unreadRoots(): readonly Root[] {
    return [...this.#roots]
      .filter(([number, { isTable }]) => isTable && number > this.#source.count)
      .map(([, root]) => root);
  }

  /** The freelist: pages of deleted content. */
  #freePages(): ReadonlySet<number> {
    const free = new Set<number>();
    const first = this.#source.page(1);
    if (first === null || !hasMagic(first)) return free;
    let trunk = view(first).getUint32(FIRST_FREE_PAGE_AT);
    while (trunk > 1 && !free.has(trunk)) {
      const page = this.#source.page(trunk);
      if (page === null) break;
      free.add(trunk);
      const words = view(page);
      const leaves = Math.min(words.getUint32(4), this.#usable / 4 - 2);
      for (let index = 0; index < leaves; index++) free.add(words.getUint32(8 + index * 4));
      trunk = words.getUint32(0);
    }
    return free;
  }

  #learnRoots(page: Page | null): void {
    for (const { payload } of page?.cells ?? []) {
      const [type, , table, root, sql] = (payload === null ? null : decodeRecord(payload)) ?? [];
      if ((type !== 'table' && type !== 'index') || typeof table !== 'string' || typeof root !== 'number')
        continue;
      // A WITHOUT ROWID table is stored as an index b-tree.
      if (typeof sql === 'string' || sql === null)
        this.#roots.set(root, { table, isTable: type === 'table' });
    }
  }

  #ownerOf(number: number): Root | null {
    const seen = new Set<number>();
    let at: number | undefined = number;
    while (at !== undefined && !seen.has(at)) {
      const root = this.#roots.get(at);
      if (root !== undefined) return root;
      seen.add(at);
      at = this.#parents.get(at);
    }
    return null;
  }

  /** Null if it is not a b-tree page. */
  #readPage(number: number): Page | null {
    const bytes = this.#source.page(number);
    if (bytes === null) return null;
    const start = number === 1 ? FILE_HEADER_BYTES : 0;
    const words = view(bytes);
    const kind = words.getUint8(start);
    const isInterior = kind === INTERIOR_INDEX || kind === INTERIOR_TABLE;
    if (!isInterior && kind !== LEAF_INDEX && kind !== LEAF_TABLE) return null;
    const pointersAt = start + (isInterior ? 12 : 8);
    const count = words.getUint16(start + 3);
    if (pointersAt + count * 2 > bytes.length) return null;
    const children: number[] = isInterior ? [words.getUint32(start + 8)] : [];
    const cells: Cell[] = [];
    for (let index = 0; index < count; index++) {
      let at = words.getUint16(pointersAt + index * 2);
      if (at < pointersAt || at + 4 > bytes.length) return null;
      if (isInterior) {
        children.push(words.getUint32(at));
        at += 4;
      }
      if (kind !== INTERIOR_TABLE) cells.push(this.#readCell(bytes, at, kind));
    }
    return { kind, children, cells };
  }

  #readCell(bytes: Uint8Array, at: number, kind: number): Cell {
    const size = readVarint(bytes, at);
    if (size === null) return { rowid: null, payload: null };
    const key = kind === LEAF_TABLE ? readVarint(bytes, size.end) : { value: null, end: size.end };
    if (key === null) return { rowid: null, payload: null };
    return { rowid: key.value, payload: this.#payload(bytes, key.end, size.value, kind) };
  }

  /** The payload of a cell: the part in the page, plus its overflow pages. */
  #payload(bytes: Uint8Array, at: number, size: number, kind: number): Uint8Array | null {
    const local = this.#localBytes(size, kind);
    if (at + local + (local < size ? 4 : 0) > bytes.length) return null;
    if (local === size) return bytes.subarray(at, at + size);
    if (size > this.#source.count * this.#source.pageBytes) return null;
    const parts = [bytes.subarray(at, at + local)];
    let missing = size - local;
    let next = view(bytes).getUint32(at + local);
    while (missing > 0) {
      const page = next === 0 || this.#overflow.has(next) ? null : this.#source.page(next);
      if (page === null) return null;
      this.#overflow.add(next);
      const part = page.subarray(4, Math.min(this.#usable, 4 + missing));
      parts.push(part);
      missing -= part.length;
      next = view(page).getUint32(0);
    }
    return Buffer.concat(parts);
  }

  /** How many bytes of a payload are stored in the page itself. */
  #localBytes(size: number, kind: number): number {
    const usable = this.#usable;
    const most = kind === LEAF_TABLE ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (size <= most) return size;
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const wanted = least + ((size - least) % (usable - 4));
    return wanted <= most ? wanted : least;
  }
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
