/**
 * Keeps folders open while files in them are written. Each folder is opened relative to its parent, never through a
 * link, and its entries are reached through the open folder instead of a path: replacing a folder with a link meanwhile
 * has no effect on us. Node has no `openat`; on Linux `/proc/self/fd/N/name` does the same. Elsewhere the path is used, and
 * compared with the folder that was opened before each use and after the last one.
 */
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCode } from './system-error.ts';

/** `O_PATH`, which Node does not export: also opens a folder that may be entered but not listed. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
const OPEN_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;
/** How often a missing folder is made again when someone removes it at once. */
const MAKE_MAX_TRIES = 3;

/** What is there instead of a folder. */
export interface NotReached {
  readonly kind: 'missing' | 'link' | 'not_a_folder';
  /** Absolute; one character a byte. */
  readonly path: string;
}

export interface HoldOptions {
  /** Makes folders that are missing below the root. */
  readonly make?: boolean;
  /** The folder that lists the open files of this process. */
  readonly openFiles?: string;
}

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  /** The prefix of its entries; null where the path is used. */
  readonly by: string | null;
  readonly dev: number;
  readonly ino: number;
}

export class HeldFolder {
  /** From `/` to this folder. */
  readonly #chain: readonly Opened[];
  /** How many of the last ones were missing, and were made. */
  readonly #made: number;
  /** Those that still exist. */
  #standing: readonly Opened[];

  constructor(chain: readonly Opened[], made: number) {
    this.#chain = chain;
    this.#made = made;
    this.#standing = chain;
  }

  /** The path of the entry `name` (one character a byte): to be used at once, for a call that follows no link. */
  at(name: string): Buffer {
    return entryOf(this.#chain, name);
  }

  /** Syncs the folder: entries added and removed are durable. */
  sync(): Promise<void> {
    return syncLast(this.#chain);
  }

  /** Removes this folder if it is empty, and then those above it, at most `levels` of them; syncs the one that is left. */
  async removeEmpty(levels: number): Promise<void> {
    this.#standing = await removeLast(this.#chain, levels);
    await syncLast(this.#standing);
  }

  /** Removes the entry `name`, a folder with all that is in it; links in it are removed, not followed. */
  removeAll(name: string): Promise<void> {
    return removeAll(this.#chain, name);
  }

  /** Removes the folders that were made for it, if they are empty. */
  async unmake(): Promise<void> {
    this.#standing = await removeLast(this.#chain, this.#made);
  }

  /** Closes it. Throws if we had to use its path, and that now leads elsewhere. */
  async close(): Promise<void> {
    try {
      compare(this.#standing);
    } finally {
      await closeAll(this.#chain);
    }
  }
}

/** Opens the folder `names` below `root`, which is absolute and without links. The caller closes it. */
export async function holdFolder(
  root: string,
  names: readonly string[],
  { make = false, openFiles = '/proc/self/fd' }: HoldOptions = {},
): Promise<HeldFolder | NotReached> {
  const rootNames = Buffer.from(root).toString('latin1').split('/').filter(Boolean);
  const chain: Opened[] = [];
  let made = 0;
  try {
    chain.push(await openTop(openFiles));
    for (const [depth, name] of [...rootNames, ...names].entries()) {
      const mayMake = make && depth >= rootNames.length;
      const next = await openNext(chain, name, mayMake ? () => (made += 1) : null);
      if ('kind' in next) {
        await new HeldFolder(chain, made).unmake();
        await closeAll(chain);
        return next;
      }
      chain.push(next);
    }
    return new HeldFolder(chain, made);
  } catch (thrown) {
    await closeAll(chain);
    throw thrown;
  }
}

/** How often a folder is emptied again while another process still writes into it. */
const REMOVE_MAX_TRIES = 5;

/** Removes `folder` (absolute) and its contents without following links. A missing folder is not an error. */
export async function removeTree(folder: string): Promise<void> {
  const parent = await realpath(dirname(folder)).catch(() => null);
  if (parent === null) return;
  const held = await holdFolder(parent, []);
  if ('kind' in held) return;
  try {
    await held.removeAll(Buffer.from(basename(folder)).toString('latin1'));
  } finally {
    await held.close();
  }
}

async function removeAll(chain: readonly Opened[], name: string): Promise<void> {
  const opened = await openNext(chain, name, null);
  if ('kind' in opened) {
    if (opened.kind !== 'missing') await unlink(entryOf(chain, name)).catch(ignoreMissing);
    return;
  }
  try {
    const inside = [...chain, opened];
    for (let tries = 1; ; tries += 1) {
      for (const child of await readdir(entryOf(inside, '.'), { encoding: 'buffer' }))
        await removeAll(inside, child.toString('latin1'));
      try {
        return await rmdir(entryOf(chain, name));
      } catch (thrown) {
        if (systemCode(thrown) === 'ENOENT') return;
        if (systemCode(thrown) !== 'ENOTEMPTY' || tries === REMOVE_MAX_TRIES) throw thrown;
      }
    }
  } finally {
    await opened.handle.close();
  }
}

function ignoreMissing(thrown: unknown): void {
  if (systemCode(thrown) !== 'ENOENT') throw thrown;
}

async function openTop(openFiles: string): Promise<Opened> {
  const handle = await open('/', OPEN_FLAGS);
  const { dev, ino } = await handle.stat();
  const found = await stat(`${openFiles}/${handle.fd}/.`).catch(() => null);
  const by = found !== null && found.dev === dev && found.ino === ino ? openFiles : null;
  return { path: '', handle, by, dev, ino };
}

/** `onMade` is called for a folder that was missing; null: a missing one is not made. */
async function openNext(
  chain: readonly Opened[],
  name: string,
  onMade: (() => void) | null,
): Promise<Opened | NotReached> {
  const path = `${chain.at(-1)?.path ?? ''}/${name}`;
  for (let tries = 0; ; tries += 1) {
    try {
      const handle = await open(entryOf(chain, name), OPEN_FLAGS);
      const by = chain.at(-1)?.by ?? null;
      // Only a path that is compared needs the identity of its folder.
      const { dev, ino } = by === null ? await handle.stat() : { dev: 0, ino: 0 };
      return { path, handle, by, dev, ino };
    } catch (thrown) {
      const code = systemCode(thrown);
      if (code === 'ELOOP' || code === 'ENOTDIR') return { kind: kindOf(entryOf(chain, name)), path };
      if (code !== 'ENOENT') throw thrown;
      if (onMade === null || tries >= MAKE_MAX_TRIES) return { kind: 'missing', path };
      if (await makeFolder(entryOf(chain, name))) onMade();
    }
  }
}

/** False when another process was faster. */
async function makeFolder(path: Buffer): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown;
    return false;
  }
}

async function removeLast(chain: readonly Opened[], levels: number): Promise<readonly Opened[]> {
  if (levels === 0) return chain;
  const above = chain.slice(0, -1);
  try {
    await rmdir(entryOf(above, nameOf(chain.at(-1)?.path ?? '')));
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    if (code !== 'ENOENT') return chain;
  }
  return removeLast(above, levels - 1);
}

async function syncLast(chain: readonly Opened[]): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(entryOf(chain, '.'), constants.O_RDONLY | constants.O_DIRECTORY);
  } catch (thrown) {
    // A folder that may not be listed cannot be synced; one that is gone need not be.
    if (!['EACCES', 'ENOENT'].includes(systemCode(thrown) ?? '')) throw thrown;
    return;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function entryOf(chain: readonly Opened[], name: string): Buffer {
  compare(chain);
  const last = chain.at(-1);
  const by = last === undefined || last.by === null ? (last?.path ?? '') : `${last.by}/${last.handle.fd}`;
  return Buffer.from(`${by}/${name}`, 'latin1');
}

/** Throws if one of these paths is no longer the folder that was opened. */
function compare(chain: readonly Opened[]): void {
  for (const { path, by, dev, ino } of chain) {
    if (by !== null) return;
    const found = lstatSync(Buffer.from(path === '' ? '/' : path, 'latin1'), { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) continue;
    throw Object.assign(new Error(`${path} was replaced while copane used it`), { code: 'ELOOP' });
  }
}

const kindOf = (entry: Buffer): NotReached['kind'] =>
  lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink() === true ? 'link' : 'not_a_folder';

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

async function closeAll(chain: readonly Opened[]): Promise<void> {
  await Promise.all(chain.map(({ handle }) => handle.close()));
}
