/** The draft in view: response lines dim, changed ones marked, notes in normal colour, and the cursor. Pure. */
import { positionOf, type RowPosition, rowText, type SpansOf, visibleRows } from '../../lib/text-layout.ts';
import type { DraftLine } from '../../protocol/draft.ts';
import { GUTTER_CELLS } from '../kit/layout.ts';
import { type CursorCell, type Row, span } from '../kit/row.ts';
import { type Matcher, markMatches } from '../kit/search.ts';
import type { Role } from '../kit/theme/role.ts';
import type { Theme } from '../kit/theme/theme.ts';

export interface DraftFacts {
  readonly lines: readonly DraftLine[];
  readonly spansOf: SpansOf;
  readonly top: RowPosition;
  readonly cursor: { readonly line: number; readonly offset: number };
  readonly selection: { readonly first: number; readonly last: number } | null;
  readonly isFocused: boolean;
  readonly matcher: Matcher | null;
}

/** The draft's visible rows, and the terminal's cursor among them. */
export function planDraft(
  facts: DraftFacts,
  size: { readonly columns: number; readonly rows: number },
  theme: Theme,
): { readonly rows: readonly Row[]; readonly cursor: CursorCell | null } {
  const width = Math.max(1, size.columns - GUTTER_CELLS);
  let cursor: CursorCell | null = null;
  const at = facts.isFocused ? cursorPosition(facts) : null;
  const rows = visibleRows(facts.lines, facts.spansOf, facts.top, size.rows).map((position, y): Row => {
    const line = facts.lines[position.line];
    const part = line === undefined ? undefined : facts.spansOf(line)[position.row];
    if (line === undefined || part === undefined) return [];
    if (at !== null && position.line === facts.cursor.line && position.row === at.row) {
      cursor = { x: Math.min(size.columns - 1, GUTTER_CELLS + at.column), y };
    }
    const isSelected =
      facts.selection !== null &&
      position.line >= facts.selection.first &&
      position.line <= facts.selection.last;
    const drawn = rowText(line.text, part, width);
    const role = isSelected ? 'selection' : roleOf(line);
    const text: Row = [span(drawn === '' && isSelected ? ' ' : drawn, role)];
    return [
      gutter(line, position.row, facts.isFocused && position.line === facts.cursor.line, theme),
      ...(facts.matcher === null || isSelected ? text : markMatches(text, drawn, facts.matcher, false)),
    ];
  });
  return { rows, cursor };
}

function cursorPosition(facts: DraftFacts): { readonly row: number; readonly column: number } | null {
  const line = facts.lines[facts.cursor.line];
  return line === undefined ? null : positionOf(line.text, facts.spansOf(line), facts.cursor.offset);
}

function roleOf(line: DraftLine): Role {
  if (line.tag === 'note') return 'note';
  return line.changed ? 'changed' : 'response';
}

/** Response lines have no mark; a changed one has a mark for those who see no colour. */
function gutter(line: DraftLine, row: number, isCursor: boolean, theme: Theme): { text: string; role: Role } {
  if (theme.options.plain) {
    const word = line.tag === 'note' ? 'note: ' : line.changed ? 'changed: ' : 'response: ';
    return span(row === 0 ? word : '');
  }
  if (line.tag === 'response' && line.changed && row === 0) return span('~ ', 'changed');
  return span(isCursor ? `${theme.glyphs.bar} ` : '  ', isCursor ? 'rule-active' : 'rule');
}
