/**
 * The index follows the decisions of a review in place. `git add` of accepted hunks, and of nothing else, where that is
 * asked for; a hunk that is rejected goes out of the index too. What else is staged of the same file stays as it is.
 */
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteString, displayBytes } from '../core/bytes.ts';
import type { FileReview } from '../core/file-review.ts';
import { type FileImage, sameImage } from '../core/file-state.ts';
import { withLf } from '../core/line-ends.ts';
import { gitBlobName } from '../files/hash.ts';
import { withAccepted } from './commit-accepted.ts';
import {
  type Entry,
  entriesAt,
  openWhere,
  storeImage,
  updateIndex,
  type Where,
  withOurs,
} from './index-entries.ts';

/** A file before and after a command, and what was decided on in it. */
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
  /** Without any hunk: where the index has this, none of them is staged. */
  readonly base?: FileImage | null;
}

type Entries = readonly (readonly [ByteString, Entry])[];
const NO_BYTES = new Uint8Array(0);
const NOTHING: Result<Entries> = ok([]);

/** Stages what these decisions have accepted; gives what could not be, in words. */
export async function stageAccepted(root: string, files: readonly Decided[]): Promise<Result<string[]>> {
  const moves = files.map(({ before, after }) => ({
    from: withAccepted(before).image(),
    to: withAccepted(after).image(),
    isCopy: after.subject.operation === 'copy',
  }));
  const staged = await followInIndex(root, moves, { adds: true });
  return staged.ok ? ok(staged.value.left.map((why) => `Not staged: ${why}.`)) : staged;
}

/** Takes what these files have lost out of the index, or puts in what they have got again; gives the files that changed there. */
export async function followRejected(
  root: string,
  files: readonly Decided[],
  direction: 'out' | 'in',
): Promise<Result<{ readonly changed: ReadonlySet<Decided>; readonly notes: readonly string[] }>> {
  const moves = files.map(({ before, after }) => ({
    from: before.image(),
    to: after.image(),
    isCopy: after.subject.operation === 'copy',
    base: direction === 'out' && after.image() !== null ? before.state.base : null,
  }));
  const done = await followInIndex(root, moves, { adds: false });
  if (!done.ok) return done;
  const changed = new Set(files.filter((_, at) => done.value.changed.has(at)));
  return ok({ changed, notes: done.value.left.map((why) => `Still staged: ${why}.`) });
}

async function followInIndex(
  root: string,
  all: readonly Move[],
  { adds }: { readonly adds: boolean },
): Promise<Result<{ readonly changed: ReadonlySet<number>; readonly left: readonly string[] }>> {
  const changed = new Set<number>();
  const left: string[] = [];
  const moves = all.flatMap((move, at) => (sameImage(move.from, move.to) ? [] : [{ ...move, at }]));
  if (moves.length === 0) return ok({ changed, left });
  const where = await openWhere(root);
  if (!where.ok) return where;
  const { prefix, options } = where.value;
  const names = moves.flatMap(({ from, to }) => [from, to].flatMap((image) => image?.path ?? []));
  const listed = await entriesAt(
    [...new Set(names)].map((name) => `${prefix}${name}`),
    options,
  );
  if (!listed.ok) return listed;
  // Several moves may be of one file: each goes on from what the one before it has left.
  const staged = new Map(listed.value);
  const entries = new Map<ByteString, Entry>();
  for (const { at, ...move } of moves) {
    const next = await entriesFor(move, { where: where.value, staged, adds });
    if (next.ok && next.value.length > 0) {
      for (const [name, entry] of next.value) {
        entries.set(name, entry);
        staged.set(name, entry);
      }
      changed.add(at);
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
  /** What the index does not have comes into it. */
  readonly adds: boolean;
}

/** The entries that the move changes in the index; none where that is as it should be. */
async function entriesFor({ from, to, isCopy, base = null }: Move, known: Known): Promise<Result<Entries>> {
  const { where, staged, adds } = known;
  const nameOf = (image: FileImage) => `${where.prefix}${image.path}`;
  const entryOf = (image: FileImage | null) => (image === null ? null : (staged.get(nameOf(image)) ?? null));
  const [old, neu] = [entryOf(from), entryOf(to)];
  if (to === null) {
    // An entry without content announces a file, and stages nothing of it.
    if (from === null || old === null || (old.blob === gitBlobName(NO_BYTES) && from.bytes.length > 0))
      return NOTHING;
    const gone = await withOurs(old, from, null, where);
    return gone.ok ? ok([[nameOf(from), null]]) : gone;
  }
  // A file that is new as a whole: an empty or an older version of it may be staged.
  if (from === null || (isCopy && old !== null && from.path !== to.path)) {
    if (neu !== null && !adds) return isKeptAs(to, neu) ? NOTHING : otherwise(to);
    const stored = await storeImage(to, to.bytes, where);
    return stored.ok ? ok(differing([[nameOf(to), stored.value]], staged)) : stored;
  }
  const entry = old ?? neu;
  if (entry === null && !adds) return base === null ? NOTHING : otherwise(to);
  if (base !== null && neu !== null && isKeptAs(base, neu)) return NOTHING;
  const next = await withOurs(entry, from, to, where);
  if (!next.ok) return next;
  const moved: Entries = from.path === to.path || isCopy ? [] : [[nameOf(from), null]];
  return ok(differing([...moved, [nameOf(to), next.value]], staged));
}

const otherwise = ({ path }: FileImage) =>
  fail('refused', `${displayBytes(path)}: what is staged differs where the hunk is.`);

const isKeptAs = ({ bytes, executable, type }: FileImage, { blob, mode }: NonNullable<Entry>) =>
  [bytes, withLf(bytes)].some((kept) => gitBlobName(kept) === blob) &&
  (type !== 'file' || (mode === '100755') === executable);

const differing = (entries: Entries, staged: ReadonlyMap<ByteString, Entry>): Entries =>
  entries.filter(([name, entry]) => {
    const known = staged.get(name) ?? null;
    return known?.blob !== entry?.blob || known?.mode !== entry?.mode;
  });
