/**
 * Syntax of a hunk from the syntax of its whole file: what begins above the hunk (a comment, a string, a fence) is
 * told only there. A hunk is found in the text by its own lines, since the text may have moved on. Pure.
 */
import type { HunkLine } from './hunk-doc.ts';
import type { ColoredLine } from './port.ts';

/** How far from its number a line is looked for. */
const MOVED_MAX_LINES = 2_000;

/** One side of a file. */
export interface ColoredSide {
  readonly lines: readonly string[];
  readonly colors: readonly ColoredLine[];
}

/** Both sides; null where the text is not known. */
export interface ColoredFile {
  readonly before: ColoredSide | null;
  readonly after: ColoredSide | null;
}

/** The colours of each line, by index; null where a side that is needed does not have the hunk's lines. */
export function colorsInFile(lines: readonly HunkLine[], file: ColoredFile): readonly ColoredLine[] | null {
  const removed = lines.some(({ op }) => op === 'removed');
  const kept = lines.some(({ op }) => op !== 'removed');
  const before = removed ? placeOf(lines, 'before', file.before) : null;
  const after = kept ? placeOf(lines, 'after', file.after) : null;
  if ((removed && before === null) || (kept && after === null)) return null;
  return lines.map((line) => {
    const side = line.op === 'removed' ? file.before : file.after;
    const shift = (line.op === 'removed' ? before : after) ?? 0;
    const number = line.op === 'removed' ? line.before : line.after;
    return side?.colors[(number ?? 0) - 1 + shift] ?? [];
  });
}

/** By how many lines the side of a hunk has moved; null where it is nowhere near. */
function placeOf(
  lines: readonly HunkLine[],
  which: 'before' | 'after',
  side: ColoredSide | null,
): number | null {
  if (side === null) return null;
  const own = lines.filter((line) => line[which] !== null);
  const fits = (shift: number) =>
    own.every((line) => side.lines[(line[which] ?? 0) - 1 + shift] === line.text);
  for (let distance = 0; distance <= Math.min(MOVED_MAX_LINES, side.lines.length); distance += 1) {
    if (fits(distance)) return distance;
    if (fits(-distance)) return -distance;
  }
  return null;
}
