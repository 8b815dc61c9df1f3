/** A suggestion as sent: each hunk with its diff as text, and the summary. */
import { append } from '../../lib/append.ts';
import { count } from '../../lib/count.ts';
import { isGeneratedFile } from '../../lib/generated-files.ts';
import type { Steps } from '../../lib/steps.ts';
import { Slices } from '../../platform/slices.ts';
import type { Hunk, HunkWarning, Suggestion, SuggestionSummary } from '../../protocol/review.ts';
import { displayBytes, emptyBytes, isBinary, LF, latin1 } from '../core/bytes.ts';
import type { Change, Subject } from '../core/change.ts';
import type { ChangeView, FileReview } from '../core/file-review.ts';
import { formatHunk, formatHunks, verbatimHunk } from '../core/format-diff.ts';
import type { HunkBody } from '../core/hunk-body.ts';
import { lineTable } from '../core/line-table.ts';
import { UNSURE_WARNING } from '../core/many-question.ts';
import type { PatchHunk } from '../core/patch-model.ts';
import { pictureWords } from '../core/picture-words.ts';
import { comparePieces, type Piece, replay } from '../core/piece.ts';
import type { RunningLinks } from '../core/self-running.ts';
import { differingLines } from '../core/text-diff.ts';
import { changeWarnings, fileWarnings, newFileWarnings } from '../core/warnings.ts';
import { runningLinks } from '../files/running-links.ts';
import { realFolder } from '../files/target-folder.ts';
import type { Loaded } from '../records/load-suggestion.ts';
import { isUnsure, type StoredComment, type StoredSuggestion } from '../records/records.ts';
import { describeComment } from './describe-comment.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const fileName = (subject: Subject): string => displayBytes(subject.newPath ?? subject.oldPath ?? '');

/** One change's diff, for a part with that many context lines; words if it has no lines. */
export function diffOf(subject: Subject, change: Change, contextLines = Number.POSITIVE_INFINITY): string {
  if (change.hunk !== null && change.body !== null)
    return hunkText(change.hunk, change.body, { picked: change.picked, contextLines });
  const [old, updated] = [displayBytes(subject.oldPath ?? ''), displayBytes(subject.newPath ?? '')];
  const octal = (mode: number | null) => (mode ?? 0).toString(8).padStart(6, '0');
  switch (change.kind) {
    case 'rename':
    case 'copy':
      return `${change.kind} from ${old}\n${change.kind} to ${updated}\n`;
    case 'mode':
      return `old mode ${octal(subject.oldMode)}\nnew mode ${octal(subject.newMode)}\n`;
    case 'create':
      return `new file mode ${octal(subject.newMode)}, empty\n`;
    case 'delete':
      return `deleted file mode ${octal(subject.oldMode)}, empty\n`;
    default:
      return `${wholeWords(subject)}\n${wholeLines(subject)}`;
  }
}

interface PartOfHunk {
  readonly picked: Change['picked'];
  readonly contextLines: number;
}

function hunkText(hunk: PatchHunk, body: HunkBody, { picked, contextLines }: PartOfHunk): string {
  const whole = picked === null ? verbatimHunk(hunk, body) : null;
  if (whole === null) return decoder.decode(formatHunk(hunk, body, picked, contextLines));
  return whole.header + decoder.decode(body.bytes.subarray(whole.from, whole.to));
}

function sideWords(subject: Subject, side: 'old' | 'new'): string {
  const content = subject.whole?.[side] ?? null;
  if (content === null) return subject.problem === null ? 'no file' : 'unknown bytes';
  if (content.type === 'file') {
    const picture = pictureWords(content.bytes);
    return picture === null
      ? `file of ${content.bytes.length} bytes`
      : `${picture}, ${content.bytes.length} bytes`;
  }
  const text = displayBytes(latin1(content.bytes)).trim();
  return content.type === 'symlink'
    ? `link to ${text}`
    : `submodule at ${text.replace(/^Subproject commit /, '')}`;
}

const WHOLE_KINDS: ReadonlySet<Change['kind']> = new Set(['binary', 'symlink', 'submodule']);

const wholeWords = (subject: Subject) => `${sideWords(subject, 'old')} → ${sideWords(subject, 'new')}`;

/** The lines that differ in a text taken as a whole; none for other content. */
function differenceOf({ whole }: Subject) {
  const [old, updated] = [whole?.old, whole?.new].map((content) =>
    content?.type !== 'file' || isBinary(content.bytes) ? emptyBytes() : content.bytes,
  );
  return differingLines(old ?? emptyBytes(), updated ?? emptyBytes());
}

/** How much to show of a side too long to compare: both fit into an answer. */
const SIDE_MAX_BYTES = 256 * 1024;
/** The end of a message about omitted content. */
const NOT_SHOWN = ' are not shown.\n';

/** A text that is taken as a whole, in the lines of a hunk: nobody decides on what is not shown. */
function wholeLines(subject: Subject): string {
  const { linesBefore, linesAfter, ...sides } = differenceOf(subject);
  const alike =
    linesBefore + linesAfter === 0
      ? ''
      : `The first ${count(linesBefore, 'line')} and the last ${linesAfter} are the same.\n`;
  const isLong = Math.max(sides.old.length, sides.new.length) > SIDE_MAX_BYTES;
  if (isLong) return alike + longSides(sides);
  const [hunk] = formatHunks(lineTable(sides.old), lineTable(sides.new), Number.POSITIVE_INFINITY);
  return hunk === undefined ? alike : alike + decoder.decode(hunk.subarray(hunk.indexOf(LF) + 1));
}

function longSides({ old, new: updated }: { readonly old: Uint8Array; readonly new: Uint8Array }): string {
  const shownOf = (side: Uint8Array) => {
    const shown = side.subarray(0, SIDE_MAX_BYTES);
    return shown.length === side.length ? side : shown.subarray(0, shown.lastIndexOf(LF) + 1 || shown.length);
  };
  const signed = (sign: string, side: Uint8Array) =>
    decoder.decode(side).replace(/[^\n]+\n?|\n/g, (line) => `${sign}${line.replace(/\n?$/, '\n')}`);
  const shown = { old: shownOf(old), new: shownOf(updated) };
  const [oldRest, newRest] = [old.length - shown.old.length, updated.length - shown.new.length];
  const rest =
    oldRest + newRest === 0
      ? ''
      : `… ${count(oldRest, 'more byte')} of the old lines and ${newRest} of the new ones${NOT_SHOWN}`;
  return signed('-', shown.old) + signed('+', shown.new) + rest;
}

/** Most bytes of diffs in an answer; a message between client and host has at most 8 MiB. */
const ANSWER_DIFF_MAX_BYTES = 4 * 1024 * 1024;
const HUNK_DIFF_MAX_BYTES = 1024 * 1024;

/** The beginning of `diff` that fits, in whole lines if possible. */
function cut(diff: string, maxBytes: number): { diff: string; diffComplete: boolean } {
  // A code unit has at most three bytes, so most diffs need no count.
  const fits =
    diff.length * 3 <= maxBytes || (diff.length <= maxBytes && Buffer.byteLength(diff) <= maxBytes);
  if (fits) return { diff, diffComplete: !diff.endsWith(NOT_SHOWN) };
  const head = diff.slice(0, Math.floor(maxBytes / 3));
  return { diff: head.slice(0, head.lastIndexOf('\n') + 1), diffComplete: false };
}

const NO_DIFF = { diff: '', diffComplete: false };

function* describeHunk(
  loaded: Loaded,
  { review, warnings }: DescribedFile,
  view: ChangeView,
  budget: { readonly bytes: number },
): Steps<Hunk> {
  const { subject } = review;
  const root = view.change.parent ?? view.change.id;
  const isGenerated = loaded.stored.generated?.[fileName(subject)] ?? isGeneratedFile(fileName(subject));
  const comments = commentsOf(loaded, root, view.change.id);
  const most = Math.min(budget.bytes, HUNK_DIFF_MAX_BYTES);
  const diff = most === 0 ? NO_DIFF : cut(diffOf(subject, view.change), most);
  yield;
  return {
    id: view.change.id,
    file: fileName(subject),
    kind: view.change.kind,
    ...diff,
    status: view.status,
    reason: view.reason,
    needs: [...view.needs],
    parent: view.change.parent,
    ...versionOf(loaded.stored, root),
    note: loaded.stored.authorNotes[root] ?? null,
    comments: comments.map((comment) => describeComment(view.change, comment)),
    warnings: [
      ...(isUnsure(loaded.stored, view.change) ? [UNSURE_WARNING] : []),
      ...(yield* warnings(view.change)),
    ],
    ...(isGenerated ? { isGenerated } : {}),
    ...(isNew(loaded, root, view) ? { isNew: true as const } : {}),
  };
}

function versionOf({ arrived }: StoredSuggestion, root: string): Pick<Hunk, 'version'> {
  const version = arrived?.[root];
  return version === undefined ? {} : { version };
}

/** Whether it is new since the reviewer's last round and still undecided. */
const isNew = ({ round }: Loaded, root: string, { status }: ChangeView) =>
  round !== undefined && !round.has(root) && (status === 'pending' || status === 'conflict');

/** Lines around changed ones. */
export const CONTEXT_LINES = 3;

/** A reviewer's replacement of a hunk, as a diff against the file without it. */
export function modifiedDiffOf(review: FileReview, pieces: readonly Piece[]): string {
  const base = review.table() ?? lineTable(new Uint8Array(0));
  const after = lineTable(replay(base, [...pieces].sort(comparePieces)));
  return Buffer.concat(formatHunks(base, after, CONTEXT_LINES)).toString('utf8');
}

/** The warnings on each change of a file, in steps. */
export function warningsOf(subject: Subject, links?: RunningLinks): (change: Change) => Steps<HunkWarning[]> {
  const ofFile = [...fileWarnings(fileName(subject), links), ...newFileWarnings(subject)];
  return function* (change) {
    return [...ofFile, ...(yield* changeWarnings(change, () => wholeText(subject, change)))];
  };
}

/** What a change without lines brings, and how many lines of the file precede it. */
function wholeText(subject: Subject, change: Change) {
  if (!WHOLE_KINDS.has(change.kind)) return { bytes: Buffer.from(diffOf(subject, change)), linesBefore: 0 };
  const { new: added, linesBefore } = differenceOf(subject);
  return { bytes: Buffer.concat([added, Buffer.from(`\n${wholeWords(subject)}`)]), linesBefore };
}

/** The comments on the hunk, and on this part of it. */
function commentsOf(loaded: Loaded, root: string, part: string): readonly StoredComment[] {
  const whole = loaded.changes.get(root)?.comments ?? [];
  return part === root ? whole : [...whole, ...(loaded.changes.get(part)?.comments ?? [])];
}

/** The summary for lists and events. */
export function summarize(stored: StoredSuggestion): SuggestionSummary {
  const { id, description, target, source, createdAt, hunkCount, decidedCount, revision, inPlace } = stored;
  return {
    id,
    description,
    status: statusOf(stored),
    target,
    source,
    createdAt,
    files: [...stored.files],
    hunkCount,
    decidedCount,
    revision,
    inPlace,
    author: stored.author ?? null,
    ...(stored.version === undefined ? {} : { version: stored.version }),
    ...(stored.replaces === undefined ? {} : { replaces: stored.replaces }),
    ...(stored.write === 'on-save' ? { write: stored.write } : {}),
    ...(stored.turns === undefined ? {} : { turns: stored.turns }),
  };
}

/** The progress of its review. */
export function statusOf(stored: StoredSuggestion): SuggestionSummary['status'] {
  if (stored.end !== null) return stored.end;
  if (stored.decidedCount === 0) return 'pending';
  return stored.decidedCount < stored.hunkCount ? 'partial' : 'complete';
}

/** The whole suggestion: the summary, its hunks and what was tolerated. */
export async function describeSuggestion(
  loaded: Loaded,
  reviews: readonly FileReview[],
  bounds: { readonly maxDiffBytes?: number | null; readonly hunks?: number } = {},
): Promise<Suggestion> {
  const most = bounds.hunks ?? Number.POSITIVE_INFINITY;
  const describe = await describer(loaded, bounds.maxDiffBytes ?? ANSWER_DIFF_MAX_BYTES);
  const hunks: Hunk[] = [];
  for (const review of reviews) {
    for (let from = 0; from < review.changes.length && hunks.length < most; from += HUNKS_AT_ONCE) {
      const to = from + Math.min(HUNKS_AT_ONCE, most - hunks.length);
      append(hunks, await describe(review, review.view(from, to)));
    }
  }
  const folder = await realFolder(loaded.stored.target);
  const missing = folder.ok ? [] : [`${folder.error.message} Nothing can be written until it is back.`];
  return { ...summarize(loaded.stored), hunks, notes: [...missing, ...loaded.stored.notes] };
}

/** Hunks placed between two pauses. */
const HUNKS_AT_ONCE = 100;

interface HunksOfFile {
  readonly review: FileReview;
  readonly ids: readonly string[];
}

interface DescribedFile {
  readonly review: FileReview;
  readonly warnings: (change: Change) => Steps<HunkWarning[]>;
}

/** Describes hunks of one file after the other. If the diffs are too long together, later hunks omit theirs. */
async function describer(loaded: Loaded, maxDiffBytes: number) {
  const budget = { bytes: Math.min(maxDiffBytes, ANSWER_DIFF_MAX_BYTES) };
  const slices = new Slices();
  const links = await runningLinks(loaded.stored.target);
  const known = new Map<FileReview, DescribedFile>();
  return async (review: FileReview, views: Iterable<ChangeView>): Promise<readonly Hunk[]> => {
    const file = known.get(review) ?? { review, warnings: warningsOf(review.subject, links) };
    known.set(review, file);
    const hunks: Hunk[] = [];
    for (const view of views) {
      const hunk = await slices.run(describeHunk(loaded, file, view, budget));
      budget.bytes = Math.max(0, budget.bytes - Buffer.byteLength(hunk.diff));
      hunks.push(hunk);
    }
    return hunks;
  };
}

/** Hunks for one answer. */
export async function describeHunks(loaded: Loaded, files: readonly HunksOfFile[]): Promise<Hunk[]> {
  const describe = await describer(loaded, ANSWER_DIFF_MAX_BYTES);
  const hunks: Hunk[] = [];
  for (const { review, ids } of files)
    for (let from = 0; from < ids.length; from += HUNKS_AT_ONCE)
      append(hunks, await describe(review, review.viewOf(new Set(ids.slice(from, from + HUNKS_AT_ONCE)))));
  return hunks;
}
