/** The titled rule above every pane. Pure. */
import { fitRow, type Row, rowWidth, span, spread } from './row.ts';
import type { Role } from './theme/role.ts';
import type { Theme } from './theme/theme.ts';

/** A rule with a title on the left and a remark on the right. */
export function planRule(title: Row, remark: Row, columns: number, theme: Theme, isActive: boolean): Row {
  if (theme.options.plain) {
    return title.length === 0 ? [] : spread([span('# '), ...title], remark, columns, theme);
  }
  const role: Role = isActive ? 'rule-active' : 'rule';
  const line = theme.glyphs.horizontal;
  if (title.length === 0 && remark.length === 0) return [span(line.repeat(columns), role)];
  const head: Row = [span(`${line} `, role), ...title, span(' ')];
  const room = columns - rowWidth(head) - RULE_EDGE_CELLS;
  const shown = room < REMARK_MIN_CELLS ? [] : fitRow(remark, room, theme);
  const tail: Row = shown.length === 0 ? [] : [span(' '), ...shown, span(` ${line}`, role)];
  const gap = columns - rowWidth(head) - rowWidth(tail);
  if (gap < 0) return fitRow(head, columns, theme);
  return [...head, span(line.repeat(gap), role), ...tail];
}

/** Cells of the frame around a remark. */
const RULE_EDGE_CELLS = 4;
/** A remark that would be shorter is omitted. */
const REMARK_MIN_CELLS = 6;
