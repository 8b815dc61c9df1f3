/** A hunk's rows: header, remarks, body, and where each line is. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import type { Row } from '../kit/row.ts';
import type { BodyRows } from './body-rows.ts';
import type { HunkDoc } from './hunk-doc.ts';
import type { MovedBlock } from './moved-blocks.ts';
import type { Pairing } from './side-pairs.ts';

export type Sides = 'one' | 'two';

export interface Segment {
  readonly hunk: Hunk;
  /** Position in the file, from 0. */
  readonly index: number;
  readonly doc: HunkDoc;
  readonly moved: readonly MovedBlock[];
  /** Only its header is shown. */
  readonly isFolded: boolean;
  /** How its lines are paired in two columns. */
  readonly pairing: Pairing;
  /** Row of the file with its header. */
  readonly start: number;
  /** Between header and lines: reason, notes, comments. */
  readonly notes: readonly Row[];
  readonly body: BodyRows;
  /** The first row after it. */
  readonly end: number;
}

/** First row of a hunk's lines, counted from its header. */
export const bodyStart = (segment: Segment): number => 1 + segment.notes.length;

/** The hunk's lines in one of its rows (counted from its header); none for header, notes and remarks. */
export function linesAt(segment: Segment, row: number, sides: Sides): readonly number[] {
  const at = segment.body.at(row - bodyStart(segment));
  if (at?.kind !== 'entry') return [];
  if (sides === 'one') return [at.entry];
  const pair = segment.doc.pairs(segment.pairing)[at.entry];
  if (pair === undefined) return [];
  return pair.left === pair.right ? [pair.left] : [pair.left, pair.right].filter((index) => index >= 0);
}

/** The row (counted from the header) of a line. */
export function rowOfLine(segment: Segment, line: number, sides: Sides): number {
  const entry = sides === 'one' ? line : entryOfLine(segment, line);
  return bodyStart(segment) + segment.body.rowOf(Math.max(0, entry));
}

/** The pair that contains a line. */
export function entryOfLine({ doc, pairing }: Pick<Segment, 'doc' | 'pairing'>, line: number): number {
  return doc.pairs(pairing).findIndex(({ left, right }) => left === line || right === line);
}

/** The row (counted from the header) where a hunk's own lines begin; null if none are shown. */
export function leadOf(segment: Segment, sides: Sides): number | null {
  const { own } = segment.doc;
  return own.count === 0 ? null : rowOfLine(segment, own.from, sides);
}
