/** The difference between two texts, by lines and by bytes. */
import { alignSequences } from '../../lib/sequence-diff.ts';
import { LF } from './bytes.ts';
import { LineInterner, type LineTable, lineRange, lineTable } from './line-table.ts';
import type { Piece } from './piece.ts';

/** Lines `[aStart, aEnd)` of one text correspond to `[bStart, bEnd)` of the other. */
export interface Region {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Where two texts differ, in order, separated by at least one equal line. */
export function diffLines(a: LineTable, b: LineTable): Region[] {
  const interner = new LineInterner();
  const partners = alignSequences(interner.add(a), interner.add(b));
  return regionsOf(partners, a.count, b.count);
}

/** The lines between the common beginning and the common end of both texts. */
export function differingLines(a: Uint8Array, b: Uint8Array) {
  const most = Math.min(a.length, b.length);
  let from = 0;
  while (from < most && a[from] === b[from]) from += 1;
  from = a.subarray(0, from).lastIndexOf(LF) + 1;
  let end = 0;
  while (end < most - from && a[a.length - end - 1] === b[b.length - end - 1]) end += 1;
  const isStart = (text: Uint8Array) => text.length === end || text[text.length - end - 1] === LF;
  const next = a.indexOf(LF, a.length - end);
  if (!isStart(a) || !isStart(b)) end = next < 0 ? 0 : a.length - next - 1;
  return {
    old: a.subarray(from, a.length - end),
    new: b.subarray(from, b.length - end),
    linesBefore: lineTable(a.subarray(0, from)).count,
    linesAfter: lineTable(a.subarray(a.length - end)).count,
  };
}

/** The regions between the pairs of an alignment. */
function regionsOf(partners: Int32Array, aCount: number, bCount: number): Region[] {
  const regions: Region[] = [];
  let aStart = 0;
  let bStart = 0;
  for (let a = 0; a <= aCount; a += 1) {
    const partner = a === aCount ? bCount : (partners[a] ?? -1);
    if (partner < 0) continue;
    if (a > aStart || partner > bStart) regions.push({ aStart, aEnd: a, bStart, bEnd: partner });
    aStart = a + 1;
    bStart = partner + 1;
  }
  return regions;
}

/** The pieces that turn `a` into `b`. */
export function piecesBetween(a: LineTable, b: LineTable): Piece[] {
  return diffLines(a, b).map((region, order) => ({
    start: region.aStart,
    end: region.aEnd,
    text: lineRange(b, region.bStart, region.bEnd),
    order,
  }));
}
