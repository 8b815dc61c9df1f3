/** A hunk read for the screen: numbered lines, pairs, and word marks for the lines in view. Pure. */

import { partnersOf } from '../../lib/line-pairs.ts';
import { squeeze } from '../../lib/squeeze.ts';
import { type MarkedRange, WordMarker } from '../../lib/word-marks.ts';
import type { Hunk } from '../../protocol/review.ts';
import { type ShownLine, showLine, WHOLE_LINE_MAX_CHARACTERS } from './long-line.ts';
import type { ColoredLine } from './port.ts';
import { type Pairing, type SidePair, sidePairs } from './side-pairs.ts';

/** Words to compare in a hunk before marks are omitted. */
export const HUNK_MARKS_MAX_TOKENS = 200_000;

/** Longer lines are not compared without their blanks. */
const BLANKS_MAX_CHARACTERS = 20_000;

/** `words`: a change without lines; `title`: a heading between parts; `around`: a line outside the hunk. */
type LineOp = 'same' | 'removed' | 'added' | 'words' | 'title' | 'around';

export interface HunkLine {
  readonly op: LineOp;
  readonly text: string;
  /** Numbers in the old and new file, from 1; null if the line is not there. */
  readonly before: number | null;
  readonly after: number | null;
  /** Number in the hunk's body, from 1, as in decisions on lines; 0 if it is not in the body. */
  readonly body: number;
  /** The side ends here without a line end. */
  readonly isOpenEnd: boolean;
}

export interface HunkDoc {
  readonly hunkId: string;
  readonly diff: string;
  /** `41,7 → 41,9`; empty for a change without lines. */
  readonly ranges: string;
  /** The rest of its header: the function that it is in. */
  readonly section: string;
  readonly lines: readonly HunkLine[];
  /** The numbers of lines and of pairs, known before any line is read, except for pairs by words. */
  readonly lineCount: number;
  readonly pairCount: (pairing: Pairing) => number;
  /** Where the hunk's own lines begin in `lines`, and their number. */
  readonly own: { readonly from: number; readonly count: number };
  /** Cells of the longest line number; 0 if no line has one. */
  readonly numberCells: number;
  /** The lines in two columns. */
  readonly pairs: (pairing: Pairing) => readonly SidePair[];
  /** The ranges of a line that differ from its new or old version. */
  readonly marksOf: (index: number) => readonly MarkedRange[];
  /** What is drawn of a wrapped line. */
  readonly shownOf: (index: number) => ShownLine;
  /** Whether the line differs from the one beside it only in blanks. */
  readonly isBlankChange: (index: number) => boolean;
  /** Whether words of later lines are no longer compared because there were too many. */
  readonly isSpent: () => boolean;
  /** Whether only whitespace changes. */
  readonly isBlankOnly: () => boolean;
}

/** The colours of a hunk's own lines, or a message that says why there are none. */
export type HunkColors = { readonly lines: readonly ColoredLine[] } | { readonly why: string };

/** A hunk's colours; null if unknown yet, or none. */
export type ColorsOf = (doc: HunkDoc) => HunkColors | null;

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads a hunk: its size immediately, its lines once one is needed. */
export function readHunk({ id, diff }: Pick<Hunk, 'id' | 'diff'>): HunkDoc {
  const header = HEADER.exec(diff);
  if (header !== null) return new UnreadDoc(id, diff, header);
  const lines = wordLines(diff);
  return docOf({ id, diff }, lines, { from: 0, count: lines.length });
}

/** A hunk shown as these lines, `own` of which belong to it. */
export function docOf(
  { id, diff }: Pick<Hunk, 'id' | 'diff'>,
  lines: readonly HunkLine[],
  own: HunkDoc['own'],
): HunkDoc {
  const views = viewsOf(lines);
  const numberCells = numberCellsOf(lines);
  const counts = { lineCount: lines.length, pairCount: (pairing: Pairing) => views.pairs(pairing).length };
  const header = HEADER.exec(diff);
  const words =
    header === null
      ? { ranges: '', section: '' }
      : { ranges: rangesOf(header), section: sectionOf(diff, header) };
  return { hunkId: id, diff, ...words, lines, own, numberCells, ...counts, ...views };
}

/** A hunk whose lines are read on first use: of thousands, few are ever shown. */
class UnreadDoc implements HunkDoc {
  readonly hunkId: string;
  readonly diff: string;
  readonly ranges: string;
  readonly section: string;
  readonly own: HunkDoc['own'];
  readonly numberCells: number;
  readonly lineCount: number;
  readonly #pairs: number;
  /** The number of pairs does not depend on how lines are paired. */
  readonly #isFixed: boolean;
  readonly #header: RegExpExecArray;
  #read: { readonly lines: readonly HunkLine[]; readonly views: Views } | null = null;

  constructor(id: string, diff: string, header: RegExpExecArray) {
    const { lines, pairs, isFixed } = measureBody(diff);
    this.hunkId = id;
    this.diff = diff;
    this.#header = header;
    this.ranges = rangesOf(header);
    this.section = sectionOf(diff, header);
    this.own = { from: 0, count: lines };
    this.lineCount = lines;
    this.#pairs = pairs;
    this.#isFixed = isFixed;
    this.numberCells = String(
      Math.max(lastNumber(header[1], header[2]), lastNumber(header[3], header[4])),
    ).length;
  }

  #contents() {
    if (this.#read === null) {
      const lines = bodyLines(this.diff, this.#header);
      this.#read = { lines, views: viewsOf(lines) };
    }
    return this.#read;
  }

  get lines(): readonly HunkLine[] {
    return this.#contents().lines;
  }

  readonly pairCount = (pairing: Pairing) =>
    this.#isFixed || pairing === 'place' ? this.#pairs : this.pairs(pairing).length;
  readonly pairs = (pairing: Pairing) => this.#contents().views.pairs(pairing);
  readonly marksOf = (index: number) => this.#contents().views.marksOf(index);
  readonly shownOf = (index: number) => this.#contents().views.shownOf(index);
  readonly isBlankOnly = () => this.#contents().views.isBlankOnly();
  readonly isBlankChange = (index: number) => this.#contents().views.isBlankChange(index);
  /** Lines that were never read were never compared either. */
  readonly isSpent = () => this.#read?.views.isSpent() ?? false;
}

const lastNumber = (start = '0', count = '1') => Number(start) + Math.max(0, Number(count) - 1);

const PLUS = 0x2b;
const MINUS = 0x2d;
const BLANK = 0x20;
const LINE_END = 0x0a;

/** Lines that a hunk removes and adds, by their first characters only; none for a change without lines. */
export function countLines(diff: string): { readonly added: number; readonly removed: number } {
  if (!HEADER.test(diff)) return { added: 0, removed: 0 };
  let [added, removed] = [0, 0];
  for (let at = diff.indexOf('\n') + 1; at > 0 && at < diff.length; at = diff.indexOf('\n', at) + 1) {
    const marker = diff.charCodeAt(at);
    if (marker === PLUS) added += 1;
    else if (marker === MINUS) removed += 1;
  }
  return { added, removed };
}

/** The number of lines below the header, and their rows in two columns, by their first characters only. */
function measureBody(diff: string) {
  let [lines, pairs, removed, added] = [0, 0, 0, 0];
  let isFixed = true;
  const first = diff.indexOf('\n') + 1;
  for (let at = first; at > 0 && at < diff.length; at = diff.indexOf('\n', at) + 1) {
    const marker = diff.charCodeAt(at);
    if (marker === PLUS) added += 1;
    else if (marker === MINUS) removed += 1;
    else if (marker === BLANK || marker === LINE_END) {
      pairs += Math.max(removed, added) + 1;
      [removed, added] = [0, 0];
    } else continue;
    // One line beside several adds no row, whichever it is paired with.
    isFixed &&= removed < 2 || added < 2;
    lines += 1;
  }
  return { lines, pairs: pairs + Math.max(removed, added), isFixed };
}

/** For a line outside the hunk's body. */
export const NO_NUMBERS = { before: null, after: null, body: 0, isOpenEnd: false } as const;

const sectionOf = (diff: string, [numbers]: RegExpExecArray) =>
  diff.slice(numbers.length, diff.indexOf('\n')).trim();

const rangesOf = (header: RegExpExecArray) =>
  `${rangeWords(header[1], header[2])} → ${rangeWords(header[3], header[4])}`;

const rangeWords = (start = '0', count = '1'): string => `${start},${count}`;

/** A text's lines; a final line end does not begin another. */
export function splitText(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function wordLines(diff: string): readonly HunkLine[] {
  return splitText(diff).map((text): HunkLine => ({ ...NO_NUMBERS, op: 'words', text }));
}

const OPS: Readonly<Record<string, 'same' | 'removed' | 'added'>> = {
  ' ': 'same',
  '-': 'removed',
  '+': 'added',
};

function bodyLines(diff: string, header: RegExpExecArray): readonly HunkLine[] {
  let [before, after] = [Number(header[1]), Number(header[3])];
  const lines: HunkLine[] = [];
  for (const raw of splitText(diff.slice(diff.indexOf('\n') + 1))) {
    const op = OPS[raw[0] ?? ' '];
    if (op === undefined) {
      // The marker of a missing line end belongs to the previous line.
      const last = lines.pop();
      if (last !== undefined) lines.push({ ...last, isOpenEnd: true });
      continue;
    }
    lines.push({
      op,
      text: raw.slice(1),
      before: op === 'added' ? null : before,
      after: op === 'removed' ? null : after,
      body: lines.length + 1,
      isOpenEnd: false,
    });
    if (op !== 'added') before += 1;
    if (op !== 'removed') after += 1;
  }
  return lines;
}

type Views = Pick<HunkDoc, 'pairs' | 'marksOf' | 'shownOf' | 'isBlankChange' | 'isBlankOnly' | 'isSpent'>;

function viewsOf(lines: readonly HunkLine[]): Views {
  const pairs: { [P in Pairing]?: readonly SidePair[] } = {};
  let partners: Int32Array | null = null;
  const allPartners = (): Int32Array => {
    partners ??= partnersOf(lines);
    return partners;
  };
  const partnerOf = (index: number): number => allPartners()[index] ?? -1;
  const isBlankChange = (index: number): boolean => {
    const [line, other] = [lines[index], lines[partnerOf(index)]];
    if (line === undefined || other === undefined) return false;
    if (Math.max(line.text.length, other.text.length) > BLANKS_MAX_CHARACTERS) return false;
    return squeeze(line.text) === squeeze(other.text);
  };
  // An added or removed empty line is whitespace, too.
  const isQuiet = (line: HunkLine, index: number) =>
    (line.op !== 'added' && line.op !== 'removed') || line.text.trim() === '' || isBlankChange(index);
  let isBlankOnly: boolean | null = null;
  const marker = new WordMarker(HUNK_MARKS_MAX_TOKENS);
  const marks = new Map<number, readonly MarkedRange[]>();
  const marksOf = (index: number): readonly MarkedRange[] => {
    const partner = partnerOf(index);
    if (partner < 0) return [];
    if (!marks.has(index)) {
      const [removed, added] = lines[index]?.op === 'removed' ? [index, partner] : [partner, index];
      const found = marker.mark(lines[removed]?.text ?? '', lines[added]?.text ?? '');
      marks.set(removed, found.before);
      marks.set(added, found.after);
    }
    return marks.get(index) ?? [];
  };
  const shown = new Map<number, ShownLine>();
  /** The part of a long line to show: its change, or its beginning if unchanged. Null: all of a new line. */
  const partToShow = (index: number): MarkedRange | null => {
    const op = lines[index]?.op;
    if (op === 'same' || op === 'around') return [0, 0];
    const [own, other] = [marksOf(index), marksOf(partnerOf(index))];
    const [start, end] = [own.at(0)?.[0], own.at(-1)?.[1]];
    if (start !== undefined && end !== undefined) return [start, end];
    const at = other.at(0)?.[0];
    return at === undefined ? null : [at, at];
  };
  return {
    pairs: (pairing) => {
      const known = pairs[pairing] ?? sidePairs(lines, pairing === 'words' ? allPartners() : null);
      pairs[pairing] = known;
      return known;
    },
    isSpent: () => marker.isSpent,
    isBlankChange,
    isBlankOnly: () => {
      isBlankOnly ??= lines.some(({ body }) => body > 0) && lines.every(isQuiet);
      return isBlankOnly;
    },
    marksOf,
    shownOf: (index) => {
      const text = lines[index]?.text ?? '';
      if (text.length <= WHOLE_LINE_MAX_CHARACTERS) return showLine(text, null);
      const known = shown.get(index) ?? showLine(text, partToShow(index));
      shown.set(index, known);
      return known;
    },
  };
}

/** A side's last number is near the end: one side may end before the last line. */
function numberCellsOf(lines: readonly HunkLine[]): number {
  const before = lines.findLast((line) => line.before !== null)?.before;
  const after = lines.findLast((line) => line.after !== null)?.after;
  return before == null && after == null ? 0 : String(Math.max(before ?? 0, after ?? 0)).length;
}

/** Reads each hunk once; drops the cache of another suggestion. */
export type HunkDocs = (suggestionId: string, hunk: Hunk) => HunkDoc;

/** Makes the reader. */
export function createHunkDocs(): HunkDocs {
  let owner = '';
  const kept = new Map<string, HunkDoc>();
  return (suggestionId, hunk) => {
    if (owner !== suggestionId) {
      kept.clear();
      owner = suggestionId;
    }
    const known = kept.get(hunk.id);
    if (known !== undefined && known.diff === hunk.diff) return known;
    const doc = readHunk(hunk);
    kept.set(hunk.id, doc);
    return doc;
  };
}
