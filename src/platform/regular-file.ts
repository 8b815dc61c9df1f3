/**
 * Opens files that others can put there: never blocks (as on a FIFO), reads only regular files, never more than
 * allowed. Throws like `node:fs`, with two more codes: `ENOTREG` (not a regular file) and `EFBIG` (too large).
 */
import fs, { closeSync, constants, fstatSync, openSync, type PathLike, readSync, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** Without O_NOCTTY, a terminal device could become the terminal of this process. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
const APPEND_FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | constants.O_NOCTTY;
const CHUNK_BYTES = 256 * 1024;

export interface OpenOptions {
  /** Refuse (`ELOOP`) a symbolic link as the last part of the path. */
  readonly noLink?: boolean;
}

export interface ReadOptions extends OpenOptions {
  /** A larger file is refused (`EFBIG`) before any of it is kept. */
  readonly maxBytes: number;
}

export interface OpenedFile {
  /** The caller closes it. */
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** The file is not regular, or is too large; the message names it. */
export class FileRefusal extends Error {
  readonly code: 'ENOTREG' | 'EISDIR' | 'EFBIG';

  constructor(code: FileRefusal['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Opens a regular file for reading. */
export async function openRegular(file: PathLike, options: OpenOptions = {}): Promise<OpenedFile> {
  const handle = await fs.promises
    .open(file, flagsOf(options))
    .catch((thrown: unknown) => rethrow(thrown, file));
  try {
    const stats = await handle.stat();
    refuseOther(stats, file);
    return { handle, stats };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** The whole content of a regular file. */
export async function readRegular(file: PathLike, options: ReadOptions): Promise<Buffer> {
  const { handle, stats } = await openRegular(file, options);
  try {
    const content = new Content(file, stats, options.maxBytes);
    while (!content.isComplete) content.took((await handle.read(content.room, 0)).bytesRead);
    return content.bytes;
  } finally {
    await handle.close();
  }
}

/** The text of a regular file; empty if it is missing, too large or unreadable. */
export function readTextOf(file: PathLike, maxBytes: number): Promise<string> {
  return readRegular(file, { maxBytes }).then(String, () => '');
}

/** Appends `text` to a regular file in one write; creates the file (0600) if it is missing. */
export async function appendRegular(file: PathLike, text: string): Promise<void> {
  const handle = await fs.promises
    .open(file, APPEND_FLAGS, 0o600)
    .catch((thrown: unknown) => rethrow(thrown, file));
  try {
    refuseOther(await handle.stat(), file);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** `readRegular`, synchronously. */
export function readRegularSync(file: PathLike, options: ReadOptions): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(file, flagsOf(options));
  } catch (thrown) {
    return rethrow(thrown, file);
  }
  try {
    const stats = fstatSync(descriptor);
    refuseOther(stats, file);
    const content = new Content(file, stats, options.maxBytes);
    while (!content.isComplete) content.took(readSync(descriptor, content.room));
    return content.bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** The first `maxBytes` of a regular file. */
export async function readHeadOf(file: PathLike, maxBytes: number): Promise<Buffer> {
  const { handle } = await openRegular(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Streams a regular file up to its length when opened, so a growing file ends, too. */
export function streamRegular(file: PathLike, options: ReadOptions): Readable {
  return Readable.from(piecesOf(file, options), { objectMode: false });
}

async function* piecesOf(file: PathLike, options: ReadOptions): AsyncGenerator<Buffer> {
  const { handle, stats } = await openRegular(file, options);
  try {
    refuseLarge(stats.size, file, options.maxBytes);
    for (let at = 0; at < stats.size; ) {
      const length = Math.min(CHUNK_BYTES, stats.size - at);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The bytes read so far. A kernel file (`/proc`) has no size, and any file may grow during the read. */
class Content {
  readonly #file: PathLike;
  readonly #maxBytes: number;
  readonly #size: number;
  #buffer: Buffer;
  #length = 0;
  isComplete = false;

  constructor(file: PathLike, { size }: Stats, maxBytes: number) {
    refuseLarge(size, file, maxBytes);
    this.#file = file;
    this.#size = size;
    this.#maxBytes = maxBytes;
    // With one byte to spare, a read that does not fill it has reached the end.
    this.#buffer = Buffer.allocUnsafe(size + 1);
  }

  get room(): Buffer {
    if (this.#length === this.#buffer.length) {
      const grown = Buffer.allocUnsafe(this.#length * 2 + CHUNK_BYTES);
      this.#buffer.copy(grown);
      this.#buffer = grown;
    }
    return this.#buffer.subarray(this.#length);
  }

  took(bytes: number): void {
    this.#length += bytes;
    const isAtItsEnd = this.#length === this.#size && this.#size < this.#buffer.length;
    this.isComplete = bytes === 0 || isAtItsEnd;
    refuseLarge(this.#length, this.#file, this.#maxBytes);
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

const flagsOf = ({ noLink = false }: OpenOptions) => (noLink ? FLAGS | constants.O_NOFOLLOW : FLAGS);

function refuseOther(stats: Stats, file: PathLike): void {
  if (stats.isDirectory()) throw new FileRefusal('EISDIR', `${file} is a folder`);
  if (!stats.isFile()) throw new FileRefusal('ENOTREG', `${file} is not a regular file`);
}

function refuseLarge(bytes: number, file: PathLike, maxBytes: number): void {
  if (bytes > maxBytes) throw new FileRefusal('EFBIG', `${file} is larger than ${maxBytes} bytes`);
}

/** A socket or a device without a driver cannot be opened at all. */
function rethrow(thrown: unknown, file: PathLike): never {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === 'ENXIO' || code === 'ENODEV')
    throw new FileRefusal('ENOTREG', `${file} is not a regular file`);
  throw thrown;
}
