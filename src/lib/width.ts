/** Measures text in terminal cells. Latin text and box drawing take a fast path; `string-width` measures the rest. */
import stringWidth from 'string-width';
import { lazy } from './lazy.ts';

/**
 * One cell each, no combining marks: printable ASCII, Latin-1, Latin Extended, dashes, quotes, ellipsis, arrows, box
 * drawing, blocks, and the marks that we draw with (symbols near these may take two cells).
 */
const NARROW =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718]*$/;

/** `NARROW`, plus two-cell characters that never join a neighbour: CJK, kana, Hangul syllables, full-width forms. */
const NARROW_OR_WIDE =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2713-\u2718\u3000-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

/** Whether each character takes one cell on every terminal. */
export const isNarrow = (text: string): boolean => NARROW.test(text);

/** How many characters of a `NARROW_OR_WIDE` text take two cells. */
function countWide(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= 0x3000) count += 1;
  return count;
}

/** Width of `text` in terminal cells. `text` must not contain TAB, LF or escape sequences (see `sanitize`). */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  return NARROW_OR_WIDE.test(text) ? text.length + countWide(text) : stringWidth(text);
}

/** Created on first use: the first segmenter of a process costs 16 ms. */
const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** User-perceived characters of `text`. */
export function graphemesOf(text: string): readonly string[] {
  if (NARROW_OR_WIDE.test(text)) return text.split('');
  return Array.from(segmenter().segment(text), (part) => part.segment);
}

/** The longest prefix of `text` that fits in `cells`; never splits a character. */
export function sliceCells(text: string, cells: number): string {
  if (NARROW.test(text)) return text.slice(0, Math.max(0, cells));
  let used = 0;
  let end = 0;
  for (const grapheme of graphemesOf(text)) {
    const width = widthOf(grapheme);
    if (used + width > cells) break;
    used += width;
    end += grapheme.length;
  }
  return text.slice(0, end);
}

/** `text` cut to `cells`, ending in `…` if something was cut. */
export function truncate(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  return cells <= 0 ? '' : `${sliceCells(text, cells - 1)}…`;
}

/** `text` padded on the right or cut to exactly `cells`. */
export function padEnd(text: string, cells: number): string {
  const fitted = truncate(text, cells);
  return fitted + ' '.repeat(Math.max(0, cells - widthOf(fitted)));
}
