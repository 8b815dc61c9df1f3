/**
 * One line of a file as cells: what is hidden becomes visible, words that differ get a role of their own. Only
 * the cells in view are made, so a line of megabytes costs as much as a short one. Pure.
 */
import { sanitize } from '../../lib/sanitize.ts';
import { graphemesOf, widthOf } from '../../lib/width.ts';
import type { MarkedRange } from '../../lib/word-marks.ts';
import type { Role } from '../theme/role.ts';
import type { Theme } from '../theme/theme.ts';
import { type Row, type Span, span } from './row.ts';

/** TAB goes on to the next multiple of this. */
const TAB_STOP_CELLS = 4;
/** Characters read for each cell in view: enough for joined emoji, and a bound for a hostile line. */
const CHARACTERS_PER_CELL = 12;

const PLAIN_TEXT = /^[\u0020-\u007e]*$/;

export interface CodeLine {
  readonly text: string;
  readonly marks: readonly MarkedRange[];
  readonly role: Role;
  readonly markRole: Role;
  /** Changed lines show TABs and blanks at the end: they are often what changed. */
  readonly showBlanks: boolean;
}

/** Cells `[shift, shift + width)` of a line; what goes on beyond is said by an ellipsis. */
export function planCodeLine(line: CodeLine, shift: number, width: number, theme: Theme): Row {
  if (width <= 0) return [];
  const isPlain = PLAIN_TEXT.test(line.text.slice(0, (shift + width + 1) * CHARACTERS_PER_CELL));
  if (isPlain && line.marks.length === 0 && !line.text.endsWith(' ')) {
    const part = line.text.slice(shift, shift + width);
    return line.text.length <= shift + width
      ? [span(part, line.role)]
      : [span(part.slice(0, -1) + theme.glyphs.ellipsis, line.role)];
  }
  return cellsOf(line, shift, width, theme);
}

function cellsOf(line: CodeLine, shift: number, width: number, theme: Theme): Row {
  const read = line.text.slice(0, (shift + width + 1) * CHARACTERS_PER_CELL);
  const blanksFrom = line.showBlanks ? line.text.trimEnd().length : line.text.length;
  const row = new RowBuilder();
  let column = 0;
  let offset = 0;
  for (const grapheme of graphemesOf(read)) {
    const cells = grapheme === '\t' ? TAB_STOP_CELLS - (column % TAB_STOP_CELLS) : 0;
    const drawn =
      grapheme === '\t'
        ? (line.showBlanks ? theme.glyphs.arrow : ' ') + ' '.repeat(cells - 1)
        : visible(grapheme, offset >= blanksFrom, theme);
    const next = column + (grapheme === '\t' ? cells : widthOf(drawn));
    if (next > shift + width) return row.cut(theme.glyphs.ellipsis, column === next ? 0 : 1, width);
    const role = isMarked(line.marks, offset) ? line.markRole : line.role;
    if (column >= shift) row.add(drawn, role);
    else if (next > shift) row.add(' '.repeat(next - shift), role);
    column = next;
    offset += grapheme.length;
  }
  return read.length < line.text.length ? row.cut(theme.glyphs.ellipsis, 1, width) : row.spans;
}

/** A grapheme as it is drawn: nothing hides, a no-break blank is not taken for one. */
function visible(grapheme: string, isTrailing: boolean, theme: Theme): string {
  if (grapheme === '\u00a0') return '<00A0>';
  if (grapheme === ' ') return isTrailing ? theme.glyphs.space : ' ';
  return grapheme === '\n' ? '' : sanitize(grapheme);
}

function isMarked(marks: readonly MarkedRange[], offset: number): boolean {
  return marks.some(([start, end]) => offset >= start && offset < end);
}

/** Collects cells; neighbours of one role become one span. */
class RowBuilder {
  readonly spans: Span[] = [];
  #width = 0;

  add(text: string, role: Role): void {
    const last = this.spans.at(-1);
    if (last?.role === role) this.spans[this.spans.length - 1] = span(last.text + text, role);
    else this.spans.push(span(text, role));
    this.#width += widthOf(text);
  }

  /** The row with an ellipsis at its end, which takes the place of the last cell where there is no other. */
  cut(ellipsis: string, cells: number, width: number): Row {
    if (cells === 0) return this.spans;
    if (this.#width < width) return [...this.spans, span(ellipsis, 'dim')];
    const last = this.spans.at(-1);
    if (last === undefined) return [];
    const kept = graphemesOf(last.text).slice(0, -1).join('');
    return [...this.spans.slice(0, -1), span(kept, last.role), span(ellipsis, 'dim')];
  }
}
