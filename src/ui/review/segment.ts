/** The rows of one hunk below each other: header, what is said about it, its body. Where each line stands. Pure. */
import type { Hunk } from '../../protocol/review.ts';
import type { Row } from '../kit/row.ts';
import type { BodyRows } from './body-rows.ts';
import type { HunkDoc } from './hunk-doc.ts';
import type { MovedBlock } from './moved-blocks.ts';
import type { Pairing } from './side-pairs.ts';

export type Sides = 'one' | 'two';

export interface Segment {
  readonly hunk: Hunk;
  /** Place in the file, from 0. */
  readonly index: number;
  readonly doc: HunkDoc;
  readonly moved: readonly MovedBlock[];
  /** Only its header is shown. */
  readonly isFolded: boolean;
  /** How its lines stand in two columns. */
  readonly pairing: Pairing;
  /** Row of the file where its header stands. */
  readonly start: number;
  /** Between header and lines: reason, notes, comments. */
  readonly notes: readonly Row[];
  readonly body: BodyRows;
  /** First row after it. */
  readonly end: number;
}

/** First row of the lines of a hunk, counted from its header. */
export const bodyStart = (segment: Segment): number => 1 + segment.notes.length;

/** Lines of the hunk that stand in a row of it (counted from its header); none in header, notes and remarks. */
export function linesAt(segment: Segment, row: number, sides: Sides): readonly number[] {
  const at = segment.body.at(row - bodyStart(segment));
  if (at?.kind !== 'entry') return [];
  if (sides === 'one') return [at.entry];
  const pair = segment.doc.pairs(segment.pairing)[at.entry];
  if (pair === undefined) return [];
  return pair.left === pair.right ? [pair.left] : [pair.left, pair.right].filter((index) => index >= 0);
}

/** The row of a hunk (counted from its header) where a line of it stands. */
export function rowOfLine(segment: Segment, line: number, sides: Sides): number {
  const entry = sides === 'one' ? line : entryOfLine(segment, line);
  return bodyStart(segment) + segment.body.rowOf(Math.max(0, entry));
}

/** The pair that a line is in. */
export function entryOfLine({ doc, pairing }: Pick<Segment, 'doc' | 'pairing'>, line: number): number {
  return doc.pairs(pairing).findIndex(({ left, right }) => left === line || right === line);
}

/** The row of a hunk (counted from its header) where its own lines begin; null where none are shown. */
export function leadOf(segment: Segment, sides: Sides): number | null {
  const { own } = segment.doc;
  return own.count === 0 ? null : rowOfLine(segment, own.from, sides);
}
