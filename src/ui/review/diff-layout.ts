/** The layout of a file's hunks in rows: where each begins, and what each row contains. Pure. */

import type { Hunk, Suggestion } from '../../protocol/review.ts';
import { keepEach, keepLast } from '../kit/memo.ts';
import type { Row } from '../kit/row.ts';
import { layBodyRows } from './body-rows.ts';
import type { ReviewFile } from './files.ts';
import { type Folds, isFolded, isGenerated, isOneRow } from './folds.ts';
import type { HunkDoc, HunkDocs } from './hunk-doc.ts';
import { nameHunks } from './hunk-names.ts';
import { rowsOfLine, rowsOfPair } from './line-view.ts';
import { type MovedBlock, type MovedBlocks, movedWords } from './moved-blocks.ts';
import type { ReviewView } from './port.ts';
import { aboutSuggestion, lineRemarks, noteRows } from './remarks.ts';
import { entryOfLine, type Segment, type Sides } from './segment.ts';
import { readConflict, readModified, withSurroundings } from './shown-doc.ts';

/** Larger files are not wrapped: every line would have to be measured. */
export const WRAPPED_FILE_MAX_LINES = 20_000;
/** In larger files, lines are paired by position: matching changed lines takes too long. */
const COMPARED_FILE_MAX_LINES = 20_000;

export interface FileLayout {
  readonly segments: readonly Segment[];
  /** The hunks of a file folded to one row; its only segment is the first of them. */
  readonly oneRow: readonly Hunk[] | null;
  readonly rows: number;
  readonly sides: Sides;
  readonly isWrapped: boolean;
  readonly numberCells: number;
}

export interface LayoutOptions {
  readonly suggestion: Suggestion;
  readonly file: ReviewFile;
  readonly columns: number;
  readonly sides: Sides;
  /** Long lines continue in the next row. */
  readonly isWrapped: boolean;
  /** Lines of the file shown around hunks. */
  readonly expanded: Readonly<Record<string, number>>;
  readonly view: Pick<ReviewView, 'conflict' | 'modified' | 'around'>;
  readonly folds: Folds;
  readonly moved: MovedBlocks;
}

export type LayoutFile = (options: LayoutOptions) => FileLayout;

/** Makes the layout, which caches the last file until something it depends on changes. */
export function createLayoutFile(docs: HunkDocs): LayoutFile {
  const keep = keepLast<FileLayout>();
  const shownDoc = createShownDocs(docs);
  const laidHunk = createLaidHunks();
  return (options) => {
    const { file, columns, sides, isWrapped, expanded, folds, moved, view } = options;
    const inputs = [file, columns, sides, isWrapped, expanded, folds.folded, folds.quietBlanks, moved];
    return keep([...inputs, view.conflict, view.modified, view.around], () =>
      layOut(options, shownDoc, laidHunk),
    );
  };
}

function layOut(options: LayoutOptions, shownDoc: ShownDocs, laidHunk: LaidHunks): FileLayout {
  const { suggestion, file, columns, sides } = options;
  const shown = file.hunks.map((hunk) => shownDoc(hunk, options));
  const lines = shown.reduce((sum, doc) => sum + doc.lineCount, 0);
  const isWrapped = options.isWrapped && lines <= WRAPPED_FILE_MAX_LINES;
  const pairing = lines <= COMPARED_FILE_MAX_LINES ? 'words' : 'place';
  const numberCells = shown.reduce((most, doc) => Math.max(most, doc.numberCells), 0);
  let row = 0;
  const oneRow = isOneRow(file, options.folds) ? file.hunks : null;
  const segments = (oneRow?.slice(0, 1) ?? file.hunks).map((hunk, index): Segment => {
    const doc = shown[index] ?? shownDoc(hunk, options);
    const blocks = options.moved.get(hunk.id) ?? NOT_MOVED;
    const isShut = oneRow !== null || isFolded(hunk, doc, options.folds);
    const about = [
      ...(file.first + index === 0 ? aboutSuggestion(suggestion) : []),
      ...(isShut ? [] : movedWords(blocks, doc, hunk.file)),
    ];
    const isLater = index > 0 && isGenerated(hunk);
    const room = { columns, sides, isWrapped, numberCells, pairing, isFolded: isShut, isLater } as const;
    const around = { about, room, suggestion };
    const { notes: own, body } = laidHunk(hunk, doc, around);
    const remarked = oneRow?.map((one) => ({ hunk: reasoned(one, suggestion), doc: shownDoc(one, options) }));
    const notes = remarked === undefined ? own : noteRows(remarked, { about, columns });
    const start = row;
    row += 1 + notes.length + body.count;
    return { hunk, index, doc, pairing, isFolded: isShut, moved: blocks, start, notes, body, end: row };
  });
  return { segments, oneRow, rows: row, sides, isWrapped, numberCells };
}

type Room = Pick<LayoutOptions, 'columns' | 'sides'> &
  Pick<FileLayout, 'isWrapped' | 'numberCells'> &
  Pick<Segment, 'pairing' | 'isFolded'> & {
    /** It is not the first: remarks on its whole generated file are above it. */
    readonly isLater: boolean;
  };

interface Around {
  /** Remarks above the first hunk on all of them. */
  readonly about: readonly string[];
  readonly room: Room;
  readonly suggestion: Suggestion;
}

const NOT_MOVED: readonly MovedBlock[] = [];

type LaidHunks = (hunk: Hunk, doc: HunkDoc, around: Around) => Pick<Segment, 'notes' | 'body'>;

/** Lays out hunks independently: of thousands, a decision changes one, and the others stay cached. */
function createLaidHunks(): LaidHunks {
  const keep = keepEach<Hunk, Pick<Segment, 'notes' | 'body'>>();
  return (hunk, doc, { about, room, suggestion }) =>
    keep(hunk, [doc, about.join('\n'), ...Object.values(room)], () => {
      const warnings = room.isLater ? hunk.warnings.filter(({ kind }) => kind !== 'runs') : hunk.warnings;
      const shown = { ...reasoned(hunk, suggestion), warnings };
      const notes = noteRows([{ hunk: shown, doc }], { about, columns: room.columns });
      return { notes, body: room.isFolded ? NO_BODY : layBody(hunk, doc, room) };
    });
}

/** The hunk with a reason that names other hunks the way the reader knows them. */
const reasoned = (hunk: Hunk, { hunks }: Suggestion): Hunk =>
  hunk.reason === null ? hunk : { ...hunk, reason: nameHunks(hunk.reason, hunks, hunk.id) };

const NO_BODY = layBodyRows({ entries: 0, heightOf: null, remarks: new Map() });

function layBody(
  hunk: Hunk,
  doc: HunkDoc,
  { columns, sides, isWrapped, numberCells, pairing }: Room,
): Segment['body'] {
  const remarks = lineRemarks(hunk, doc, columns);
  // A gutter is to the left of everything.
  const room = { columns: columns - 1, numberCells };
  if (sides === 'one') {
    const heightOf = isWrapped ? (entry: number) => rowsOfLine(doc, entry, room) : null;
    return layBodyRows({ entries: doc.lineCount, heightOf, remarks });
  }
  const entries = doc.pairCount(pairing);
  const atPairs = new Map<number, readonly Row[]>();
  for (const [line, rows] of remarks) {
    const entry = entryOfLine({ doc, pairing }, line);
    atPairs.set(entry, [...(atPairs.get(entry) ?? []), ...rows]);
  }
  const heightOf = isWrapped
    ? (entry: number) => rowsOfPair(doc, doc.pairs(pairing)[entry] ?? { left: -1, right: -1 }, room)
    : null;
  return layBodyRows({ entries, heightOf, remarks: atPairs });
}

type ShownDocs = (hunk: Hunk, options: LayoutOptions) => HunkDoc;

/** What is shown of a hunk; each one's last result is cached while its inputs are the same. */
function createShownDocs(docs: HunkDocs): ShownDocs {
  const keep = keepEach<HunkDoc, HunkDoc>();
  return (hunk, { suggestion, view, expanded }) => {
    const own = docs(suggestion.id, hunk);
    const { conflict, modified, around } = view;
    const sides = hunk.status === 'conflict' && conflict?.hunk === hunk.id ? conflict.sides : null;
    const texts = hunk.status === 'modified' && modified?.hunk === hunk.id ? modified.texts : null;
    const wanted = expanded[hunk.id] ?? 0;
    const near = wanted === 0 ? null : (around.get(hunk.id) ?? null);
    if (sides === null && texts === null && near === null) return own;
    return keep(own, [sides, texts, near, wanted], () => {
      if (sides !== null) return readConflict(hunk, sides);
      const doc = texts === null ? own : readModified(hunk, own, texts);
      return near === null ? doc : withSurroundings(hunk, doc, near, wanted);
    });
  };
}

/** The segment of a file row; the last one for a row beyond the end. */
export function segmentAt({ segments }: FileLayout, row: number): Segment | null {
  let [low, high] = [0, segments.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((segments[middle]?.end ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  return segments[low] ?? null;
}
