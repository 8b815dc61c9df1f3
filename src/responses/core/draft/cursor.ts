/** Where a cursor may be: on an existing line, at the beginning of a grapheme. */
import { graphemesOf } from '../../../lib/width.ts';
import type { Draft } from '../../../protocol/draft.ts';

/** `visual` selects whole lines. */
export type DraftMode = 'normal' | 'insert' | 'visual';

/** A place in the draft: line index, and UTF-16 offset at the beginning of a grapheme. */
export interface Cursor {
  readonly line: number;
  readonly offset: number;
}

/** `cursor` moved to an existing line and the beginning of a grapheme; in normal mode not past the last character. */
export function clampCursor(draft: Draft, cursor: Cursor, mode: DraftMode): Cursor {
  const line = Math.max(0, Math.min(cursor.line, draft.lines.length - 1));
  const text = draft.lines[line]?.text ?? '';
  const offset = clampOffset(text, cursor.offset, mode);
  return line === cursor.line && offset === cursor.offset ? cursor : { line, offset };
}

function clampOffset(text: string, offset: number, mode: DraftMode): number {
  if (offset <= 0 || text === '') return 0;
  const stops = graphemeStops(text);
  const last = mode === 'insert' ? stops.length - 1 : Math.max(0, stops.length - 2);
  let low = 0;
  for (let high = last; low < high; ) {
    const middle = (low + high + 1) >>> 1;
    if ((stops[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return stops[low] ?? 0;
}

/** The offsets at which a cursor may be, including the end of the text. */
export function graphemeStops(text: string): readonly number[] {
  const stops = [0];
  let offset = 0;
  for (const grapheme of graphemesOf(text)) {
    offset += grapheme.length;
    stops.push(offset);
  }
  return stops;
}
