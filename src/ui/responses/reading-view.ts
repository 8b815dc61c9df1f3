/** The response in view: wrapped rows with a gutter that marks cursor and selection. Pure. */
import { measure, type RowSpan, rowText, visibleRows } from '../../lib/text-layout.ts';
import { GUTTER_CELLS } from '../kit/layout.ts';
import { markCells, type Row, type Span, span } from '../kit/row.ts';
import { type Matcher, markMatches } from '../kit/search.ts';
import type { Theme } from '../kit/theme/theme.ts';
import type { CodeStyles } from './code-colors.ts';
import { type ReadingFrame, selectedLines } from './reading.ts';
import type { Styled, StyledLine } from './reading-doc.ts';
import type { ReadingPlace } from './state.ts';

export interface ReadingFacts {
  readonly frame: ReadingFrame;
  readonly place: ReadingPlace;
  readonly isFocused: boolean;
  readonly matcher: Matcher | null;
  /** The syntax of code lines, by line. */
  readonly codeStyles: CodeStyles;
}

/** Between two parts of a response, where the AI used its tools. */
const PART_MARK_CELLS = 3;

/** A response's visible rows. */
export function planReading(facts: ReadingFacts, columns: number, theme: Theme): readonly Row[] {
  const { frame, place, matcher } = facts;
  const selection = selectedLines(place);
  const width = Math.max(1, columns - GUTTER_CELLS);
  return visibleRows(frame.doc.lines, frame.spansOf, place.top, frame.height).map((position) => {
    const line = frame.doc.lines[position.line];
    const piece = line === undefined ? undefined : frame.rowsOf(line)[position.row];
    if (line === undefined || piece === undefined) return [];
    const isSelected =
      selection !== null && position.line >= selection.first && position.line <= selection.last;
    const isCursor =
      facts.isFocused && position.line === place.cursor.line && position.row === place.cursor.row;
    const drawn = rowText(piece.line.text, piece.span, width);
    if (piece.note !== null) {
      return [noteSign(piece.row, isCursor, theme), span(drawn, 'strong')];
    }
    if (line.text === '' && frame.doc.partStarts.includes(position.line + 1) && !isSelected && !isCursor) {
      return [span('  '), span(theme.glyphs.separator.repeat(PART_MARK_CELLS), 'rule')];
    }
    let row: Row = isSelected
      ? [span(drawn === '' ? ' ' : drawn, 'selection')]
      : styledRow(line, piece.span, drawn, facts.codeStyles.get(position.line));
    if (matcher !== null && !isSelected) row = markMatches(row, drawn, matcher, isCursor);
    const mark = isCursor || (isSelected && theme.options.depth === 'none') ? theme.glyphs.bar : ' ';
    return [span(`${mark} `, isCursor ? 'rule-active' : 'rule'), ...row];
  });
}

/** Distinguishes a note from the AI's words even without colour. */
function noteSign(row: number, isCursor: boolean, theme: Theme): Span {
  if (theme.options.plain) return span(row === 0 ? 'note: ' : '');
  if (isCursor) return span(`${theme.glyphs.bar} `, 'rule-active');
  return span(row === 0 ? `${theme.glyphs.modified} ` : '  ', 'key');
}

/** A row's drawn text with its line's styles. */
function styledRow(
  { text, styles }: StyledLine,
  { start, end, indent }: RowSpan,
  drawn: string,
  syntax?: readonly Styled[],
): Row {
  const cellOf = (offset: number): number => measure(text, { column: indent, from: start, to: offset });
  let row: Row = [span(drawn)];
  for (const [from, to, role] of syntax ?? styles) {
    const [first, last] = [Math.max(from, start), Math.min(to, end)];
    if (first < last) row = markCells(row, cellOf(first), cellOf(last), role);
  }
  return row;
}
