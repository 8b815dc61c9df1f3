/** The changes of turns as an in-place review: a patch, and the contents of the files at the end of the turns. */
import path from 'node:path';
import { namesByReason } from '../lib/count.ts';
import { fail, ok, type Result } from '../lib/result.ts';
import { type ByteString, concatBytes, utf8Bytes } from '../review/core/bytes.ts';
import type { FileImage } from '../review/core/file-state.ts';
import type { PatchHunk } from '../review/core/patch-model.ts';
import { imagePatch } from '../review/sources/folder-source.ts';
import type { HunkNote, SourcedPatch } from '../review/sources/git-source.ts';
import type { AttributedFile } from './core/attribute.ts';
import { imageOf } from './core/our-steps.ts';
import type { FileChange } from './core/turn-edits.ts';

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
  const left: (readonly [name: string, why: string])[] = [];
  for (const { change, review } of files) {
    const name = nameIn(root, change.path);
    const oldName = change.movedFrom === undefined ? name : nameIn(root, change.movedFrom);
    if (name === null || oldName === null) left.push([change.path, `outside ${root}`]);
    else if (review === null)
      left.push([path.relative(root, change.path), change.why ?? 'its text is not known']);
    else {
      const after = imageOf(name, review.after);
      parts.push(imagePatch(imageOf(oldName, review.before), after));
      if (after !== null) images.set(name, after);
      changes.set(name, change);
    }
  }
  const patch = concatBytes(parts);
  const its = who.toLowerCase();
  const all = isPlain ? undefined : 'All changes since the last commit: copane review';
  const notes = namesByReason(left).map((words) => `${words}; not part of the review.`);
  if (lacking !== undefined) notes.push(`Some changes may be missing: ${lacking}.`);
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
    const authors = new Set([...within.map(({ origin }) => origin), ...(isWhole ? wholeBy : [])]);
    if (authors.size === 0) return { kind: 'untold' };
    if (authors.has('unknown')) return { kind: 'unsure' };
    return authors.has('tool') || !authors.has('command') ? null : { kind: 'note', text: 'by a command' };
  };

function nameIn(root: string, file: string): ByteString | null {
  const name = path.relative(root, file);
  return name === '' || name.startsWith('..') || path.isAbsolute(name) ? null : utf8Bytes(name);
}
