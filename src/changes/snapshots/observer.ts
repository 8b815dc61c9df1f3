/** Scans working trees, one at a time. Each scan (a *look*) reports changes since the last one, with both contents. */
import { existsSync, type Stats } from 'node:fs';
import { access, constants, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { unlessSystemFails } from '../../platform/system-error.ts';
import type { NotKept, Observation, ObservedFile, ObservedSide } from '../../protocol/changes.ts';
import type { ByteString } from '../../review/core/bytes.ts';
import { displayBytes } from '../../review/core/bytes.ts';
import { type FileImage, modeOf } from '../../review/core/file-state.ts';
import { MODE_FILE } from '../../review/core/patch-model.ts';
import { pathProblem } from '../../review/core/safe-path.ts';
import { gitBlobName } from '../../review/files/hash.ts';
import { absolutePath, findImage, folderOf, lstatOrNull } from '../../review/files/target-files.ts';
import { type Facts, type MovedFile, PrivateIndex, sweepObjects, type TakenFile } from './private-index.ts';

/** The most files of one look whose bytes are stored. */
export const SNAPSHOT_MAX_FILES = 2_000;
/** For one file, and for all files of one look. */
export const SNAPSHOT_FILE_MAX_BYTES = 8 * 1024 * 1024;
export const SNAPSHOT_MAX_BYTES = 64 * 1024 * 1024;
/** The most files that one look reads; for others it only reports the change, and the next look continues. */
const TAKEN_MAX_FILES = 20_000;
/** The most nested repositories that are scanned. */
const INSIDE_MAX = 16;
/** After this long without a look, a working tree starts afresh. */
const UNUSED_MS = 30 * 24 * 3_600_000;
/** A running look may be about to name an object younger than this. */
const OBJECT_GRACE_MS = 3_600_000;

export interface ObserverOptions {
  /** The folder with the index of each working tree. */
  readonly root: string;
  readonly blobs: SnapshotBlobs;
}

/** Where bytes are stored; `ordered`: a power cut may lose them, a killed process does not. */
export interface SnapshotBlobs {
  put(bytes: Uint8Array, commit: 'ordered'): Promise<Result<string>>;
}

/** Stores the changes before the next look starts from them. */
export type Keep = (top: string, seen: Observation) => Result<unknown>;

/** The result of a look: the working tree, and whether it was the first one, which has nothing to compare with. */
export interface Look {
  readonly top: string;
  readonly first: boolean;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** The findings of one look in one repository. */
interface Scan {
  /** There is nothing to compare with. */
  readonly first: boolean;
  readonly files: readonly ObservedFile[];
  /** Files that changed and are not listed. */
  readonly left: number;
  /** Makes the next look start from what this one found. */
  readonly take: () => Promise<Result<unknown>>;
}

const MANY = (count: number) =>
  `${count} more ${count === 1 ? 'file' : 'files'} changed at once than a snapshot keeps`;

export class Observer {
  readonly #options: ObserverOptions;
  readonly #known = new Map<string, { readonly index: PrivateIndex; readonly stamp: string }>();
  /** When the last look at each working tree began. */
  readonly #lookedAt = new Map<string, number>();
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  /** When the last look at a working tree began; ms since the epoch, null if unknown. */
  lookedAt(top: string): number | null {
    return this.#lookedAt.get(top) ?? null;
  }

  /** Scans the working tree that contains `folder`, or the folder itself; `not_found` if that is too large. */
  look(folder: string, keep: Keep): Promise<Result<Look>> {
    const next = this.#queue.then(() => this.#look(folder, keep));
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #look(folder: string, keep: Keep): Promise<Result<Look>> {
    const opened = await this.#open(folder);
    if (!opened.ok) return opened;
    const { top } = opened.value;
    const startedAt = Date.now();
    const since = this.lookedAt(top);
    const outer = await this.#scan(opened.value, { prefix: '', since });
    if (!outer.ok) return outer;
    const { first } = outer.value;
    const inside = await this.#scanInside(opened.value, { first, since });
    if (!inside.ok) return inside;
    const scans = [outer.value, ...inside.value.scans];
    const files = scans.flatMap((scan) => scan.files);
    const left = scans.reduce((sum, scan) => sum + scan.left, 0);
    const notes = [...(left === 0 ? [] : [MANY(left)]), ...inside.value.notes];
    const note = first || notes.length === 0 ? null : notes.join('; ');
    const seen = { files, note, since };
    const kept = first || files.length > 0 || note !== null ? keep(top, seen) : ok(undefined);
    if (!kept.ok) return kept;
    for (const { take } of scans) {
      const put = await take();
      if (!put.ok) return put;
    }
    this.#lookedAt.set(top, startedAt);
    return ok({ top, first, startedAt });
  }

  /** Git reports nothing inside a nested repository: each is scanned separately, under its path in the outer one. */
  async #scanInside(
    outer: PrivateIndex,
    { first: isFirst, since }: { readonly first: boolean; readonly since: number | null },
  ): Promise<Result<{ readonly scans: readonly Scan[]; readonly notes: readonly string[] }>> {
    const names = await outer.inside();
    if (!names.ok) return names;
    const scans: Scan[] = [];
    const notes: string[] = [];
    for (const name of names.value.slice(0, INSIDE_MAX)) {
      const folder = path.join(outer.top, displayBytes(name));
      const wasThere = this.#known.get(folder)?.index.top === folder;
      const opened = await this.#open(folder);
      // A missing or damaged submodule has no files to scan.
      if (!opened.ok || opened.value.top !== folder) {
        if (wasThere)
          notes.push(`${displayBytes(name)} is a repository no more, and what it held is left out`);
        continue;
      }
      const scan = await this.#scan(opened.value, { prefix: `${name}/`, since });
      if (!scan.ok) return scan;
      scans.push(scan.value);
      if (scan.value.first && !isFirst)
        notes.push(`${displayBytes(name)} is a repository that came to be, and what it holds is left out`);
    }
    const more = names.value.length - INSIDE_MAX;
    if (more > 0 && scans.some(({ files }) => files.length > 0))
      notes.push(`${more} more repositories inside are not looked at`);
    return ok({ scans, notes });
  }

  /** What changed in one repository; nothing is stored before `take`. */
  async #scan(
    index: PrivateIndex,
    { prefix, since }: { readonly prefix: ByteString; readonly since: number | null },
  ): Promise<Result<Scan>> {
    const first = index.isNew;
    const begun = first ? await index.begin() : ok(undefined);
    if (!begun.ok) return begun;
    const moved = await index.moved();
    if (!moved.ok) return moved;
    if (moved.value.length === 0 && !first)
      return ok({ first, files: [], left: 0, take: async () => ok(null) });
    const taken = moved.value.slice(0, TAKEN_MAX_FILES);
    const facts = await index.facts(taken, { first });
    if (!facts.ok) return facts;
    const seen = await this.#read(index, taken, { ...facts.value, first, since });
    if (!seen.ok) return seen;
    const { files, bare, unread, told, many } = seen.value;
    const names = taken.map(({ path: name }) => name).filter((name) => !unread.has(name));
    return ok({
      first,
      files: files.map((file) => ({ ...file, path: `${prefix}${file.path}` })),
      left: moved.value.length - taken.length + many,
      take: () => index.take(names, bare, { all: told, suspects: () => changedSince(index.top, told) }),
    });
  }

  /** Deletes unneeded data: objects that no index names, and working trees that are no longer followed. */
  async sweep(now: number, signal: AbortSignal): Promise<void> {
    const { root } = this.#options;
    for (const name of existsSync(root) ? await readdir(root) : []) {
      const swept = this.#queue.then(async () => {
        signal.throwIfAborted();
        const home = path.join(root, name);
        const used = await stat(path.join(home, 'index')).catch(() => null);
        if (used === null || now - used.mtimeMs > UNUSED_MS) await this.#forget(home);
        else await sweepObjects(home, now - OBJECT_GRACE_MS);
      });
      this.#queue = swept.catch(() => undefined);
      await swept;
    }
  }

  async #forget(home: string): Promise<void> {
    this.#known.clear();
    await rm(home, { recursive: true, force: true });
  }

  async #open(folder: string): Promise<Result<PrivateIndex>> {
    const known = this.#known.get(folder);
    if (known !== undefined && (await known.index.stamp()) === known.stamp) return ok(known.index);
    const opened = await PrivateIndex.open(this.#options.root, folder);
    if (opened.ok) this.#known.set(folder, { index: opened.value, stamp: await opened.value.stamp() });
    return opened;
  }

  async #read(
    index: PrivateIndex,
    moved: readonly MovedFile[],
    { filtered, old, first, since }: Facts & { readonly first: boolean; readonly since: number | null },
  ): Promise<
    Result<{
      files: ObservedFile[];
      bare: Set<ByteString>;
      unread: Set<ByteString>;
      told: ToldFile[];
      many: number;
    }>
  > {
    const files: ObservedFile[] = [];
    const told: ToldFile[] = [];
    const bare = new Set<ByteString>();
    const unread = new Set<ByteString>();
    let [kept, bytes, many] = [0, 0, 0];
    for (const file of moved) {
      const stands = await standsAt(index.top, file.path);
      if (stands === 'unreadable') unread.add(file.path);
      if (stands === 'unreadable') continue;
      const { size } = stands;
      const isFull = kept >= SNAPSHOT_MAX_FILES || bytes + (size ?? 0) > SNAPSHOT_MAX_BYTES;
      const why = filtered.has(file.path)
        ? 'filter'
        : (size ?? 0) > SNAPSHOT_FILE_MAX_BYTES
          ? 'large'
          : isFull
            ? 'many'
            : null;
      if (why !== null) bare.add(file.path);
      if (why === 'many') many += 1;
      if (first) continue;
      const isNew = file.modes[0] === 0 && size !== null;
      const changedAt = isNew ? await cameAt(index.top, file.path, { ...stands, since }) : stands.changedAt;
      const readAt = Date.now();
      const image = size === null || why !== null ? ok(null) : await findImage(index.top, file.path);
      const read = image.ok ? image.value : null;
      // It vanished during the look, like a file that is renamed over another one: the next look reports it.
      if (size !== null && why === null && image.ok && read === null) {
        unread.add(file.path);
        continue;
      }
      const asFound = { path: file.path, size, changedAt, readAt };
      if (size === null) told.push({ ...asFound, mode: 0, bytes: null });
      else if (read?.type === 'file' || read?.type === 'symlink')
        told.push({ ...asFound, mode: modeOf(read), bytes: read.bytes });
      const found = await this.#sides(file, {
        old: old.get(file.path),
        why,
        read,
        size,
        changedAt,
        readAt,
      });
      if (!found.ok) return found;
      kept += 1;
      bytes += size ?? 0;
      if (found.value !== null) files.push(found.value);
    }
    return ok({ files, bare, unread, told, many });
  }

  /** Null if the file's content is unchanged. */
  async #sides(
    { path: name, modes, oldBlob }: MovedFile,
    facts: {
      readonly old: Uint8Array | undefined;
      readonly why: NotKept | null;
      readonly read: FileImage | null;
      readonly size: number | null;
      readonly changedAt: number | null;
      readonly readAt: number;
    },
  ): Promise<Result<ObservedFile | null>> {
    const before = modes[0] === 0 ? ok(null) : await this.#side(modes[0], facts.old, 'unknown');
    if (!before.ok) return before;
    const { read } = facts;
    const stamps = { changedAt: facts.changedAt, readAt: facts.readAt };
    if (facts.size === null)
      return ok(before.value === null ? null : { path: name, before: before.value, after: null, ...stamps });
    if (read !== null && read.type !== 'file' && read.type !== 'symlink') return ok(null);
    const mode = read === null ? modes[1] || MODE_FILE : modeOf(read);
    if (read !== null && mode === modes[0] && oldBlob !== null && isSame(read, oldBlob)) return ok(null);
    const after = await this.#side(mode, read?.bytes, facts.why ?? 'unknown');
    return after.ok ? ok({ path: name, before: before.value, after: after.value, ...stamps }) : after;
  }

  async #side(mode: number, bytes: Uint8Array | undefined, why: NotKept): Promise<Result<ObservedSide>> {
    if (bytes === undefined) return ok({ mode, blob: null, notKept: why });
    if (bytes.length > SNAPSHOT_FILE_MAX_BYTES) return ok({ mode, blob: null, notKept: 'large' });
    const blob = await this.#options.blobs.put(bytes, 'ordered');
    return blob.ok ? ok({ mode, blob: blob.value }) : blob;
  }
}

const isSame = (image: FileImage, blob: string) =>
  gitBlobName(image.bytes, blob.length === 64 ? 'sha256' : 'sha1') === blob;

/** A file as reported, and its stat before it was read. */
interface ToldFile extends TakenFile {
  readonly size: number | null;
  readonly changedAt: number | null;
  readonly readAt: number;
}

/** The kernel's file times advance in ticks: a time may be this far behind the real one. */
export const CLOCK_TICK_MS = 20;

async function changedSince(top: string, told: readonly ToldFile[]): Promise<readonly TakenFile[]> {
  const suspects: TakenFile[] = [];
  for (const file of told) {
    const { size, changedAt, readAt } = file;
    const now = await standsAt(top, file.path);
    const isAsBefore = now !== 'unreadable' && now.size === size && now.changedAt === changedAt;
    const isRecent = changedAt !== null && readAt - changedAt < CLOCK_TICK_MS;
    if (!isAsBefore || isRecent) suspects.push(file);
  }
  return suspects;
}

/** The bytes at a path, null for no file, and when they last changed. */
async function standsAt(
  top: string,
  name: ByteString,
): Promise<{ readonly size: number | null; readonly changedAt: number | null } | 'unreadable'> {
  if (pathProblem(name) !== null) return 'unreadable';
  const file = absolutePath(top, name);
  const found = await lstatOrNull(file);
  if (found === null || found.isDirectory()) {
    const [folder = found] = await foldersAbove(top, name);
    return { size: null, changedAt: (found ?? folder)?.mtimeMs ?? null };
  }
  const { size, ctimeMs: changedAt } = found;
  if (found.isSymbolicLink()) return { size, changedAt };
  if (!found.isFile()) return 'unreadable';
  return unlessSystemFails(async () => {
    await access(file, constants.R_OK);
    return { size, changedAt };
  }, 'unreadable');
}

/** When a new file got its place: moving a folder does not write its files, but the folder itself. */
async function cameAt(
  top: string,
  name: ByteString,
  { changedAt, since }: { readonly changedAt: number | null; readonly since: number | null },
): Promise<number | null> {
  if (changedAt === null || since === null || changedAt + CLOCK_TICK_MS >= since) return changedAt;
  const folders = (await foldersAbove(top, name)).slice(0, -1);
  return folders.find(({ ctimeMs }) => ctimeMs + CLOCK_TICK_MS >= since)?.ctimeMs ?? changedAt;
}

/** The existing folders of a path, from the nearest up to the working tree itself. */
async function foldersAbove(top: string, name: ByteString): Promise<readonly Stats[]> {
  const folder = folderOf(name);
  const found = await lstatOrNull(absolutePath(top, folder));
  const above = folder === '' ? [] : await foldersAbove(top, folder);
  return found === null ? above : [found, ...above];
}
