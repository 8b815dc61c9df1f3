/**
 * A card: something long on one line, that opens. Tool calls, file maps, diffs and proposals all use it.
 * Pure: what it says comes in, the rows go out.
 */

import { type Row, rowWidth, type Span, span, spread } from '../kit/row.ts';
import type { Theme } from '../kit/theme/theme.ts';

/** Puts commas between facts in place of bars, which screen readers read aloud. */
function withoutBars({ text, role }: Span): Span {
  return span(text.replaceAll(' │ ', ', '), role);
}

/** Mark, sign and the blank before the title. */
const SIGN_CELLS = 4;
/** Fewest cells of a title that is cut to make room for its remark. */
const TITLE_MIN_CELLS = 20;

export interface Card {
  readonly title: Row;
  /** What stands at the right edge. */
  readonly remark: Row;
  readonly isOpen: boolean;
  /** There is something to open. */
  readonly hasBody: boolean;
  readonly isMarked: boolean;
}

/** The one row of a card; its body, if open, is the caller's. */
export function planCard(card: Card, columns: number, theme: Theme): Row {
  const { title, remark, isOpen, hasBody, isMarked } = card;
  if (theme.options.plain) {
    const state = hasBody ? (isOpen ? ' (open)' : ' (closed)') : '';
    const named = spread([span(isMarked ? '> ' : '  '), ...title.map(withoutBars)], remark, columns, theme);
    return [...named, span(state)];
  }
  const sign = hasBody ? (isOpen ? theme.glyphs.opened : theme.glyphs.closed) : theme.glyphs.separator;
  const shown = isMarked
    ? title.map((part) => (part.role === 'text' ? span(part.text, 'selected') : part))
    : title;
  const edge: Row = remark.length === 0 ? [] : [...remark, span(' ')];
  const room = columns - rowWidth(edge) - SIGN_CELLS;
  // What it is comes before how much it is.
  const isTight = room < Math.min(rowWidth(title), TITLE_MIN_CELLS);
  return spread(
    [span(`${isMarked ? theme.glyphs.bar : ' '}`, 'rule-active'), span(`${sign} `, 'dim'), ...shown],
    isTight ? [] : edge,
    columns,
    theme,
  );
}
