/**
 * Inserted or removed lines may stand at several places with the same result: `} function b() {` or `function b() { }`.
 * Moves them to where they begin with the least indentation, below a blank line, and not with an end. Pure.
 */
import { sameBytes } from '../../review/core/bytes.ts';
import { type LineTable, lineRange } from '../../review/core/line-table.ts';
import type { Region } from '../../review/core/text-diff.ts';

/** The most lines that a region moves by, up or down. */
const SLIDE_MAX_LINES = 200;

/** The regions between `a` and `b`, each still apart from its neighbours. */
export function slideRegions(regions: readonly Region[], a: LineTable, b: LineTable): Region[] {
  const slid: Region[] = [];
  regions.forEach((region, i) => {
    const before = slid.at(-1);
    const room = {
      up: before === undefined ? region.aStart : region.aStart - before.aEnd - 1,
      down: i + 1 < regions.length ? (regions[i + 1]?.aStart ?? 0) - region.aEnd - 1 : a.count - region.aEnd,
    };
    const by = bestSlide(region, room, a, b);
    const { aStart, aEnd, bStart, bEnd } = region;
    slid.push({ aStart: aStart + by, aEnd: aEnd + by, bStart: bStart + by, bEnd: bEnd + by });
  });
  return slid;
}

interface Room {
  readonly up: number;
  readonly down: number;
}

function bestSlide({ aStart, aEnd, bStart, bEnd }: Region, room: Room, a: LineTable, b: LineTable): number {
  // What is replaced has one place only.
  if (aStart < aEnd && bStart < bEnd) return 0;
  const [table, start, end] = aStart < aEnd ? [a, aStart, aEnd] : [b, bStart, bEnd];
  const isSame = (one: number, other: number) =>
    sameBytes(lineRange(table, one, one + 1), lineRange(table, other, other + 1));
  let up = 0;
  while (up < Math.min(room.up, SLIDE_MAX_LINES) && isSame(start - up - 1, end - up - 1)) up += 1;
  let down = 0;
  while (down < Math.min(room.down, SLIDE_MAX_LINES) && isSame(start + down, end + down)) down += 1;
  let best = { by: 0, cost: Number.POSITIVE_INFINITY };
  for (let by = -up; by <= down; by += 1) {
    const cost = costOf(table, start + by, end + by);
    // Among equal places the lowest, like git.
    if (cost <= best.cost) best = { by, cost };
  }
  return best.by;
}

const decoder = new TextDecoder();
const END = /^\s*(?:[)}\]]|end\b|fi\b|done\b|esac\b|<\/)/;

function costOf(table: LineTable, start: number, end: number): number {
  const textAt = (line: number) => decoder.decode(lineRange(table, line, line + 1)).trimEnd();
  let head = start;
  while (head < end - 1 && textAt(head) === '') head += 1;
  const text = textAt(head);
  const indent = text.length - text.trimStart().length;
  const isBelowBlank = start === 0 || textAt(start - 1) === '';
  return indent * 8 + (END.test(text) ? 4 : 0) + (head > start ? 2 : 0) + (isBelowBlank ? 0 : 1);
}
