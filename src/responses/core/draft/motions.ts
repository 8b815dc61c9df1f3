/** Moves the cursor by grapheme, word, line and paragraph, as in vi and readline. Changes no text. */
import { graphemesOf } from '../../../lib/width.ts';
import type { Draft } from '../../../protocol/draft.ts';
import { type Cursor, type DraftMode, graphemeStops } from './cursor.ts';

export type Motion =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'word'
  | 'word-back'
  | 'word-end'
  | 'line-start'
  | 'first-character'
  | 'line-end'
  | 'first-line'
  | 'last-line'
  | 'paragraph'
  | 'paragraph-back';

/** The position, and the column for further vertical moves. */
export interface Moved {
  readonly cursor: Cursor;
  readonly goal: number | null;
}

const LINE_END = Number.MAX_SAFE_INTEGER;

type CharacterClass = 'blank' | 'word' | 'wide' | 'sign';

/** One motion. In insert mode, left and right move across lines, and the end is after the last character. */
export function move(
  draft: Draft,
  from: Cursor,
  motion: Motion,
  aim: { goal: number | null; mode: DraftMode },
): Moved {
  const last = Math.max(0, draft.lines.length - 1);
  switch (motion) {
    case 'left':
      return sideways(leftOf(draft, from, aim.mode));
    case 'right':
      return sideways(rightOf(draft, from, aim.mode));
    case 'up':
      return vertical(draft, from, Math.max(0, from.line - 1), aim);
    case 'down':
      return vertical(draft, from, Math.min(last, from.line + 1), aim);
    case 'word':
      return sideways(wordForward(draft, from));
    case 'word-back':
      return sideways(wordBack(draft, from));
    case 'word-end':
      return sideways(wordEnd(draft, from));
    case 'line-start':
      return sideways({ line: from.line, offset: 0 });
    case 'first-character':
      return sideways({ line: from.line, offset: textAt(draft, from.line).search(/\S|$/) });
    case 'line-end':
      return { cursor: lineEnd(draft, from.line, aim.mode), goal: LINE_END };
    case 'first-line':
      return vertical(draft, from, 0, aim);
    case 'last-line':
      return vertical(draft, from, last, aim);
    case 'paragraph':
      return sideways(paragraph(draft, from, 1));
    case 'paragraph-back':
      return sideways(paragraph(draft, from, -1));
  }
}

/** The start of the word before `offset`, skipping white space; `to` says what ends a word. */
export function wordStartBefore(text: string, offset: number, to: 'word' | 'blank'): number {
  const graphemes = graphemesOf(text.slice(0, offset));
  let at = graphemes.length;
  const classAt = (index: number) => {
    const found = classOf(graphemes[index] ?? ' ');
    return to === 'blank' && found !== 'blank' ? 'word' : found;
  };
  while (at > 0 && classAt(at - 1) === 'blank') at -= 1;
  const wanted = classAt(at - 1);
  while (at > 0 && classAt(at - 1) === wanted) at -= 1;
  return graphemes.slice(0, at).join('').length;
}

const sideways = (cursor: Cursor): Moved => ({ cursor, goal: null });

const textAt = (draft: Draft, line: number): string => draft.lines[line]?.text ?? '';

function lineEnd(draft: Draft, line: number, mode: DraftMode): Cursor {
  const stops = graphemeStops(textAt(draft, line));
  return { line, offset: stops[Math.max(0, stops.length - (mode === 'insert' ? 1 : 2))] ?? 0 };
}

function leftOf(draft: Draft, { line, offset }: Cursor, mode: DraftMode): Cursor {
  if (offset > 0)
    return { line, offset: graphemeStops(textAt(draft, line)).findLast((stop) => stop < offset) ?? 0 };
  return mode === 'insert' && line > 0 ? lineEnd(draft, line - 1, mode) : { line, offset };
}

function rightOf(draft: Draft, { line, offset }: Cursor, mode: DraftMode): Cursor {
  const end = lineEnd(draft, line, mode).offset;
  if (offset < end)
    return { line, offset: graphemeStops(textAt(draft, line)).find((stop) => stop > offset) ?? end };
  return mode === 'insert' && line + 1 < draft.lines.length
    ? { line: line + 1, offset: 0 }
    : { line, offset };
}

function vertical(
  draft: Draft,
  from: Cursor,
  line: number,
  aim: { goal: number | null; mode: DraftMode },
): Moved {
  const goal = aim.goal ?? graphemesOf(textAt(draft, from.line).slice(0, from.offset)).length;
  const stops = graphemeStops(textAt(draft, line));
  const last = Math.max(0, stops.length - (aim.mode === 'insert' ? 1 : 2));
  return { cursor: { line, offset: stops[Math.min(goal, last)] ?? 0 }, goal };
}

function classOf(grapheme: string): CharacterClass {
  if (/^\s/.test(grapheme)) return 'blank';
  if (/^[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]/.test(grapheme)) return 'wide';
  return /^[\p{L}\p{N}_]/u.test(grapheme) ? 'word' : 'sign';
}

interface Spot {
  readonly offset: number;
  readonly kind: CharacterClass;
}

function spotsOf(text: string): readonly Spot[] {
  let offset = 0;
  return graphemesOf(text).map((grapheme) => {
    const spot = { offset, kind: classOf(grapheme) };
    offset += grapheme.length;
    return spot;
  });
}

/** `w`: the next word's first character; an empty line counts as a word. */
function wordForward(draft: Draft, from: Cursor): Cursor {
  const spots = spotsOf(textAt(draft, from.line));
  const here = spots.findIndex((spot) => spot.offset >= from.offset);
  const kind = spots[here]?.kind;
  let at = here < 0 ? spots.length : here;
  while (at < spots.length && kind !== 'blank' && spots[at]?.kind === kind) at += 1;
  while (at < spots.length && spots[at]?.kind === 'blank') at += 1;
  const found = spots[at];
  if (found !== undefined) return { line: from.line, offset: found.offset };
  for (let line = from.line + 1; line < draft.lines.length; line += 1) {
    const text = textAt(draft, line);
    if (text === '') return { line, offset: 0 };
    const first = text.search(/\S/);
    if (first >= 0) return { line, offset: first };
  }
  return { line: from.line, offset: textAt(draft, from.line).length };
}

/** `b`: the first character of this word, or of the previous one. */
function wordBack(draft: Draft, from: Cursor): Cursor {
  const text = textAt(draft, from.line);
  if (text.slice(0, from.offset).trim() !== '') {
    return { line: from.line, offset: wordStartBefore(text, from.offset, 'word') };
  }
  for (let line = from.line - 1; line >= 0; line -= 1) {
    const above = textAt(draft, line);
    if (above === '') return { line, offset: 0 };
    if (above.trim() !== '') return { line, offset: wordStartBefore(above, above.length, 'word') };
  }
  return { line: from.line, offset: 0 };
}

/** `e`: the last character of this word, or of the next one. */
function wordEnd(draft: Draft, from: Cursor): Cursor {
  for (let line = from.line; line < draft.lines.length; line += 1) {
    const spots = spotsOf(textAt(draft, line));
    let at = line === from.line ? spots.findIndex((spot) => spot.offset > from.offset) : 0;
    if (at < 0) continue;
    while (at < spots.length && spots[at]?.kind === 'blank') at += 1;
    const kind = spots[at]?.kind;
    if (kind === undefined) continue;
    while (at + 1 < spots.length && spots[at + 1]?.kind === kind) at += 1;
    return { line, offset: spots[at]?.offset ?? 0 };
  }
  return { line: from.line, offset: textAt(draft, from.line).length };
}

/** `{` and `}`: the blank line before or after this paragraph, else the first or last line. */
function paragraph(draft: Draft, from: Cursor, direction: 1 | -1): Cursor {
  const isBlank = (line: number) => textAt(draft, line).trim() === '';
  const isInside = (line: number) => line >= 0 && line < draft.lines.length;
  let line = from.line;
  while (isInside(line) && isBlank(line)) line += direction;
  while (isInside(line) && !isBlank(line)) line += direction;
  if (isInside(line)) return { line, offset: 0 };
  const last = Math.max(0, draft.lines.length - 1);
  return direction < 0 ? { line: 0, offset: 0 } : { line: last, offset: textAt(draft, last).length };
}
