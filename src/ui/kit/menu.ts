/** A menu with one row per entry, and a yes/no question. Pure. */
import { wrapEntries } from './list.ts';
import { indented, type Row, span, spread } from './row.ts';
import type { Theme } from './theme/theme.ts';

export interface MenuRow {
  readonly left: Row;
  readonly right: Row;
}

/** A menu's first entry in view. */
export function menuTop(cursor: number, total: number, rows: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(rows / 2), total - rows));
}

/** A menu: one row per entry, with a pointer at the marked one, scrolled to show it. */
export function planMenu(
  entries: readonly MenuRow[],
  cursor: number,
  size: { readonly columns: number; readonly rows: number },
  theme: Theme,
): readonly Row[] {
  const top = menuTop(cursor, entries.length, size.rows);
  const visible = entries.slice(top, top + size.rows);
  if (theme.options.plain) {
    const rows = visible.map(({ left, right }, index): Row => {
      const pointer = span(top + index === cursor ? '> ' : '  ');
      return spread([pointer, ...left], right, size.columns, theme);
    });
    return wrapEntries(rows, cursor - top, size);
  }
  return visible.map((entry, index) => {
    const isMarked = top + index === cursor;
    const pointer = span(`${isMarked ? theme.glyphs.pointer : ' '} `, 'rule-active');
    const left = isMarked
      ? entry.left.map((part) => (part.role === 'text' ? span(part.text, 'selected') : part))
      : entry.left;
    return spread([pointer, ...left], [...entry.right, span(' ')], size.columns, theme);
  });
}

/** A question and its two keys. */
export function planConfirm(question: string, columns: number): readonly Row[] {
  return [[], ...indented(question, columns, 'text'), []];
}
