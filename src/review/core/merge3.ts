/** A three-way merge by lines, offered if a change no longer fits, but never applied unasked. */
import { concatBytes, fromLatin1, LF, sameBytes } from './bytes.ts';
import { type LineTable, lineRange } from './line-table.ts';
import { diffLines, type Region } from './text-diff.ts';

export interface Merge {
  /** The merged text. Where both sides changed the same lines, all three are between markers. */
  readonly text: Uint8Array;
  readonly conflicts: number;
}

/** Merges the changes from `base` to `theirs` into `ours`. */
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

/** Regions of both sides that touch the same base lines. */
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
    // Regions that merely touch form one group: their order would be a guess.
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

/** One side's version of the group's lines: its own regions widened to the group. */
function sideOf(side: LineTable, group: Group, regions: readonly Region[]): Uint8Array {
  const first = regions[0];
  const last = regions.at(-1);
  if (first === undefined || last === undefined) return new Uint8Array(0);
  return lineRange(side, first.bStart - (first.aStart - group.start), last.bEnd + (group.end - last.aEnd));
}
