/**
 * A working tree as git sees it, taken through an index and an object store of our own: nothing of the repository is
 * written, and no filter runs. What cannot be taken so (repositories inside, files that Git LFS keeps) is left out
 * and named.
 */
import { createHash } from 'node:crypto';
import { lstat, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fail, ok, type Result } from '../../lib/result.ts';
import { readRegular, streamRegular } from '../../platform/regular-file.ts';
import { displayBytes } from '../core/bytes.ts';
import type { Setting } from '../core/git-settings.ts';
import { absolutePath, systemCode } from '../files/target-files.ts';
import { DIFF_FLAGS, type GitOptions, git } from '../vcs/git.ts';

export interface Snapshot {
  /** The tree's name in the private object store. */
  readonly tree: string;
  readonly notes: readonly string[];
  /** Files and folders that differ from the base and are not in the tree: they stand in this working tree alone. */
  readonly left: readonly string[];
}

export interface SnapshotPlan {
  /** The top folder of the working tree. */
  readonly top: string;
  /** Git runs with an index and an object store that are ours. */
  readonly options: GitOptions;
  /** The tree or commit to compare with. */
  readonly base: string;
}

/** Repositories without a commit inside a working tree, each found by a run that fails. */
const EMPTY_REPOSITORIES_MAX = 20;
/** Names in one note. */
const NAMED_MAX = 5;
/** Files of Git LFS larger than this are compared by their size alone. */
const LFS_HASH_MAX_BYTES = 64 * 1024 * 1024;
const POINTER_MAX_BYTES = 1024;
/** Git names some 100 bytes a file in its index: five million files. */
const INDEX_MAX_BYTES = 512 * 1024 * 1024;
/** Of `.gitattributes` and `.gitmodules`; git itself ignores larger attributes. */
const ATTRIBUTES_MAX_BYTES = 100 * 1024 * 1024;

/**
 * Copies an index for private use. Git takes a file that is no younger than the index for unchanged, if its size is
 * the same: a copy must not be younger than what it is a copy of, or an edit in the same second would be missed.
 */
export async function copyIndex(original: string, copy: string): Promise<boolean> {
  try {
    await writeFile(copy, await readRegular(original, { maxBytes: INDEX_MAX_BYTES }));
    const second = Math.floor((await stat(original)).mtimeMs / 1000);
    await utimes(copy, second, second);
    return true;
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw thrown;
    return false;
  }
}

/** Takes everything in the working tree but what is ignored. */
export async function takeSnapshot(plan: SnapshotPlan): Promise<Result<Snapshot>> {
  const lfs = await setLfsAside(plan);
  if (!lfs.ok) return lfs;
  const added = await addAll(plan);
  if (!added.ok) return added;
  const inner = await dropInnerRepositories(plan);
  if (!inner.ok) return inner;
  const nested = [...added.value, ...inner.value];
  const tree = await git(['write-tree'], plan.options);
  if (!tree.ok) return tree;
  return ok({
    tree: tree.value.stdout.toString().trim(),
    notes: [
      ...noteOn(lfs.value, 'kept by Git LFS; the change is not part of the suggestion.'),
      ...noteOn(nested, 'a repository of its own; its files are not part of the suggestion.'),
    ],
    left: [...lfs.value, ...nested.map((name) => `${name}/`)],
  });
}

/** The patch from `base` to what the working tree holds. */
export async function snapshotPatch(
  plan: SnapshotPlan,
): Promise<Result<{ patch: Uint8Array; notes: readonly string[] }>> {
  const taken = await takeSnapshot(plan);
  if (!taken.ok) return taken;
  const diff = await git(['diff', ...DIFF_FLAGS, plan.base, taken.value.tree], plan.options);
  return diff.ok ? ok({ patch: diff.value.stdout, notes: taken.value.notes }) : diff;
}

const noteOn = (names: readonly string[], what: string) =>
  names.length === 0 ? [] : [`${listed(names)}: ${what}`];

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(', ');
  return names.length <= NAMED_MAX ? shown : `${shown} and ${names.length - NAMED_MAX} more`;
}

/** Adds all; gives the inner repositories that git refuses because they have no commit. */
async function addAll({ options }: SnapshotPlan): Promise<Result<string[]>> {
  const config: readonly Setting[] = [
    ...(options.config ?? []),
    ['advice.addEmbeddedRepo', 'false'],
    ['core.safecrlf', 'false'],
    // A submodule is compared by its commit; looking for changes inside would run git with its configuration.
    ['diff.ignoreSubmodules', 'dirty'],
  ];
  const skipped: string[] = [];
  for (;;) {
    const paths = ['.', ...skipped.map((name) => `:(top,exclude,literal)${name}`)];
    const magic = skipped.length === 0 ? [] : ['--no-literal-pathspecs'];
    const added = await git([...magic, 'add', '--all', '--ignore-errors', ...paths], { ...options, config });
    if (added.ok) return ok(skipped);
    const empty = [...added.error.message.matchAll(/'(.+?)\/' does not have a commit checked out/g)];
    if (empty.length === 0 || skipped.length >= EMPTY_REPOSITORIES_MAX) return added;
    skipped.push(...empty.flatMap(([, name]) => name ?? []));
  }
}

/** Takes repositories out of the index that no `.gitmodules` names: they would come as commits that nobody else has. */
async function dropInnerRepositories({ top, options, base }: SnapshotPlan): Promise<Result<string[]>> {
  const raw = await git(
    ['diff', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=dirty', base],
    options,
  );
  if (!raw.ok) return raw;
  const words = raw.value.stdout.toString('latin1').split('\0');
  const found: string[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    if (/^:000000 160000 /.test(words[i] ?? '')) found.push(words[i + 1] ?? '');
  }
  if (found.length === 0) return ok([]);
  const modules = await readOrEmpty(path.join(top, '.gitmodules'));
  const inner = found.filter((name) => !modules.includes(`path = ${Buffer.from(name, 'latin1').toString()}`));
  if (inner.length === 0) return ok([]);
  const lines = inner.map((name) => `0 ${'0'.repeat(40)}\t${name}\0`).join('');
  const dropped = await git(['update-index', '-z', '--index-info'], {
    ...options,
    input: Buffer.from(lines, 'latin1'),
  });
  return dropped.ok ? ok(inner.map(displayBytes)) : dropped;
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return String(await readRegular(file, { maxBytes: ATTRIBUTES_MAX_BYTES }));
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return '';
  }
}

interface LfsFile {
  readonly name: string;
  readonly blob: string;
}

/**
 * Files that the repository keeps as pointers of Git LFS: their filter does not run, so that every one would look
 * changed. They are left as the base has them; gives those that did change.
 */
async function setLfsAside(plan: SnapshotPlan): Promise<Result<string[]>> {
  const files = await lfsFiles(plan);
  if (!files.ok || files.value.length === 0) return files.ok ? ok([]) : files;
  const pointers = await readPointers(plan.options, files.value);
  if (!pointers.ok) return pointers;
  const names = [...pointers.value.keys()];
  if (names.length === 0) return ok([]);
  const kept = await git(['update-index', '--assume-unchanged', '-z', '--stdin'], {
    ...plan.options,
    input: Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1'),
  });
  if (!kept.ok) return kept;
  const changed: string[] = [];
  for (const [name, pointer] of pointers.value) {
    if (await differs(plan.top, name, pointer)) changed.push(displayBytes(name));
  }
  return ok(changed);
}

async function lfsFiles(plan: SnapshotPlan): Promise<Result<LfsFile[]>> {
  const { options } = plan;
  const isUsed = await mayUseLfs(plan);
  if (!isUsed.ok || !isUsed.value) return isUsed.ok ? ok([]) : isUsed;
  const staged = await git(['ls-files', '-s', '-z'], options);
  if (!staged.ok) return staged;
  const files: LfsFile[] = [];
  for (const entry of staged.value.stdout.toString('latin1').split('\0')) {
    const match = /^100\d{3} ([0-9a-f]+) 0\t(.*)$/s.exec(entry);
    if (match?.[1] !== undefined && match[2] !== undefined) files.push({ name: match[2], blob: match[1] });
  }
  const checked = await git(['check-attr', '-z', '--stdin', 'filter'], {
    ...options,
    input: Buffer.from(files.map(({ name }) => `${name}\0`).join(''), 'latin1'),
  });
  if (!checked.ok) return checked;
  const words = checked.value.stdout.toString('latin1').split('\0');
  const lfs = new Set<string>();
  for (let i = 0; i + 2 < words.length; i += 3) if (words[i + 2] === 'lfs') lfs.add(words[i] ?? '');
  return ok(files.filter(({ name }) => lfs.has(name)));
}

/** Some file of attributes names Git LFS: only then are all files listed, which takes long where there are many. */
async function mayUseLfs({ top, options }: SnapshotPlan): Promise<Result<boolean>> {
  const listed = await git(
    ['--no-literal-pathspecs', 'ls-files', '-z', '--', ':(top,glob)**/.gitattributes'],
    options,
  );
  if (!listed.ok) return listed;
  const names = listed.value.stdout.toString('latin1').split('\0').filter(Boolean);
  const texts = await Promise.all(names.map((name) => readOrEmpty(absolutePath(top, name).toString('utf8'))));
  return ok(texts.some((text) => text.includes('filter=lfs')));
}

interface Pointer {
  readonly oid: string;
  readonly size: number;
}

/** Those files whose blob is a pointer. */
async function readPointers(
  options: GitOptions,
  files: readonly LfsFile[],
): Promise<Result<ReadonlyMap<string, Pointer>>> {
  const pointers = new Map<string, Pointer>();
  const sizes = await git(['cat-file', '--batch-check=%(objectsize)'], {
    ...options,
    input: `${files.map(({ blob }) => blob).join('\n')}\n`,
  });
  if (!sizes.ok) return sizes;
  const lengths = sizes.value.stdout.toString().split('\n').map(Number);
  const small = files.filter((_, i) => (lengths[i] ?? Number.NaN) <= POINTER_MAX_BYTES);
  if (small.length === 0) return ok(pointers);
  const contents = await git(['cat-file', '--batch=%(objectsize)'], {
    ...options,
    input: `${small.map(({ blob }) => blob).join('\n')}\n`,
  });
  if (!contents.ok) return contents;
  let at = 0;
  const bytes = contents.value.stdout;
  for (const { name } of small) {
    const line = bytes.indexOf(0x0a, at);
    const size = Number(bytes.subarray(at, line).toString());
    if (line < 0 || !Number.isInteger(size))
      return fail('refused', 'git could not read a pointer of Git LFS.');
    const pointer = parsePointer(bytes.subarray(line + 1, line + 1 + size).toString('latin1'));
    if (pointer !== null) pointers.set(name, pointer);
    at = line + 1 + size + 1;
  }
  return ok(pointers);
}

function parsePointer(text: string): Pointer | null {
  if (!text.startsWith('version https://git-lfs.github.com/spec/')) return null;
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d+)$/m.exec(text)?.[1];
  return oid === undefined || size === undefined ? null : { oid, size: Number(size) };
}

/** The file on disk is neither the pointer's content nor a pointer to it. */
async function differs(top: string, name: string, { oid, size }: Pointer): Promise<boolean> {
  const file = absolutePath(top, name);
  try {
    const found = await lstat(file);
    if (!found.isFile()) return true;
    if (found.size <= POINTER_MAX_BYTES) {
      const pointer = parsePointer(
        (await readRegular(file, { maxBytes: POINTER_MAX_BYTES })).toString('latin1'),
      );
      if (pointer !== null) return pointer.oid !== oid;
    }
    if (found.size !== size) return true;
    if (found.size > LFS_HASH_MAX_BYTES) return false;
    const digest = createHash('sha256');
    await pipeline(streamRegular(file, { maxBytes: LFS_HASH_MAX_BYTES }), digest);
    return digest.digest('hex') !== oid;
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    return true;
  }
}
