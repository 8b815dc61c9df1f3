/** A copy of a project for an agent that writes files: with unsaved proposals; no links, secrets, ignored files. */
import { lstat, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, fail, ok, type Result } from '../../lib/result.ts';
import { removeTree } from '../../platform/held-folder.ts';
import type { Env } from '../../platform/paths.ts';
import { isAlive } from '../../platform/process-state.ts';
import { unlessMissing } from '../../platform/system-error.ts';
import { utf8Bytes } from '../../review/core/bytes.ts';
import type { IsSecret } from '../../review/core/secret-files.ts';
import { sha256 } from '../../review/files/hash.ts';
import { readImage } from '../../review/files/target-files.ts';
import type { WorkingBuffers } from '../loop/port.ts';
import { projectFiles } from '../tools/list-files.ts';

/** Limits of files and bytes for a copy: a larger one would make the user wait and fill the disk. */
const COPY_MAX_FILES = 50_000;
const COPY_MAX_BYTES = 1024 * 1024 * 1024;
/** How many files are copied at a time. */
const COPY_LANES = 16;

export interface CopyOptions {
  /** The project; absolute, without links. */
  readonly root: string;
  /** Our folder for copies. */
  readonly home: string;
  readonly env: Env;
  readonly skipIgnored: boolean;
  readonly isSecret: IsSecret;
  readonly buffers: WorkingBuffers;
  readonly signal: AbortSignal;
}

/** The outcome for one file. Texts are complete; null: no such file. */
export type CopyChange =
  | {
      readonly kind: 'text';
      readonly path: string;
      readonly before: string | null;
      readonly after: string | null;
    }
  /** It cannot be proposed; the reason is worded to follow its name. */
  | { readonly kind: 'left_out'; readonly path: string; readonly why: string }
  /** The file in the project has changed since it was copied. */
  | { readonly kind: 'moved'; readonly path: string }
  /** As above, but the agent left its copy alone: the user changed it, or the agent did in the project itself. */
  | { readonly kind: 'touched'; readonly path: string }
  /** Files that are new in the project itself were not found; the reason. */
  | { readonly kind: 'unlisted'; readonly why: string };

interface CopiedFile {
  readonly hash: string;
  /** Shows that a file was not touched without reading it. */
  readonly stamp: string;
  /** The same of the file in the project. */
  readonly sourceStamp: string;
}

export class ProjectCopy {
  /** Where the agent works; named like the project. */
  readonly folder: string;
  readonly #options: CopyOptions;
  readonly #outer: string;
  readonly #files: ReadonlyMap<string, CopiedFile>;
  /** All names that the project had, those that were not copied as well. */
  readonly #names: ReadonlySet<string>;

  private constructor(
    options: CopyOptions,
    outer: string,
    made: { readonly files: ReadonlyMap<string, CopiedFile>; readonly names: readonly string[] },
  ) {
    this.#options = options;
    this.#outer = outer;
    this.#files = made.files;
    this.#names = new Set(made.names);
    this.folder = folderIn(outer, options.root);
  }

  /** Makes a copy; a failure leaves nothing behind. Deletes copies of dead processes. */
  static async make(options: CopyOptions): Promise<Result<ProjectCopy>> {
    const { root, home, signal } = options;
    await mkdir(home, { recursive: true, mode: 0o700 });
    await sweep(home);
    const listed = await projectFiles(options);
    if (!listed.ok) return listed;
    const names = listed.value;
    if (names.length > COPY_MAX_FILES) {
      return tooLarge(`has ${names.length} files; at most ${COPY_MAX_FILES} are copied`);
    }
    const outer = await mkdtemp(path.join(home, `${process.pid}-`));
    const folder = folderIn(outer, root);
    await mkdir(folder);
    try {
      const files = await copyFiles(options, names, folder);
      if (files !== null) return ok(new ProjectCopy(options, outer, { files, names }));
    } catch (thrown) {
      await removeTree(outer);
      if (signal.aborted) throw thrown;
      return fail('internal', `The project could not be copied: ${errorMessage(thrown)}`);
    }
    await removeTree(outer);
    return tooLarge(`has more than ${COPY_MAX_BYTES / 1024 / 1024} MiB`);
  }

  /** The files that differ from the copied ones, by name. */
  async changes(): Promise<Result<CopyChange[]>> {
    // The copy contains no secrets of the user. It is not a repository, but files that its ignore files name are not
    // part of the agent's work.
    const nothing: WorkingBuffers = { read: () => undefined, paths: () => [], conflicts: new Set() };
    const { env, signal } = this.#options;
    const isSecret = () => false;
    const context = { root: this.folder, env, skipIgnored: true, isSecret, signal, buffers: nothing };
    const found = await projectFiles(context, ['--no-require-git']);
    if (!found.ok) return found;
    const names = [...new Set([...this.#files.keys(), ...found.value])].sort();
    const listed = await projectFiles(this.#options);
    const added = listed.ok ? listed.value.filter((name) => !this.#names.has(name)) : [];
    const isNew = (name: string) => !names.includes(name);
    const changes: CopyChange[] = added.filter(isNew).map((path) => ({ kind: 'touched', path }));
    if (!listed.ok) changes.push({ kind: 'unlisted', why: listed.error.message });
    for (const name of names) {
      const change = await this.#changeOf(name);
      if (change !== null) changes.push(change);
    }
    return ok(changes);
  }

  async #changeOf(name: string): Promise<CopyChange | null> {
    const copied = this.#files.get(name);
    const file = path.join(this.folder, name);
    if (copied !== undefined && (await stampOf(file)) === copied.stamp) {
      return (await this.#isTouched(name, copied)) ? { kind: 'touched', path: name } : null;
    }
    const found = await readImage(this.folder, utf8Bytes(name));
    if (!found.ok || (found.value !== null && found.value.type !== 'file'))
      return { kind: 'left_out', path: name, why: 'is a link, or not a regular file, in the copy' };
    const now = found.value?.bytes ?? null;
    if (copied !== undefined && now !== null && sha256([now]) === copied.hash) return null;
    const { root, buffers } = this.#options;
    const original = (await sourceOf(root, name, buffers))?.bytes ?? null;
    const originalHash = original === null ? undefined : sha256([original]);
    if (originalHash !== copied?.hash) return { kind: 'moved', path: name };
    if (now === null && original === null) return null;
    const [before, after] = [textOf(original), textOf(now)];
    if (before === undefined || after === undefined) {
      return { kind: 'left_out', path: name, why: 'is not UTF-8 text' };
    }
    if (before === null && after === '') return { kind: 'left_out', path: name, why: 'is new and empty' };
    return { kind: 'text', path: name, before, after };
  }

  async #isTouched(name: string, { hash, sourceStamp }: CopiedFile): Promise<boolean> {
    const { root } = this.#options;
    if ((await stampOf(path.join(root, name))) === sourceStamp) return false;
    const bytes = await bytesOf(root, name);
    return bytes === null || sha256([bytes]) !== hash;
  }

  remove(): Promise<void> {
    return removeTree(this.#outer);
  }
}

/** Null if the project is too large to copy. */
async function copyFiles(
  { root, buffers, signal }: CopyOptions,
  names: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, CopiedFile> | null> {
  const files = new Map<string, CopiedFile>();
  let bytes = 0;
  const copyOne = async (name: string): Promise<void> => {
    const sourceStamp = await stampOf(path.join(root, name));
    const source = await sourceOf(root, name, buffers);
    if (source === null) return;
    bytes += source.bytes.length;
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, source.bytes, { mode: source.mode });
    files.set(name, { hash: sha256([source.bytes]), stamp: await stampOf(file), sourceStamp });
  };
  for (let from = 0; from < names.length; from += COPY_LANES) {
    signal.throwIfAborted();
    await Promise.all(names.slice(from, from + COPY_LANES).map(copyOne));
    if (bytes > COPY_MAX_BYTES) return null;
  }
  return files;
}

const folderIn = (outer: string, root: string) => path.join(outer, path.basename(root) || 'project');

const tooLarge = (what: string) =>
  fail('refused', `The project ${what}.`, 'Open a part of it, or let git ignore what an agent need not see.');

/** A file as the user sees it; null if it cannot be copied. */
async function sourceOf(
  root: string,
  name: string,
  buffers: WorkingBuffers,
): Promise<{ readonly bytes: Uint8Array; readonly mode: number } | null> {
  const held = buffers.read(name);
  if (held === null) return null;
  const file = path.join(root, name);
  const mode = await lstat(file).then(
    (there) => there.mode & 0o777,
    () => 0o644,
  );
  if (held !== undefined) return { bytes: held, mode };
  const bytes = await bytesOf(root, name);
  return bytes === null ? null : { bytes, mode };
}

/** The bytes of a regular file, not through a link; null if there is none, or it may not be read. */
async function bytesOf(root: string, name: string): Promise<Uint8Array | null> {
  const found = await readImage(root, utf8Bytes(name));
  return found.ok && found.value?.type === 'file' ? found.value.bytes : null;
}

async function stampOf(file: string): Promise<string> {
  return unlessMissing(async () => {
    const { ino, size, mtimeNs } = await lstat(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  }, '');
}

/** Undefined if the bytes are not text. */
function textOf(bytes: Uint8Array | null): string | null | undefined {
  if (bytes === null) return null;
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return undefined;
  }
}

/** Deletes copies of processes that are gone. */
async function sweep(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = Number(/^(\d+)-/.exec(name)?.[1] ?? 0);
    if (pid > 0 && pid !== process.pid && !isAlive(pid)) {
      await removeTree(path.join(home, name));
    }
  }
}
