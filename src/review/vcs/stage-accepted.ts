/** Makes the index follow a review in place: stages accepted hunks on request (`git add`), unstages rejected ones. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, CR, displayBytes } from '../core/bytes.ts';
import type { FileReview } from '../core/file-review.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { asKept } from '../core/line-ends.ts';
import { isBlobNamed } from '../files/hash.ts';
import { absolutePath, lstatOrNull } from '../files/target-files.ts';
import { withAccepted } from './commit-accepted.ts';
import { findCommit } from './commits.ts';
import { type GitOptions, git } from './git.ts';
import { namesAsInput } from './git-output.ts';
import {
  type Entry,
  entriesAt,
  entryAt,
  gitOnIndex,
  openWhere,
  sameEntry,
  storeImage,
  updateIndex,
  type Where,
  withOurs,
} from './index-entries.ts';

/** A file before and after a command, and the hunks decided in it. */
export interface Decided {
  readonly before: FileReview;
  readonly after: FileReview;
  readonly ids: readonly string[];
}

/** A file from one state to another. */
interface Move {
  readonly from: FileImage | null;
  readonly to: FileImage | null;
  readonly isCopy: boolean;
  /** The file without any hunk: if the index has this, none is staged. */
  readonly base?: FileImage | null;
  /** The whole file is new, whatever is staged of it. */
  readonly isNew?: boolean;
}

type Entries = readonly (readonly [ByteString, Entry])[];
const NOTHING: Result<Entries> = ok([]);

/**
 * Names in the index that a hunk changed, with what they had before and after; none if the index was right already.
 * `together`: changed with other hunks, so it can only be merged out again.
 */
export type Taken = 'together' | readonly (readonly [name: ByteString, was: Entry, is: Entry])[];

/**
 * Stages what these decisions accepted. Returns what failed, in words, and what each step changed: a step is one hunk
 * where something of the file was staged before, else all of them.
 */
export async function stageAccepted(
  root: string,
  files: readonly Decided[],
): Promise<Result<{ readonly steps: ReadonlyMap<Decided, Taken>; readonly notes: readonly string[] }>> {
  const where = files.length === 0 ? null : await openWhere(root);
  if (where === null || !where.ok) return where ?? ok({ steps: new Map(), notes: [] });
  const { prefix, options } = where.value;
  const accepted = files.map((file) => ({ file, ...acceptedImages(file) }));
  const names = accepted.flatMap(({ from, to }) => [from, to].flatMap((image) => image?.path ?? []));
  const listed = await entriesAt(
    [...new Set(names)].map((name) => `${prefix}${name}`),
    options,
  );
  if (!listed.ok) return listed;
  const entryOf = (image: FileImage | null) =>
    (image === null ? null : listed.value.get(`${prefix}${image.path}`)) ?? null;
  const steps = accepted.flatMap(({ file, from, to }) => {
    const [old, target] = [entryOf(from), entryOf(to)];
    const isKept = old === null ? from === null : from !== null && isKeptAs(from, old);
    const isClean = isKept && (target === null || from?.path === to?.path);
    return isClean ? [file] : hunkByHunk(file);
  });
  const moves = steps.map((step) => ({ ...acceptedImages(step), isCopy: isCopied(step) }));
  const staged = await followInIndex(root, moves, { adds: true });
  if (!staged.ok) return staged;
  const { changed, left } = staged.value;
  return ok({
    steps: new Map(steps.flatMap((step, at) => (changed.has(at) ? [[step, changed.get(at) ?? []]] : []))),
    notes: left.map((why) => `Not staged: ${why}.`),
  });
}

const acceptedImages = ({ before, after }: Decided) => ({
  from: withAccepted(before).image(),
  to: withAccepted(after).image(),
});

const isCopied = ({ after }: Pick<Decided, 'after'>) => after.subject.operation === 'copy';

/** The file with one more decided hunk at each step. */
function hunkByHunk({ before, after, ids }: Decided): Decided[] {
  const some = byHunk(ids);
  const states = some.map((_, at) => after.untouched(new Set(some.slice(at + 1).flat())));
  return some.map((now, at) => ({ before: states[at - 1] ?? before, after: states[at] ?? after, ids: now }));
}

/** Most hunks of one file and command to handle one by one; more are handled together. */
const HUNKS_MAX = 100;

/** The hunks one by one, or all together if they are many. */
export const byHunk = (ids: readonly string[]): (readonly string[])[] =>
  ids.length === 0 ? [] : ids.length > HUNKS_MAX ? [ids] : ids.map((id) => [id]);

/** Unstages what these files have lost, or restages what they have regained. */
export async function followRejected(
  root: string,
  files: readonly Decided[],
  direction: 'out' | 'in',
): Promise<Result<{ readonly changed: ReadonlyMap<Decided, Taken>; readonly notes: readonly string[] }>> {
  const moves = files.map(({ before, after }) => ({
    from: before.image(),
    to: after.image(),
    isCopy: isCopied({ after }),
    base: direction === 'out' && after.image() !== null ? before.state.base : null,
    isNew: direction === 'out' && before.state.base === null,
  }));
  const done = await followInIndex(root, moves, { adds: false });
  if (!done.ok) return done;
  const changed = new Map(
    files.flatMap((file, at) => {
      const taken = done.value.changed.get(at);
      return taken === undefined || taken.length === 0 ? [] : [[file, taken] as const];
    }),
  );
  return ok({ changed, notes: done.value.left.map((why) => `Still staged: ${why}.`) });
}

/** Restores what the index had, last first; returns files whose index entries have changed since. */
export async function putBackStaged(
  root: string,
  files: readonly (readonly [Decided, Taken])[],
): Promise<Result<readonly Decided[]>> {
  const known = files.flatMap(([, taken]) => (taken === 'together' ? [] : taken));
  const names = new Set(known.map(([name]) => name));
  const where = names.size === 0 ? null : await openWhere(root);
  if (where === null) return ok(files.flatMap(([file, taken]) => (taken === 'together' ? file : [])));
  if (!where.ok) return where;
  const { options } = where.value;
  const listed = await entriesAt([...names], options);
  if (!listed.ok) return listed;
  const blobs = known.flatMap(([, was]) => was?.blob ?? []);
  const there = await git(['cat-file', '--batch-check'], { ...options, input: `${blobs.join('\n')}\n` });
  if (!there.ok) return there;
  const gone = new Set(there.value.stdout.toString().match(/^[0-9a-f]+(?= missing$)/gm));
  const now = new Map(listed.value);
  const entries = new Map<ByteString, Entry>();
  const isPutBack = ([, taken]: (typeof files)[number]) => {
    if (taken === 'together') return false;
    if (taken.some(([name, was, is]) => gone.has(was?.blob ?? '') || !sameEntry(now.get(name) ?? null, is)))
      return false;
    for (const [name, was] of taken) {
      now.set(name, was);
      entries.set(name, was);
    }
    return true;
  };
  // In whatever order they were changed: each restored one may make another fit.
  let left = files.toReversed();
  for (let count = -1; count !== left.length; ) {
    count = left.length;
    left = left.filter((one) => !isPutBack(one));
  }
  const updated = await writeEntries([...entries], options);
  return updated.ok ? ok(left.map(([file]) => file).reverse()) : updated;
}

/** Writes entries into the index. Only `git add -N` can announce a file, and only one that is on disk. */
async function writeEntries(entries: Entries, options: GitOptions): Promise<Result<unknown>> {
  if (entries.length === 0) return ok(null);
  const announced = entries.flatMap(([name, entry]) => (entry?.announced ? name : []));
  const { top } = options.repository;
  const there = await Promise.all(announced.map((name) => lstatOrNull(absolutePath(top, name))));
  const names = announced.filter((_, at) => there[at] != null);
  const updated = await updateIndex(
    options,
    entries.map(([name, entry]) => [name, entry?.announced ? null : entry] as const),
  );
  if (!updated.ok || names.length === 0) return updated;
  return gitOnIndex(['add', '--force', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...options,
    input: namesAsInput(names),
  });
}

/**
 * If a file's size differs from the noted one, git calls it changed without looking. If line ends or idents may now be
 * written differently, the note is dropped, so that git looks into the file.
 */
export async function dropSizes(root: string, files: readonly Decided[]): Promise<Result<unknown>> {
  const images = files.flatMap(({ before, after }) => {
    const image = after.image();
    return image === null || !isConverted(image) || sameImage(before.image(), image) ? [] : [image];
  });
  const where = images.length === 0 ? null : await openWhere(root);
  if (where === null || !where.ok) return where ?? ok(null);
  const { prefix, options } = where.value;
  const names = images.map(({ path }) => `${prefix}${path}`);
  const listed = await entriesAt(names, options);
  if (!listed.ok) return listed;
  const known = names.flatMap((name) => {
    const entry = listed.value.get(name) ?? null;
    return entry === null || entry.announced ? [] : [[name, entry] as const];
  });
  return known.length === 0 ? ok(null) : updateIndex(options, known);
}

const isConverted = ({ type, bytes }: FileImage) =>
  type === 'file' &&
  (bytes.includes(CR) || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('$Id'));

/** What each move changed in the index, by its position in the list, and why others could not. */
interface InIndex {
  readonly changed: ReadonlyMap<number, Taken>;
  readonly left: readonly string[];
}

async function followInIndex(
  root: string,
  all: readonly Move[],
  { adds }: { readonly adds: boolean },
): Promise<Result<InIndex>> {
  const changed = new Map<number, Taken>();
  const left: string[] = [];
  const moves = all.flatMap((move, at) => (sameImage(move.from, move.to) ? [] : [{ ...move, at }]));
  if (moves.length === 0) return ok({ changed, left });
  const where = await openWhere(root);
  if (!where.ok) return where;
  const { prefix, options } = where.value;
  const names = moves.flatMap(({ from, to, base }) => [from, to, base].flatMap((image) => image?.path ?? []));
  const listed = await entriesAt(
    [...new Set(names)].map((name) => `${prefix}${name}`),
    options,
  );
  if (!listed.ok) return listed;
  // Several moves may be in one file: each continues from the previous one.
  const staged = new Map(listed.value);
  const entries = new Map<ByteString, Entry>();
  for (const { at, ...move } of moves) {
    const next = await entriesFor(move, { where: where.value, staged, adds });
    if (next.ok) {
      changed.set(
        at,
        next.value.map(([name, entry]) => [name, staged.get(name) ?? null, entry] as const),
      );
      for (const [name, entry] of next.value) {
        entries.set(name, entry);
        staged.set(name, entry);
      }
    } else {
      const name = displayBytes((move.to ?? move.from)?.path ?? '');
      left.push(
        /filter/.test(next.error.message)
          ? next.error.message.replace(/\.$/, '')
          : `${name}: what is staged differs where the hunk is`,
      );
    }
  }
  const updated = entries.size === 0 ? ok(null) : await updateIndex(options, [...entries]);
  return updated.ok ? ok({ changed, left }) : updated;
}

interface Known {
  readonly where: Where;
  readonly staged: ReadonlyMap<ByteString, Entry>;
  /** Adds what the index does not have. */
  readonly adds: boolean;
}

/** The index entries that the move changes; none if the index is already right. */
async function entriesFor(move: Move, known: Known): Promise<Result<Entries>> {
  const { from, to, isCopy, base = null, isNew = false } = move;
  const { where, staged, adds } = known;
  const nameOf = (image: FileImage) => `${where.prefix}${image.path}`;
  const entryOf = (image: FileImage | null) => (image === null ? null : (staged.get(nameOf(image)) ?? null));
  const [old, target] = [entryOf(from), entryOf(to)];
  if (to === null) {
    if (from === null || old === null) return NOTHING;
    if (isNew || old.announced) return ok([[nameOf(from), null]]);
    const gone = await withOurs(old, from, null, where);
    return gone.ok ? ok([[nameOf(from), null]]) : gone;
  }
  if (old?.announced && !adds) return NOTHING;
  // For a file that is new as a whole, an empty or older version may be staged.
  if (from === null || (isCopy && old !== null && from.path !== to.path)) {
    if (target !== null && !adds) return isKeptAs(to, target) ? NOTHING : otherwise(to);
    const stored = await storeImage(to, to.bytes, where);
    return stored.ok ? ok(differing([[nameOf(to), stored.value]], staged)) : stored;
  }
  const entry = old ?? target;
  // An unstaged rename: the old name still has the file.
  const kept = target ?? (entry === null ? entryOf(base) : null);
  if (base !== null && kept !== null && isKeptAs(base, kept)) return NOTHING;
  if (entry === null && !adds) {
    const committed = base === null ? ok(null) : await committedAt(nameOf(to), where);
    // Staged as deleted; a file that is in no commit either was never staged.
    if (!committed.ok) return committed;
    return committed.value === null ? NOTHING : otherwise(to);
  }
  const next = await withOurs(entry, from, to, where);
  if (!next.ok) return next;
  const moved: Entries = from.path === to.path || isCopy ? [] : [[nameOf(from), null]];
  return ok(differing([...moved, [nameOf(to), next.value]], staged));
}

async function committedAt(name: ByteString, { options }: Where): Promise<Result<Entry>> {
  const head = await findCommit(options, 'HEAD');
  return head.ok ? entryAt(head.value, name, options) : head;
}

const otherwise = ({ path }: FileImage) =>
  fail('refused', `${displayBytes(path)}: what is staged differs where the hunk is.`);

const isKeptAs = ({ bytes, executable, type }: FileImage, { blob, mode }: NonNullable<Entry>) =>
  [bytes, asKept(bytes)].some((kept) => isBlobNamed(kept, blob)) &&
  (type !== 'file' || (mode === '100755') === executable);

const differing = (entries: Entries, staged: ReadonlyMap<ByteString, Entry>): Entries =>
  entries.filter(([name, entry]) => !sameEntry(staged.get(name) ?? null, entry));
