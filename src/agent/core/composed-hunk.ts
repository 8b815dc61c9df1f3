/** A hunk of a proposal, and which lines are close enough to be one. Pure. */
import type { Region } from '../../review/core/text-diff.ts';

/** Lines with one decision. Spans several edits only if lines move between them. */
export interface ComposedHunk {
  readonly regions: readonly Region[];
  readonly editIds: readonly string[];
  readonly rationale: string | null;
}

/** Regions of one edit that are this close form one hunk: three lines of context on each side. */
export const JOIN_MAX_LINES = 6;

export function joinClose(regions: readonly Region[]): Region[][] {
  const groups: Region[][] = [];
  for (const region of regions) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && region.aStart - last.aEnd <= JOIN_MAX_LINES)
      group.push(region);
    else groups.push([region]);
  }
  return groups;
}
