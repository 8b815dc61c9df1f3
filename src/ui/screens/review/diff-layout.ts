/** The hunks of one file laid out below each other in rows: where each begins, and what stands in a row. Pure. */
import { sanitize } from '../../../lib/sanitize.ts';
import type { Hunk, Suggestion } from '../../../protocol/review.ts';
import { type Row, span, wrapWords } from '../../plan/row.ts';
import type { ReviewView } from '../../ports.ts';
import type { Role } from '../../theme/role.ts';
import type { ReviewFile } from './files.ts';
import { type HunkDoc, type HunkDocs, readConflict } from './hunk-doc.ts';

/** Cells left of a note: a margin and a sign. */
export const NOTE_INDENT_CELLS = 5;
/** Rows that notes and comments of one hunk may take; a longer one is cut with a word about it. */
export const NOTES_MAX_ROWS = 40;

export type Sides = 'one' | 'two';

export interface Segment {
  readonly hunk: Hunk;
  /** Place in the file, from 0. */
  readonly index: number;
  readonly doc: HunkDoc;
  /** Row of the file where its header stands. */
  readonly start: number;
  /** Between header and lines: reason, notes, comments. */
  readonly notes: readonly Row[];
  readonly bodyRows: number;
  /** First row after it. */
  readonly end: number;
}

export interface FileLayout {
  readonly segments: readonly Segment[];
  readonly rows: number;
  readonly sides: Sides;
}

export interface LayoutOptions {
  readonly suggestion: Suggestion;
  readonly file: ReviewFile;
  readonly columns: number;
  readonly sides: Sides;
  readonly conflict: ReviewView['conflict'];
}

export type LayoutFile = (options: LayoutOptions) => FileLayout;

/** Makes the layout of files; the last one is kept as long as nothing that it depends on changes. */
export function createLayoutFile(docs: HunkDocs): LayoutFile {
  let last: { readonly options: LayoutOptions; readonly layout: FileLayout } | null = null;
  return (options) => {
    if (last !== null && isSame(last.options, options)) return last.layout;
    const layout = layOut(options, docs);
    last = { options, layout };
    return layout;
  };
}

function isSame(one: LayoutOptions, other: LayoutOptions): boolean {
  return (
    one.file === other.file &&
    one.columns === other.columns &&
    one.sides === other.sides &&
    one.conflict === other.conflict
  );
}

function layOut({ suggestion, file, columns, sides, conflict }: LayoutOptions, docs: HunkDocs): FileLayout {
  let row = 0;
  const segments = file.hunks.map((hunk, index): Segment => {
    const isConflict = hunk.status === 'conflict' && conflict?.hunk === hunk.id;
    const doc = isConflict ? readConflict(hunk, conflict.sides) : docs(suggestion.id, hunk);
    const isFirst = file.first + index === 0;
    const notes = noteRows(hunk, isFirst ? aboutSuggestion(suggestion) : [], columns);
    const bodyRows = sides === 'two' ? doc.pairs().length : doc.lines.length;
    const start = row;
    row += 1 + notes.length + bodyRows;
    return { hunk, index, doc, start, notes, bodyRows, end: row };
  });
  return { segments, rows: row, sides };
}

/** What is said about the whole of it stands at its first hunk: the rest of its description, what was tolerated. */
function aboutSuggestion({ description, notes }: Suggestion): readonly string[] {
  const rest = description.split('\n').slice(1).join('\n').trim();
  return [...(rest === '' ? [] : [rest]), ...notes.map((note) => `note: ${note}`)];
}

function noteRows(hunk: Hunk, about: readonly string[], columns: number): readonly Row[] {
  const rows = [
    ...about.flatMap((text) => prose(text, columns, 'note')),
    ...(hunk.status === 'modified' ? prose('your own text stands in place of this one', columns, 'dim') : []),
    ...(hunk.reason === null ? [] : prose(`! ${hunk.reason}`, columns, 'warn')),
    ...(hunk.diffComplete
      ? []
      : prose('not read to its end, or cut where a line is very long', columns, 'dim')),
    ...(hunk.note === null ? [] : prose(`AI: ${hunk.note}`, columns, 'note')),
    ...hunk.comments.flatMap((comment) => prose(`you: ${comment}`, columns, 'note')),
  ];
  if (rows.length <= NOTES_MAX_ROWS) return rows;
  const left = rows.length - NOTES_MAX_ROWS + 1;
  return [...rows.slice(0, NOTES_MAX_ROWS - 1), [span(`${left} more rows of notes`, 'dim')]];
}

function prose(text: string, columns: number, role: Role): readonly Row[] {
  const width = Math.max(10, columns - NOTE_INDENT_CELLS - 1);
  return sanitize(text)
    .replace(/\t/g, ' ')
    .split('\n')
    .flatMap((line) => wrapWords(line, width, role));
}

/** Where a row of the file stands; the last row for one beyond the end. */
export function segmentAt({ segments }: FileLayout, row: number): Segment | null {
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle]?.end ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  return segments[low] ?? null;
}

/** First row of the lines of a hunk, counted from its header. */
export function bodyStart(segment: Segment): number {
  return 1 + segment.notes.length;
}

/** Lines of the hunk that stand in a row of it (counted from its header); none in header and notes. */
export function linesAt(segment: Segment, row: number, sides: Sides): readonly number[] {
  const at = row - bodyStart(segment);
  if (at < 0 || at >= segment.bodyRows) return [];
  if (sides === 'one') return [at];
  const pair = segment.doc.pairs()[at];
  if (pair === undefined) return [];
  return pair.left === pair.right ? [pair.left] : [pair.left, pair.right].filter((index) => index >= 0);
}

/** The row of a hunk (counted from its header) where a line of it stands. */
export function rowOfLine(segment: Segment, line: number, sides: Sides): number {
  const at =
    sides === 'one'
      ? line
      : segment.doc.pairs().findIndex(({ left, right }) => left === line || right === line);
  return bodyStart(segment) + Math.max(0, at);
}
