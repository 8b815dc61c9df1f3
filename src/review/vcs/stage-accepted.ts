/** Makes the index follow a review in place: stages accepted hunks on request (`git add`), unstages rejected ones. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, CR, displayBytes } from '../core/bytes.ts';
import type { FileReview } from '../core/file-review.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { asKept } from '../core/line-ends.ts';
import { isBlobNamed } from '../files/hash.ts';
import { withAccepted } from './commit-accepted.ts';
import { findCommit } from './commits.ts';
import { git } from './git.ts';
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

/** Stages what these decisions accepted; returns what failed, in words. */
export async function stageAccepted(root: string, files: readonly Decided[]): Promise<Result<string[]>> {
  const moves = files.map(({ before, after }) => ({
    from: withAccepted(before).image(),
    to: withAccepted(after).image(),
    isCopy: after.subject.operation === 'copy',
  }));
  const staged = await followInIndex(root, moves, { adds: true });
  return staged.ok ? ok(staged.value.left.map((why) => `Not staged: ${why}.`)) : staged;
}

/** What the index had for a file before a hunk was unstaged, and after; `announced`: only the name (`git add -N`). */
export type Taken = 'announced' | 'moved' | { readonly was: Entry; readonly is: Entry };

/** Unstages what these files have lost, or restages what they have regained. */
export async function followRejected(
  root: string,
  files: readonly Decided[],
  direction: 'out' | 'in',
): Promise<Result<{ readonly changed: ReadonlyMap<Decided, Taken>; readonly notes: readonly string[] }>> {
  const moves = files.map(({ before, after }) => ({
    from: before.image(),
    to: after.image(),
    isCopy: after.subject.operation === 'copy',
    base: direction === 'out' && after.image() !== null ? before.state.base : null,
    isNew: direction === 'out' && before.state.base === null,
  }));
  const done = await followInIndex(root, moves, { adds: false });
  if (!done.ok) return done;
  const changed = new Map(
    files.flatMap((file, at) => {
      const taken = done.value.changed.get(at);
      return taken === undefined ? [] : [[file, taken] as const];
    }),
  );
  return ok({ changed, notes: done.value.left.map((why) => `Still staged: ${why}.`) });
}

/** Restores what the index had, last first; returns files whose index entry has changed since. */
export async function putBackStaged(
  root: string,
  files: readonly (readonly [Decided, Taken])[],
): Promise<Result<readonly Decided[]>> {
  if (files.length === 0) return ok([]);
  const where = await openWhere(root);
  if (!where.ok) return where;
  const { prefix, options } = where.value;
  const nameOf = ({ after }: Decided) => `${prefix}${after.path()}`;
  const listed = await entriesAt([...new Set(files.map(([file]) => nameOf(file)))], options);
  if (!listed.ok) return listed;
  const blobs = files.flatMap(([, taken]) => (typeof taken === 'object' ? (taken.was?.blob ?? []) : []));
  const there = await git(['cat-file', '--batch-check'], { ...options, input: `${blobs.join('\n')}\n` });
  if (!there.ok) return there;
  const gone = new Set(there.value.stdout.toString().match(/^[0-9a-f]+(?= missing$)/gm));
  const now = new Map(listed.value);
  const entries = new Map<ByteString, Entry>();
  const others: Decided[] = [];
  for (const [file, taken] of [...files].reverse()) {
    const name = nameOf(file);
    const fits = typeof taken === 'object' && sameEntry(now.get(name) ?? null, taken.is);
    if (fits && !gone.has(taken.was?.blob ?? '')) {
      now.set(name, taken.was);
      entries.set(name, taken.was);
    } else others.unshift(file);
  }
  const updated = entries.size === 0 ? ok(null) : await updateIndex(options, [...entries]);
  return updated.ok ? ok(others) : updated;
}

/** `git add -N` for files that are on disk. */
export async function announce(root: string, files: readonly Decided[]): Promise<Result<unknown>> {
  const names = files.flatMap(({ after }) => after.image()?.path ?? []);
  const where = names.length === 0 ? null : await openWhere(root);
  if (where === null || !where.ok) return where ?? ok(null);
  const { prefix, options } = where.value;
  return gitOnIndex(['add', '--force', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'], {
    ...options,
    input: Buffer.from(names.map((name) => `${prefix}${name}\0`).join(''), 'latin1'),
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

/** The moves that changed the index, by position in the list, and why others did not. */
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
    if (next.ok && next.value.length > 0) {
      changed.set(at, takenBy(move, next.value, staged));
      for (const [name, entry] of next.value) {
        entries.set(name, entry);
        staged.set(name, entry);
      }
    } else if (!next.ok) {
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

function takenBy({ to }: Move, entries: Entries, staged: Known['staged']): Taken {
  const [[name = '', is = null] = [], ...more] = entries;
  const was = staged.get(name) ?? null;
  if (more.length > 0) return 'moved';
  return to === null && was?.announced ? 'announced' : { was, is };
}

const otherwise = ({ path }: FileImage) =>
  fail('refused', `${displayBytes(path)}: what is staged differs where the hunk is.`);

const isKeptAs = ({ bytes, executable, type }: FileImage, { blob, mode }: NonNullable<Entry>) =>
  [bytes, asKept(bytes)].some((kept) => isBlobNamed(kept, blob)) &&
  (type !== 'file' || (mode === '100755') === executable);

const differing = (entries: Entries, staged: ReadonlyMap<ByteString, Entry>): Entries =>
  entries.filter(([name, entry]) => !sameEntry(staged.get(name) ?? null, entry));
