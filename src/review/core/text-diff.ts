/** The difference of two texts, by line and by bytes. */
import { alignSequences } from '../../lib/sequence-diff.ts';
import { LineInterner, type LineTable, lineRange } from './line-table.ts';
import type { Piece } from './piece.ts';

/** Lines `[aStart, aEnd)` of the one text stand where `[bStart, bEnd)` of the other do. */
export interface Region {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Where two texts differ, in order, with at least one equal line between two regions. */
export function diffLines(a: LineTable, b: LineTable): Region[] {
  const interner = new LineInterner();
  const partners = alignSequences(interner.add(a), interner.add(b));
  return regionsOf(partners, a.count, b.count);
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

/** The pieces that make `a` into `b`. */
export function piecesBetween(a: LineTable, b: LineTable): Piece[] {
  return diffLines(a, b).map((region, order) => ({
    start: region.aStart,
    end: region.aEnd,
    text: lineRange(b, region.bStart, region.bEnd),
    order,
  }));
}
