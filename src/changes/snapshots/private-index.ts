/** A private git index for a working tree: stat data show which files changed. Runs nothing of the repository. */

import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { ensurePrivateFolder, STATE_LEVELS } from '../../platform/private-files.ts';
import type { ByteString } from '../../review/core/bytes.ts';
import { gitBlobName, sha256 } from '../../review/files/hash.ts';
import { borrowRepository } from '../../review/sources/borrowed-repository.ts';
import { copyIndex } from '../../review/sources/snapshot.ts';
import { filtersIn } from '../../review/sources/working-copy.ts';
import { type Attributes, attributesOf } from '../../review/vcs/attributes.ts';
import { readBlobs } from '../../review/vcs/blobs.ts';
import { type GitOptions, git, openRepository, Repository } from '../../review/vcs/git.ts';
import {
  type DiffRow,
  diffRows,
  gitList,
  gitWord,
  namesAsArguments,
  namesAsInput,
  statsInIndex,
} from '../../review/vcs/git-output.ts';
import { PLAIN_EXCLUDES, plainFolder } from './plain-folder.ts';

/** A file that changed since the last look. */
export interface MovedFile {
  readonly path: ByteString;
  /** Its mode at the last look and now; 0 for no file. */
  readonly modes: readonly [old: number, now: number];
  /** The object id of its content then; null for no file, or if unknown. */
  readonly oldBlob: string | null;
}

/** What is known about changed files without reading them. */
export interface Facts {
  /** The bytes on disk at the last look; unknown ones are left out. */
  readonly old: ReadonlyMap<ByteString, Uint8Array>;
  /** The files with a filter that has a program configured: their content must not be stored. */
  readonly filtered: ReadonlySet<ByteString>;
}

/** Bytes are taken unchanged: no line end is converted, no filter runs. */
const RAW_ATTRIBUTES = '* -text -crlf -eol -ident -filter -working-tree-encoding\n';
const CONVERTING = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding'];
const GITLINK = 0o160000;

export class PrivateIndex {
  readonly top: string;
  readonly #own: Repository;
  readonly #options: GitOptions;
  readonly #folder: string;
  readonly #filters: ReadonlySet<string>;
  /** Nested repositories of which git has a commit; each look finds the others. */
  #submodules: readonly ByteString[] | null = null;
  #repositories: readonly ByteString[] = [];

  private constructor(own: Repository, borrowed: Repository, folder: string, filters: ReadonlySet<string>) {
    this.top = own.top;
    this.#own = own;
    this.#folder = folder;
    this.#filters = filters;
    this.#options = { repository: borrowed, env: { GIT_INDEX_FILE: indexIn(folder) } };
  }

  /** Opens the index for the working tree of `folder`, or for the folder (`not_found` if too large), below `root`. */
  static async open(root: string, folder: string): Promise<Result<PrivateIndex>> {
    const own = await openRepository(folder);
    if (!own.ok && own.error.code !== 'not_found') return own;
    const top = own.ok ? ok(own.value.top) : await plainFolder(folder);
    if (!top.ok) return top;
    const home = path.join(root, sha256([Buffer.from(top.value)]).slice(0, 32));
    ensurePrivateFolder(home, STATE_LEVELS + 2);
    const bare = path.join(home, 'git');
    const { gitDir, commonDir } = own.ok ? own.value : { gitDir: bare, commonDir: bare };
    const stores = own.ok ? [commonDir] : [];
    const place = { top: top.value, gitDir, commonDir };
    const borrowed = await borrowRepository(bare, place, { stores, attributes: RAW_ATTRIBUTES });
    if (!borrowed.ok) return borrowed;
    if (!own.ok) await writeFile(path.join(bare, 'info/exclude'), PLAIN_EXCLUDES);
    // Only we write there, one process at a time: a lock is left over from a killed process.
    await rm(`${indexIn(home)}.lock`, { force: true });
    const { repository, settings } = borrowed.value;
    const asked = own.ok ? own.value : repository;
    const filters = new Set([...asked.filters, ...filtersIn(settings)]);
    return ok(new PrivateIndex(asked, repository, home, filters));
  }

  /** Identifies the data of its set-up: when this changes, it is opened again. */
  async stamp(): Promise<string> {
    const { commonDir } = this.#own;
    const files = ['config', 'info/exclude', 'info/attributes'].map((name) => path.join(commonDir, name));
    const found = (file: string) => stat(file).catch(() => null);
    const times = await Promise.all(files.map(found));
    const isThere = await Promise.all([this.#folder, this.top].map(found));
    return [...times.map((one) => one?.mtimeMs ?? 0), ...isThere.map((one) => one !== null)].join();
  }

  /** There was no look yet. */
  get isNew(): boolean {
    return !existsSync(indexIn(this.#folder));
  }

  /** Starts from the repository's own index, which saves reading every file. */
  async begin(): Promise<Result<void>> {
    const index = indexIn(this.#folder);
    const copied = await copyIndex(path.join(this.#own.gitDir, 'index'), `${index}.copy`);
    if (!copied) {
      const empty = await git(['read-tree', '--empty'], this.#options);
      return empty.ok ? ok(undefined) : empty;
    }
    const options: GitOptions = { repository: this.#own, env: { GIT_INDEX_FILE: `${index}.copy` } };
    const { mtime } = await stat(`${index}.copy`);
    // A split index names a file beside the repository's own index.
    const parts = (await readdir(this.#own.gitDir)).some((name) => name.startsWith('sharedindex.'));
    const whole = parts ? await git(['update-index', '--no-split-index'], options) : ok(null);
    if (!whole.ok) return whole;
    await utimes(`${index}.copy`, mtime, mtime);
    await rename(`${index}.copy`, index);
    return ok(undefined);
  }

  /** The files that changed since the last look, without ignored ones and those in nested repositories. */
  async moved(): Promise<Result<MovedFile[]>> {
    const [changed, fresh] = await Promise.all([
      diffRows(['diff-files', '--ignore-submodules=all'], this.#options),
      gitList(['ls-files', '--others', '--exclude-standard', '-z'], this.#options),
    ]);
    if (!changed.ok) return changed;
    if (!fresh.ok) return fresh;
    const files = [...movedFiles(changed.value)];
    const names = fresh.value;
    for (const name of names)
      if (!name.endsWith('/')) files.push({ path: name, modes: [0, 0], oldBlob: null });
    this.#repositories = names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
    return ok(files);
  }

  /** Nested repositories that the last `moved` found. */
  async inside(): Promise<Result<readonly ByteString[]>> {
    if (this.#submodules === null) {
      const listed = await git(['ls-files', '-s', '-z'], this.#options);
      if (!listed.ok) return listed;
      const links = listed.value.stdout.toString('latin1').matchAll(/(?:^|\0)160000 [^\t]*\t([^\0]+)/g);
      this.#submodules = [...links].map(([, name = '']) => name);
    }
    return ok([...new Set([...this.#submodules, ...this.#repositories])]);
  }

  /** Facts from the index and the attributes about changed files; no `old` bytes at the first look. */
  async facts(files: readonly MovedFile[], { first }: { readonly first: boolean }): Promise<Result<Facts>> {
    const withOld = first ? [] : files.filter(({ oldBlob }) => oldBlob !== null);
    const names = [...new Set(withOld.flatMap(({ oldBlob }) => oldBlob ?? []))];
    // Each git waits for the processor separately: on a busy machine a sequence takes several times as long.
    const [attributes, blobs, convertsAll] = await Promise.all([
      this.#attributes(files.map(({ path: name }) => name)),
      readBlobs(names, this.#options),
      names.length === 0 ? ok(false) : this.#convertsAll(),
    ]);
    if (!attributes.ok) return attributes;
    if (!blobs.ok) return blobs;
    if (!convertsAll.ok) return convertsAll;
    const isConverted = ({ path: name }: MovedFile) => convertsAll.value || attributes.value.has(name);
    const converted = new Set(withOld.filter(isConverted).map(({ path: name }) => name));
    const sizes = converted.size === 0 ? new Map<string, number>() : await this.#sizes(converted);
    const old = new Map<ByteString, Uint8Array>();
    for (const { path: name, oldBlob } of withOld) {
      const blob = blobs.value.get(oldBlob ?? '');
      if (blob === undefined) continue;
      const size = sizes.get(name);
      if (size === undefined || size === blob.length) old.set(name, blob);
      else {
        const written = await this.#asWritten(name, oldBlob ?? '');
        if (written?.length === size) old.set(name, written);
      }
    }
    const filtered = [...attributes.value].filter(([, { filter }]) => this.#filters.has(filter ?? ''));
    return ok({ old, filtered: new Set(filtered.map(([name]) => name)) });
  }

  /**
   * Records the current files for the next look, all or none. `bare`: only the fact of their change is known, not their
   * bytes. Git reads the files again: content that differs from `told` was written meanwhile, and the next look, which
   * starts from `told`, reports it.
   */
  async take(
    names: readonly ByteString[],
    bare: ReadonlySet<ByteString>,
    told: Told,
  ): Promise<Result<unknown>> {
    const index = indexIn(this.#folder);
    const next = `${index}.next`;
    await rm(`${next}.lock`, { force: true });
    await copyIndex(index, next);
    const options: GitOptions = { ...this.#options, env: { ...this.#options.env, GIT_INDEX_FILE: next } };
    let isWhole = true;
    for (const infoOnly of [false, true]) {
      const some = names.filter((name) => bare.has(name) === infoOnly);
      if (some.length === 0) continue;
      const how = ['--add', '--remove', '--replace', ...(infoOnly ? ['--info-only'] : []), '-z', '--stdin'];
      const input = namesAsInput(some);
      // Fails if a single file vanished while git read it; in the end the files are recorded as told.
      const first = await git(['update-index', ...how], { ...options, input });
      const put = first.ok ? first : await git(['update-index', ...how], { ...options, input });
      if (!put.ok && infoOnly) return put;
      isWhole &&= put.ok;
    }
    const late = await writtenSince(isWhole ? await told.suspects() : told.all, options);
    if (!late.ok) return late;
    const put = await takeAs(late.value, options);
    if (put.ok) await rename(next, index);
    return put;
  }

  /** Whether git converts line ends in every file that no attribute exempts. */
  async #convertsAll(): Promise<Result<boolean>> {
    const auto = await gitWord(['config', '--get', 'core.autocrlf'], {
      repository: this.#own,
      okCodes: [0, 1],
    });
    // `input` converts when git reads a file, and not when it writes one.
    return auto.ok ? ok(!/^(?:false|no|off|0)?$/i.test(auto.value)) : auto;
  }

  /** In the repository itself: attributes under which a blob may differ from the bytes on disk, by file. */
  async #attributes(names: readonly ByteString[]): Promise<Result<Attributes>> {
    const found = await attributesOf(names, CONVERTING, { repository: this.#own });
    if (!found.ok) return found;
    const isSet = (values: Readonly<Record<string, string>>) =>
      Object.values(values).some((value) => value !== 'unset');
    return ok(new Map([...found.value].filter(([, values]) => isSet(values))));
  }

  /** Lengths of files on disk at the last look, without those recorded as told. */
  async #sizes(names: ReadonlySet<ByteString>): Promise<ReadonlyMap<ByteString, number>> {
    const stats = await statsInIndex([...names], this.#options);
    const known = stats.ok ? [...stats.value].filter(([, { time }]) => time !== '0:0') : [];
    return new Map(known.map(([name, { size }]) => [name, size]));
  }

  /** A blob as git writes it into this working tree, with line ends and encoding, and no filter. */
  async #asWritten(name: ByteString, blob: string): Promise<Uint8Array | null> {
    const file = Buffer.from(name, 'latin1').toString('utf8');
    const written = await git(['cat-file', '--filters', `--path=${file}`, blob], { repository: this.#own });
    return written.ok ? written.value.stdout : null;
  }
}

/** Files that a look reported. */
interface Told {
  readonly all: readonly TakenFile[];
  /** The files that may have been written since. */
  readonly suspects: () => Promise<readonly TakenFile[]>;
}

/** A file as the next look's starting point. */
export interface TakenFile {
  readonly path: ByteString;
  /** As in git; irrelevant if there is no file. */
  readonly mode: number;
  /** Null for no file. */
  readonly bytes: Uint8Array | null;
}

/** The told files for which the index has other content. */
async function writtenSince(
  told: readonly TakenFile[],
  options: GitOptions,
): Promise<Result<readonly TakenFile[]>> {
  if (told.length === 0) return ok([]);
  const names = namesAsArguments(told.map(({ path: name }) => name));
  const listed = await gitList(['ls-files', '-s', '-z', '--', ...names], options);
  if (!listed.ok) return listed;
  const entries = new Map(
    listed.value.map((entry) => {
      const [facts = '', name = ''] = entry.split('\t');
      return [name, facts.split(' ')] as const;
    }),
  );
  const isTaken = ({ path: name, mode, bytes }: TakenFile) => {
    const [taken, blob = ''] = entries.get(name) ?? [];
    if (bytes === null || taken === undefined) return bytes === null && taken === undefined;
    return (
      Number.parseInt(taken, 8) === mode &&
      blob === gitBlobName(bytes, blob.length === 64 ? 'sha256' : 'sha1')
    );
  };
  return ok(told.filter((file) => !isTaken(file)));
}

/** Puts these bytes into an index, whatever the files contain now. */
async function takeAs(files: readonly TakenFile[], options: GitOptions): Promise<Result<unknown>> {
  const [lines, gone]: [string[], string[]] = [[], []];
  for (const { path: name, mode, bytes } of files) {
    if (bytes === null) {
      gone.push(`${name}\0`);
      continue;
    }
    const how = ['hash-object', '-w', '--no-filters', '--stdin'];
    const stored = await gitWord(how, { ...options, input: bytes });
    if (!stored.ok) return stored;
    lines.push(`${mode.toString(8)} ${stored.value}\t${name}\0`);
  }
  for (const [how, entries] of [
    [['--index-info'], lines],
    [['--force-remove', '--stdin'], gone],
  ] as const) {
    if (entries.length === 0) continue;
    const input = Buffer.from(entries.join(''), 'latin1');
    const put = await git(['update-index', '-z', ...how], { ...options, input });
    if (!put.ok) return put;
  }
  return ok(null);
}

const indexIn = (folder: string) => path.join(folder, 'index');

/** An unmerged file is listed twice and counts as unknown. */
function movedFiles(rows: readonly DiffRow[]): Iterable<MovedFile> {
  const files = new Map<ByteString, MovedFile>();
  for (const { path: name, modes, blobs, status } of rows) {
    if (modes.includes(GITLINK)) continue;
    const isUnmerged = status === 'U' || files.has(name);
    files.set(name, { path: name, modes, oldBlob: isUnmerged ? null : blobs[0] });
  }
  return files.values();
}

/** Deletes the objects of an index's folder that are older than a given time and not named by the index. */
export async function sweepObjects(home: string, before: number): Promise<void> {
  const options: GitOptions = { repository: Repository.none(home), env: { GIT_DIR: path.join(home, 'git') } };
  const listed = await gitList(['ls-files', '-s', '-z'], {
    ...options,
    env: { ...options.env, GIT_INDEX_FILE: indexIn(home) },
  });
  if (!listed.ok) return;
  const named = new Set(listed.value.map((entry) => entry.split(' ')[1] ?? ''));
  const objects = path.join(home, 'git/objects');
  for (const prefix of (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of await readdir(path.join(objects, prefix))) {
      const file = path.join(objects, prefix, name);
      if (!named.has(prefix + name) && (await stat(file)).mtimeMs < before) await rm(file, { force: true });
    }
}
