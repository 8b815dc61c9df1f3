/** A three-way merge by line: offered where a change has no place any more, never taken by itself. */
import { concatBytes, fromLatin1, LF, sameBytes } from './bytes.ts';
import { type LineTable, lineRange } from './line-table.ts';
import { diffLines, type Region } from './text-diff.ts';

export interface Merge {
  /** The merged text; where both sides changed the same lines, all three stand between markers. */
  readonly text: Uint8Array;
  readonly conflicts: number;
}

/** Merges what `theirs` changed in `base` into `ours`. */
export function merge3(base: LineTable, ours: LineTable, theirs: LineTable): Merge {
  const groups = groupRegions(diffLines(base, ours), diffLines(base, theirs));
  const parts: Uint8Array[] = [];
  let conflicts = 0;
  let at = 0;
  const push = (part: Uint8Array) => {
    const last = parts.at(-1);
    if (part.length === 0) return;
    if (last !== undefined && last[last.length - 1] !== LF) parts.push(Uint8Array.of(LF));
    parts.push(part);
  };
  for (const group of groups) {
    push(lineRange(base, at, group.start));
    const own = sideOf(ours, group, group.ours);
    const their = sideOf(theirs, group, group.theirs);
    if (group.theirs.length === 0 || sameBytes(own, their)) push(own);
    else if (group.ours.length === 0) push(their);
    else {
      conflicts += 1;
      push(fromLatin1('<<<<<<< yours\n'));
      push(own);
      push(fromLatin1('||||||| base\n'));
      push(lineRange(base, group.start, group.end));
      push(fromLatin1('=======\n'));
      push(their);
      push(fromLatin1('>>>>>>> suggested\n'));
    }
    at = group.end;
  }
  push(lineRange(base, at, base.count));
  return { text: concatBytes(parts), conflicts };
}

/** Regions of both sides that touch the same lines of the base. */
interface Group {
  start: number;
  end: number;
  readonly ours: Region[];
  readonly theirs: Region[];
}

function groupRegions(ours: readonly Region[], theirs: readonly Region[]): Group[] {
  const all = [
    ...ours.map((region) => ({ region, side: 'ours' as const })),
    ...theirs.map((region) => ({ region, side: 'theirs' as const })),
  ].sort((a, b) => a.region.aStart - b.region.aStart || a.region.aEnd - b.region.aEnd);
  const groups: Group[] = [];
  for (const { region, side } of all) {
    const last = groups.at(-1);
    // Regions that only touch are one group: whose lines come first would be a guess.
    if (last !== undefined && region.aStart <= last.end) last.end = Math.max(last.end, region.aEnd);
    const group =
      last !== undefined && region.aStart <= last.end
        ? last
        : { start: region.aStart, end: region.aEnd, ours: [], theirs: [] };
    if (group !== last) groups.push(group);
    group[side].push(region);
  }
  return groups;
}

/** The group's lines as one side has them: its own regions widened to the group. */
function sideOf(side: LineTable, group: Group, regions: readonly Region[]): Uint8Array {
  const first = regions[0];
  const last = regions.at(-1);
  if (first === undefined || last === undefined) return new Uint8Array(0);
  return lineRange(side, first.bStart - (first.aStart - group.start), last.bEnd + (group.end - last.aEnd));
}
