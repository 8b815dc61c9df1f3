/** Reads a diff made for display: numbered lines, gaps as `...`, a missing line end not marked. */
import { latin1 } from '../../review/core/bytes.ts';
import type { EditHunk } from './turn-edits.ts';

const LINE = /^([ +-])\s*(\d+) (.*)$/s;

/** The hunks. Removed and context lines have old line numbers, added lines new ones. */
export function screenHunks(diff: string): readonly EditHunk[] {
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = [];
  let open: (typeof hunks)[number] | null = null;
  let shift = 0;
  for (const line of latin1(new TextEncoder().encode(diff)).split('\n')) {
    const [, marker, digits, text] = LINE.exec(line) ?? [];
    if (marker === undefined) {
      open = null;
      continue;
    }
    const number = Number(digits);
    if (open === null) {
      const old = marker === '+' ? number - shift : number;
      open = { oldStart: old, newStart: old + shift, lines: [] };
      hunks.push(open);
    }
    open.lines.push(`${marker}${text}\n`);
    if (marker === '+') shift += 1;
    else if (marker === '-') shift -= 1;
  }
  return hunks.map(withoutOld).filter(({ lines }) => lines.some((line) => line[0] !== ' '));
}

/** A hunk of only added lines has the number of the line before it. */
function withoutOld(hunk: EditHunk): EditHunk {
  return hunk.lines.every((line) => line[0] === '+') ? { ...hunk, oldStart: hunk.oldStart - 1 } : hunk;
}
