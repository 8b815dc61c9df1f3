/** The changes of turns as an in-place review: a patch, and the contents of the files at the end of the turns. */
import path from 'node:path';
import { firstFew } from '../lib/count.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { type ByteString, concatBytes, displayBytes, utf8Bytes } from '../review/core/bytes.ts';
import { carryOver } from '../review/core/carry-over.ts';
import { type FileImage, modeOf, sameImage } from '../review/core/file-state.ts';
import { MODE_EXECUTABLE, MODE_SYMLINK, type PatchHunk } from '../review/core/patch-model.ts';
import { findImage } from '../review/files/target-files.ts';
import type { TakenBack } from '../review/publishing/turn-review.ts';
import { imagePatch } from '../review/sources/folder-source.ts';
import type { HunkNote, SourcedPatch } from '../review/sources/git-source.ts';
import type { AttributedFile, SeenSide } from './core/attribute.ts';
import type { FileChange } from './core/turn-edits.ts';
import type { TurnsRead } from './turn-reader.ts';

/**
 * The turns' files, including changes that a reviewer has taken back since: they still belong to the turns. Changes
 * taken back before the turns began do not.
 */
export async function withTakenBack(
  root: string,
  { files, rewritten }: Pick<TurnsRead, 'files' | 'rewritten'>,
  takenBack: TakenBack,
): Promise<readonly AttributedFile[]> {
  const left = new Map([...takenBack].filter(([name]) => rewritten.has(path.join(root, displayBytes(name)))));
  const known = files.map((file) => {
    const name = nameIn(root, file.change.path);
    const steps = name === null ? undefined : left.get(name);
    if (name === null || steps === undefined || file.review === null) return file;
    left.delete(name);
    const { before, after } = file.review;
    const whole = steps.reduce(carryOver, imageOf(name, after));
    return { ...file, review: { before, after: sideOf(whole) } };
  });
  // A file that was taken back completely has no difference any more.
  const gone: AttributedFile[] = [];
  for (const [name, steps] of left) {
    const found = await findImage(root, name);
    if (!found.ok) continue;
    const after = steps.reduce(carryOver, found.value);
    if (sameImage(found.value, after)) continue;
    const change = {
      path: path.join(root, displayBytes(name)),
      kind: 'edit',
      hunks: [],
      exact: true,
      binary: false,
    } as const;
    const review = { before: sideOf(found.value), after: sideOf(after) };
    gone.push({ change, review });
  }
  return [...known, ...gone];
}

function sideOf(image: FileImage | null): SeenSide {
  return image === null ? null : { mode: modeOf(image), bytes: image.bytes };
}

/** The origin of such a review, for users. */
const LABEL = 'what the AI changed';

/** The turns of a patch. */
export interface PatchOf {
  /** Begins a sentence. */
  readonly who?: 'This answer' | 'These answers';
  /** Why there may be more changes; a sentence for users. */
  readonly unknown?: string | undefined;
  /** Without git, changes since the last commit are unknown. */
  readonly isPlain?: boolean;
}

/** The patch of these files below `root`. Fails with the reason if none of them can be reviewed. */
export function turnPatch(
  root: string,
  files: readonly AttributedFile[],
  { who = 'This answer', unknown: lacking, isPlain = false }: PatchOf = {},
): Result<SourcedPatch> {
  const parts: Uint8Array[] = [];
  const images = new Map<ByteString, FileImage>();
  const changes = new Map<ByteString, FileChange>();
  const outside: string[] = [];
  const unknown: string[] = [];
  for (const { change, review } of files) {
    const name = nameIn(root, change.path);
    const oldName = change.movedFrom === undefined ? name : nameIn(root, change.movedFrom);
    if (name === null || oldName === null) outside.push(change.path);
    else if (review === null) unknown.push(`${shown(root, change.path)} (${change.why ?? 'not known'})`);
    else {
      const after = imageOf(name, review.after);
      parts.push(imagePatch(imageOf(oldName, review.before), after));
      if (after !== null) images.set(name, after);
      changes.set(name, change);
    }
  }
  const left = [
    ...told(outside, `outside ${root}; not part of the review.`),
    ...told(unknown, 'the text before or after is not known; not part of the review.'),
  ];
  const patch = concatBytes(parts);
  const its = who.toLowerCase();
  const all = isPlain ? undefined : 'All changes since the last commit: copane review';
  const notes = lacking === undefined ? left : [...left, `Some changes may be missing: ${lacking}.`];
  if (patch.length === 0 && left.length > 0)
    return fail('invalid', `What ${its} changed cannot be reviewed here. ${notes.join(' ')}`, SHOWN_BY);
  if (patch.length === 0 && lacking !== undefined)
    return fail('invalid', `What ${its} changed is not known: ${lacking}.`, all);
  if (patch.length === 0) return fail('invalid', `${who} changed no files: there is nothing to review.`, all);
  return ok({
    patch,
    images,
    notes,
    label: LABEL,
    root,
    inPlace: true,
    sandbox: null,
    noteOn: noteOn(changes),
  });
}

const SHOWN_BY = 'The list of files: copane changes';

/** Marks changes that no tool of the AI wrote: what may be yours is not attributed to the AI. */
const noteOn =
  (changes: ReadonlyMap<ByteString, FileChange>) =>
  (name: ByteString, hunk: PatchHunk | null): HunkNote | null => {
    const { hunks = [], wholeBy = [] } = changes.get(name) ?? {};
    // Compared by old line numbers: taking changes back has moved the new ones.
    const from = hunk?.oldStart ?? 0;
    const to = hunk === null ? Number.POSITIVE_INFINITY : from + hunk.oldCount;
    const within = hunks.filter(({ oldStart, oldLines }) => oldStart <= to && oldStart + oldLines >= from);
    const isWhole = hunk === null || hunks.length === 0;
    const hands = new Set([...within.map(({ origin }) => origin), ...(isWhole ? wholeBy : [])]);
    if (hands.size === 0) return { kind: 'untold' };
    if (hands.has('unknown')) return { kind: 'unsure' };
    return hands.has('tool') || !hands.has('command') ? null : { kind: 'note', text: 'by a command' };
  };

const shown = (root: string, file: string) => path.relative(root, file);

function nameIn(root: string, file: string): ByteString | null {
  const name = path.relative(root, file);
  return name === '' || name.startsWith('..') || path.isAbsolute(name) ? null : utf8Bytes(name);
}

function imageOf(name: ByteString, side: SeenSide): FileImage | null {
  if (side === null || side.bytes === null) return null;
  const type = side.mode === MODE_SYMLINK ? 'symlink' : 'file';
  return { path: name, type, executable: side.mode === MODE_EXECUTABLE, bytes: side.bytes };
}

function told(names: readonly string[], why: string): readonly string[] {
  return names.length === 0 ? [] : [`${firstFew(names)}: ${why}`];
}
