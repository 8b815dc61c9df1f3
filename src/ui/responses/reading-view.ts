/** The response in view: wrapped rows with a gutter that marks the cursor and the selection. Pure. */
import { rowText, visibleRows } from '../../lib/text-layout.ts';
import { GUTTER_CELLS } from '../kit/layout.ts';
import { type Row, span } from '../kit/row.ts';
import { type Matcher, markMatches } from '../kit/search.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';
import type { ReadingFrame } from './reading.ts';
import { selectedLines } from './reading.ts';
import type { LineKind } from './reading-docs.ts';
import type { ReadingPlace } from './state.ts';

export interface ReadingFacts {
  readonly frame: ReadingFrame;
  readonly place: ReadingPlace;
  readonly isFocused: boolean;
  readonly matcher: Matcher | null;
}

/** What stands between two parts of a response: there the AI used its tools. */
const PART_MARK_CELLS = 3;

const KIND_ROLES: Readonly<Record<LineKind, Role>> = { text: 'text', heading: 'heading', code: 'code' };

/** The visible rows of a response. */
export function planReading(facts: ReadingFacts, columns: number, theme: Theme): readonly Row[] {
  const { frame, place, matcher } = facts;
  const selection = selectedLines(place);
  const width = Math.max(1, columns - GUTTER_CELLS);
  return visibleRows(frame.doc.lines, frame.spansOf, place.top, frame.height).map((position) => {
    const line = frame.doc.lines[position.line];
    const spanOfRow = line === undefined ? undefined : frame.spansOf(line)[position.row];
    if (line === undefined || spanOfRow === undefined) return [];
    const isSelected =
      selection !== null && position.line >= selection.first && position.line <= selection.last;
    const isCursor =
      facts.isFocused && position.line === place.cursor.line && position.row === place.cursor.row;
    const role: Role = isSelected ? 'selection' : KIND_ROLES[frame.doc.kinds[position.line] ?? 'text'];
    const drawn = rowText(line.text, spanOfRow, width);
    if (line.text === '' && frame.doc.partStarts.includes(position.line + 1) && !isSelected && !isCursor) {
      return [span('  '), span(theme.glyphs.separator.repeat(PART_MARK_CELLS), 'rule')];
    }
    let row: Row = [span(drawn === '' && isSelected ? ' ' : drawn, role)];
    if (matcher !== null && !isSelected) row = markMatches(row, drawn, matcher, isCursor);
    const mark = isCursor || (isSelected && theme.options.depth === 'none') ? theme.glyphs.bar : ' ';
    return [span(`${mark} `, isCursor ? 'rule-active' : 'rule'), ...row];
  });
}
