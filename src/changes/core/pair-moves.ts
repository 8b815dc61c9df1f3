/** Reports a deleted file and an added one with the same or a similar text as a rename, as git does. Pure. */
import { sameBytes } from '../../review/core/bytes.ts';
import type { AttributedFile } from './attribute.ts';
import { hunksOf } from './change-hunks.ts';
import { linesOf } from './file-text.ts';
import { scriptBetween } from './known-lines.ts';
import type { FileChange, HunkOrigin } from './turn-edits.ts';

/** The most pairs of texts compared: in a turn with more moves, only equal ones are paired. */
const COMPARED_MAX = 1_000;

/** The file with both names as one, if looks saw it under both: its lines then keep their authors. */
export type AsOne = (from: string, to: string) => AttributedFile | null;

/** The files with renames, if exactly one deleted file can be the old one. */
export function pairMoves(files: readonly AttributedFile[], asOne: AsOne): readonly AttributedFile[] {
  const deleted = files.filter(({ review }) => review?.before?.bytes != null && review.after === null);
  const equal = paired(files, deleted, { asOne, isFrom: (from, bytes) => sameBytes(textOf(from), bytes) });
  const left = equal.filter((file) => deleted.includes(file) && !file.change.binary);
  const come = equal.filter(({ review }) => review?.before === null && review.after !== null);
  return left.length * come.length > COMPARED_MAX ? equal : paired(equal, left, { asOne, isFrom: isSimilar });
}

const textOf = ({ review }: AttributedFile, side: 'before' | 'after' = 'before') =>
  review?.[side]?.bytes ?? new Uint8Array(0);

function paired(
  files: readonly AttributedFile[],
  deleted: readonly AttributedFile[],
  {
    asOne,
    isFrom,
  }: {
    readonly asOne: AsOne;
    readonly isFrom: (from: AttributedFile, bytes: Uint8Array) => boolean;
  },
): readonly AttributedFile[] {
  const taken = new Set<AttributedFile>();
  const moved = files.map((file) => {
    const bytes = file.review?.before === null ? file.review.after?.bytes : null;
    if (bytes == null || bytes.length === 0) return file;
    const [from, another] = deleted.filter((one) => !taken.has(one) && isFrom(one, bytes));
    if (from === undefined || another !== undefined) return file;
    taken.add(from);
    return renamed(from, file, asOne);
  });
  return moved.filter((file) => !taken.has(file));
}

/** Half of the larger text is in the other, as in git. */
function isSimilar(from: AttributedFile, bytes: Uint8Array): boolean {
  const old = textOf(from);
  const larger = Math.max(old.length, bytes.length);
  if (2 * Math.min(old.length, bytes.length) < larger) return false;
  const counts = new Map<string, number>();
  for (const line of linesOf({ bytes: old })) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of linesOf({ bytes })) {
    const left = counts.get(line) ?? 0;
    if (left > 0) common += line.length;
    counts.set(line, left - 1);
  }
  return 2 * common >= larger;
}

function renamed(from: AttributedFile, to: AttributedFile, asOne: AsOne): AttributedFile {
  const [before, after] = [from.review?.before ?? null, to.review?.after ?? null];
  const deletedBy = authorsOf(from.change);
  // Who moved it is known; the time of a later edit would hide that.
  const told = deletedBy.includes('unknown') ? null : asOne(from.change.path, to.change.path);
  if (told?.change.kind === 'rename' && told.review !== null) {
    const wholeBy = [...new Set([...(told.change.wholeBy ?? []), ...deletedBy])];
    return { ...told, change: { ...told.change, wholeBy } };
  }
  const authors = [...new Set([...deletedBy, ...authorsOf(to.change)])];
  const by =
    (['unknown', 'command', 'tool'] as const).find((author) => authors.includes(author)) ?? 'unknown';
  const lines = (text: Uint8Array) => linesOf({ bytes: text }).map((line) => ({ text: line, by }));
  const isText = !from.change.binary && !to.change.binary;
  const change: FileChange = {
    ...to.change,
    kind: 'rename',
    movedFrom: from.change.path,
    before: { bytes: textOf(from) },
    modes: [before?.mode ?? 0, after?.mode ?? 0],
    hunks: isText ? hunksOf(scriptBetween(lines(textOf(from)), lines(textOf(to, 'after')))) : [],
    wholeBy: authors,
  };
  return { change, review: { before, after } };
}

/** The authors of any part of the change. */
const authorsOf = ({ hunks, wholeBy = [] }: FileChange): readonly HunkOrigin[] => [
  ...hunks.map(({ origin }) => origin),
  ...wholeBy,
];
