/**
 * Keeps folders open while files in them are written. Opens each folder relative to its parent, never through a link,
 * and reaches its entries through the open folder instead of a path, so replacing a folder with a link has no effect.
 * Node has no `openat`; on Linux `/proc/self/fd/N/name` does the same. Other systems use the path, and compare it with
 * the opened folder before each use and after the last one.
 */
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, realpath, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCode } from './system-error.ts';

/** `O_PATH`, which Node does not export. It also opens a folder that may be entered but not listed. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
const OPEN_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;
/** How often to recreate a missing folder that another process keeps removing. */
const MAKE_MAX_TRIES = 3;

/** What was found in place of a folder. */
export interface NotReached {
  readonly kind: 'missing' | 'link' | 'not_a_folder';
  /** Absolute; one character per byte. */
  readonly path: string;
}

export interface HoldOptions {
  /** Create missing folders below the root. */
  readonly make?: boolean;
  /** The folder that lists the open files of this process. */
  readonly openFiles?: string;
}

interface Opened {
  readonly path: string;
  readonly handle: FileHandle;
  /** The prefix of its entries; null if the path is used. */
  readonly by: string | null;
  readonly dev: number;
  readonly ino: number;
}

export class HeldFolder {
  /** From `/` to this folder. */
  readonly #chain: readonly Opened[];
  /** How many of the last ones were missing and had to be created. */
  readonly #made: number;
  /** The ones that still exist. */
  #remaining: readonly Opened[];

  constructor(chain: readonly Opened[], made: number) {
    this.#chain = chain;
    this.#made = made;
    this.#remaining = chain;
  }

  /** The path of the entry `name` (one character per byte), for immediate use in a call that follows no link. */
  at(name: string): Buffer {
    return entryOf(this.#chain, name);
  }

  /** Syncs the folder, which makes added and removed entries durable. */
  sync(): Promise<void> {
    return syncLast(this.#chain);
  }

  /** Removes this folder and then its parents, at most `levels`, while they are empty; syncs the first one left. */
  async removeEmpty(levels: number): Promise<void> {
    this.#remaining = await removeLast(this.#chain, levels);
    await syncLast(this.#remaining);
  }

  /** Removes the entry `name` and, if it is a folder, its contents. Removes links without following them. */
  removeAll(name: string): Promise<void> {
    return removeAll(this.#chain, name);
  }

  /** Removes the folders that were created for it, if they are empty. */
  async unmake(): Promise<void> {
    this.#remaining = await removeLast(this.#chain, this.#made);
  }

  /** Closes it. Throws if its path was used and now leads elsewhere. */
  async close(): Promise<void> {
    try {
      compare(this.#remaining);
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

/** How often to empty a folder again while another process still writes into it. */
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

/** Calls `onMade` after it creates a missing folder; null: does not create one. */
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
      // Only a folder reached by path is compared, so only it needs an identity.
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

/** False if another process was faster. */
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

/** Throws if one of these paths no longer leads to the opened folder. */
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
