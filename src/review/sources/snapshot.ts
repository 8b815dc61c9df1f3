/** A working tree as git sees it, in our own index and object store, without filters. Reports what is left out. */

import { access, constants, lstat, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '../../lib/result.ts';
import { sideBySide } from '../../lib/side-by-side.ts';
import { readRegular } from '../../platform/regular-file.ts';
import { systemCode, unlessSystemFails } from '../../platform/system-error.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import type { Setting } from '../core/git-settings.ts';
import { PATCH_MAX_FILES } from '../core/patch-model.ts';
import { TOO_MANY, withinBounds } from '../core/patch-sections.ts';
import { readQuoted } from '../core/quoted-name.ts';
import { absolutePath, FILE_MAX_BYTES } from '../files/target-files.ts';
import { DIFF_FLAGS, type GitOptions, git } from '../vcs/git.ts';
import { gitWord, namesAsInput, writeTree } from '../vcs/git-output.ts';
import { type Entry, entriesOfTree, goneLine } from '../vcs/index-entries.ts';
import { keptOtherwise } from './kept-otherwise.ts';
import { listChanges } from './list-changes.ts';
import { type AsideOptions, type ChangedFile, chooseAside, notesOn, type SetAside } from './set-aside.ts';
import { editedSubmodules } from './submodule-edits.ts';

export interface Snapshot {
  /** The tree's name in the private object store. */
  readonly tree: string;
  readonly notes: readonly string[];
  /** Files and folders that differ from the base but are not in the tree: only this working tree has them. */
  readonly left: readonly string[];
  /** Files that git lists as changed, and submodules, except those left out. */
  readonly seen: {
    readonly files: readonly ChangedFile[];
    readonly submodules: readonly ByteString[];
  };
}

export interface SnapshotPlan
  extends Pick<AsideOptions, 'top' | 'options' | 'base' | 'filters'>,
    Partial<Pick<AsideOptions, 'isWanted' | 'inPlace'>> {
  /** Compares only staged content, regardless of the disk. */
  readonly stagedOnly?: boolean;
}

const GITLINK = 0o160000;
/** About 100 bytes per file in git's index: five million files. */
const INDEX_MAX_BYTES = 512 * 1024 * 1024;
const MODULES_MAX_BYTES = 16 * 1024 * 1024;
/** A file omitted by a sparse checkout counts if it is on disk. */
const SPARSE: Setting = ['core.sparseCheckout', 'true'];
/** Files checked in parallel: most of the time is waiting. */
const FILES_AT_ONCE = 8;
/** More are written into one pack: a file per object takes ten times as long. */
const LOOSE_MAX_FILES = 100;
/** Makes every file large enough for a pack. */
const PACKED: Setting = ['core.bigFileThreshold', '1'];

/**
 * Copies an index for private use. Git assumes that a file is unchanged if it is older than the index and has the same
 * size, so a copy must not be newer than the original, or an edit in the same second would be missed.
 */
export async function copyIndex(original: string, copy: string): Promise<boolean> {
  return unlessSystemFails(
    async () => {
      await writeFile(copy, await readRegular(original, { maxBytes: INDEX_MAX_BYTES }));
      const second = Math.floor((await stat(original)).mtimeMs / 1000);
      await utimes(copy, second, second);
      return true;
    },
    false,
    ['ENOENT'],
  );
}

/** Includes everything in the working tree except ignored and unreadable files. */
export async function takeSnapshot(asked: SnapshotPlan): Promise<Result<Snapshot>> {
  const config = [...(asked.options.config ?? []), SPARSE];
  const plan = { ...asked, options: { ...asked.options, config } };
  const listed = await listChanges(plan, asked.options);
  if (!listed.ok) return listed;
  const { staged, onDisk, flagged, submodules } = listed.value;
  const { top, options, base, isWanted = () => true } = plan;
  const [fresh, tooMany] = newFiles(plan, listed.value);
  const files = [...staged, ...onDisk, ...fresh];
  const chosen = await chooseAside(files, {
    top,
    options,
    filters: plan.filters,
    isWanted,
    inPlace: plan.inPlace ?? false,
    flagged,
    base,
  });
  if (!chosen.ok) return chosen;
  const aside = new Map(chosen.value);
  for (const { name } of tooMany) aside.set(name, TOO_MANY);
  const modules = await readOrEmpty(path.join(top, '.gitmodules'));
  for (const file of files) {
    const isOwn = file.modes[0] === 0 && file.modes[1] === GITLINK && !isModule(modules, file.name);
    if (!aside.has(file.name) && isOwn) aside.set(file.name, 'a repository of its own');
  }
  const there = [...onDisk, ...fresh].filter((file) => !aside.has(file.name) && file.status !== 'D');
  const problems = await sideBySide(there, FILES_AT_ONCE, ({ name }) => unreadable(top, name));
  const taken: ByteString[] = [];
  for (const [at, { name }] of there.entries()) {
    const problem = problems[at] ?? null;
    if (problem === null) taken.push(name);
    else aside.set(name, problem);
  }
  const modes = stagedModes(plan, staged, aside);
  const written = await writeIndex(plan, { staged, onDisk, taken, aside, modes });
  if (!written.ok) return written;
  const tree = await writeTree(options);
  if (!tree.ok) return tree;
  const isLeft = (one: ByteString) => isWanted(one) && !aside.has(one);
  return ok({
    tree: tree.value,
    notes: [...notesOn(aside), ...modes.map(stagedModeNote)],
    seen: {
      files: files.filter((file) => isLeft(file.name)),
      submodules: submodules.filter(isLeft),
    },
    left: [...aside].flatMap(([name, reason]) =>
      reason === null ? [] : displayBytes(leftName(name, reason)),
    ),
  });
}

interface Listing {
  readonly staged: readonly ChangedFile[];
  readonly onDisk: readonly ChangedFile[];
  readonly fresh: readonly ChangedFile[];
}

/** New files to read, and those that a review would leave out anyway; one may be what a deleted file moved to. */
function newFiles({ inPlace, isWanted = () => true }: SnapshotPlan, { staged, onDisk, fresh }: Listing) {
  const edited = [...staged, ...onDisk];
  const wanted = fresh.filter(({ name }) => isWanted(name));
  const isBounded = inPlace === true && edited.every(({ status }) => status !== 'D');
  const most = isBounded ? Math.max(PATCH_MAX_FILES - edited.length, 0) : wanted.length;
  return [wanted.slice(0, most), wanted.slice(most)] as const;
}

const leftName = (name: ByteString, reason: string) =>
  reason === 'a repository of its own' && !name.endsWith('/') ? `${name}/` : name;

/** The patch from `base` to the working tree. */
export async function snapshotPatch(
  plan: SnapshotPlan,
): Promise<Result<{ patch: Uint8Array; notes: readonly string[]; tree: string }>> {
  const taken = await takeSnapshot(plan);
  if (!taken.ok) return taken;
  const { notes, tree, seen } = taken.value;
  const diff = await diffTo(tree, plan);
  if (!diff.ok || !plan.inPlace) return diff.ok ? ok({ patch: diff.value.patch, notes, tree }) : diff;
  const changed = new Set(diff.value.files.flat());
  const over = await passedOver(plan, {
    files: seen.files.filter(({ name }) => !changed.has(name)),
    submodules: seen.submodules,
  });
  if (!over.ok) return over;
  const { patch, left } = withinBounds(diff.value.patch);
  return ok({ patch, notes: [...notes, ...notesOn(new Map([...over.value, ...left]))], tree });
}

/** Changed files that make no difference between base and tree, with the reason in words. */
async function passedOver(
  { top, options, stagedOnly }: SnapshotPlan,
  { files, submodules }: Snapshot['seen'],
): Promise<Result<SetAside>> {
  if (stagedOnly) return ok(new Map());
  const over = new Map<ByteString, string>();
  for (const { name, onDisk, status } of files)
    if (!onDisk) over.set(name, 'staged otherwise than it is on disk; "--staged" shows that');
    else if (status === 'D' && !over.has(name)) over.set(name, 'announced by "git add -N", and not on disk');
  const edited = files.filter(({ name, status }) => status === 'M' && !over.has(name));
  const kept = await keptOtherwise(edited, top, options);
  if (!kept.ok) return kept;
  for (const name of kept.value)
    over.set(name, 'changed on disk, where git keeps none of it (line ends, or what "$Id$" stands for)');
  return ok(new Map([...over, ...(await editedSubmodules(top, submodules))]));
}

/** The patch, and the names of each file in it: both for a moved one. */
async function diffTo(tree: string, { base, options }: SnapshotPlan): Promise<Result<NamedPatch>> {
  const diff = await git(['diff', '--raw', ...DIFF_FLAGS, base, tree], options);
  if (!diff.ok) return diff;
  const named = asNamed(diff.value.stdout);
  // A file that moves to its own folder's path, or into a folder of its name, is deleted and created together.
  const isNested = named.files.some(
    ([from = '', to = '']) => from.startsWith(`${to}/`) || to.startsWith(`${from}/`),
  );
  if (!isNested) return ok(named);
  const whole = await git(['diff', ...DIFF_FLAGS, '--no-renames', base, tree], options);
  return whole.ok ? ok({ ...named, patch: whole.value.stdout }) : whole;
}

interface NamedPatch {
  readonly patch: Buffer;
  readonly files: readonly (readonly ByteString[])[];
}

/** Git lists all files before the patch, with names after a TAB. */
function asNamed(printed: Buffer): NamedPatch {
  const end = printed.indexOf('\n\n');
  const lines = printed.subarray(0, Math.max(end, 0)).toString('latin1').split('\n');
  const files = lines.map((line) =>
    line
      .split('\t')
      .slice(1)
      .map((name) => (name.startsWith('"') ? (readQuoted(name, 0)?.name ?? name) : name)),
  );
  return { patch: printed.subarray(end < 0 ? printed.length : end + 2), files };
}

interface IndexWork {
  readonly staged: readonly ChangedFile[];
  readonly onDisk: readonly ChangedFile[];
  readonly taken: readonly ByteString[];
  readonly aside: ReadonlyMap<ByteString, string | null>;
  /** Files that keep the base's mode. */
  readonly modes: readonly ChangedFile[];
}

const FILE_TYPE = 0o170000;

/** Files with a staged executable bit, in a working tree that cannot have it. */
function stagedModes(
  { stagedOnly, options }: SnapshotPlan,
  staged: readonly ChangedFile[],
  aside: IndexWork['aside'],
): readonly ChangedFile[] {
  if (stagedOnly || options.repository.readsModes) return [];
  return staged.filter(
    ({ name, blob, modes: [old, updated] }) =>
      !aside.has(name) && blob !== null && old !== updated && (old & FILE_TYPE) === (updated & FILE_TYPE),
  );
}

const stagedModeNote = ({ name }: ChangedFile) =>
  `${displayBytes(name)}: its permission to run is staged alone (core.fileMode is off); review that with --staged.`;

/** Files left out have the base's version in the index; all others have the disk's. */
async function writeIndex(plan: SnapshotPlan, work: IndexWork): Promise<Result<unknown>> {
  const { options, base } = plan;
  const lines: string[] = [];
  const back = work.staged.filter(({ name }) => work.aside.has(name));
  const kept = back.length === 0 ? ok(new Map<ByteString, Entry>()) : await entriesOfTree(base, [], options);
  if (!kept.ok) return kept;
  for (const { name } of back) {
    lines.push(goneLine(options, name));
    const entry = kept.value.get(name);
    if (entry) lines.push(`${entry.mode} ${entry.blob}\t${name}\0`);
  }
  for (const { name, blob, modes } of work.modes) lines.push(`${modes[0].toString(8)} ${blob}\t${name}\0`);
  for (const { name, status } of work.onDisk)
    if (status === 'D' && !work.aside.has(name)) lines.push(goneLine(options, name));
  if (lines.length > 0) {
    const input = Buffer.from(lines.join(''), 'latin1');
    const put = await git(['update-index', '-z', '--index-info'], { ...options, input });
    if (!put.ok) return put;
  }
  if (work.taken.length === 0) return ok(null);
  const packs = work.taken.length > LOOSE_MAX_FILES && (await packsAtOnce(options));
  return git(['update-index', '--add', '--replace', '-z', '--stdin'], {
    ...options,
    config: [...(options.config ?? []), ['core.safecrlf', 'false'], ...(packs ? [PACKED] : [])],
    input: namesAsInput(work.taken),
  });
}

/** Before 2.37, `update-index` would make one pack per file. */
async function packsAtOnce(options: GitOptions): Promise<boolean> {
  const answer = await gitWord(['version'], options);
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(answer.ok ? answer.value : '') ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 37);
}

/** Why git could not read the file, which would stop its work on all of them; null if it can. */
async function unreadable(top: string, name: ByteString): Promise<string | null> {
  const file = absolutePath(top, name);
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink() || found.isDirectory()) return null;
    if (!found.isFile()) return 'not a regular file';
    if (found.size > FILE_MAX_BYTES) return `larger than ${FILE_MAX_BYTES / 1024 / 1024} MiB`;
    await access(file, constants.R_OK);
    return null;
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    return code === 'EACCES' ? 'without permission to read it' : 'gone while it was read';
  }
}

const isModule = (modules: string, name: ByteString) =>
  modules.includes(`path = ${Buffer.from(name.replace(/\/$/, ''), 'latin1').toString()}`);

const readOrEmpty = (file: string): Promise<string> =>
  unlessSystemFails(async () => String(await readRegular(file, { maxBytes: MODULES_MAX_BYTES })), '');
