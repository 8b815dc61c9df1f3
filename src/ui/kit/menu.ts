/** Rows to choose from: one row an entry. And a question that is answered by yes or no. Pure. */
import { wrapEntries } from './list.ts';
import { indented, type Row, span, spread } from './row.ts';
import type { Theme } from './theme/theme.ts';

export interface MenuRow {
  readonly left: Row;
  readonly right: Row;
}

/** The first entry of a menu in view. */
export function menuTop(cursor: number, total: number, rows: number): number {
  return Math.max(0, Math.min(cursor - Math.floor(rows / 2), total - rows));
}

/** A menu: one row an entry, the marked one with the pointer; scrolled so that it is in view. */
export function planMenu(
  entries: readonly MenuRow[],
  cursor: number,
  size: { readonly columns: number; readonly rows: number },
  theme: Theme,
): readonly Row[] {
  const top = menuTop(cursor, entries.length, size.rows);
  const visible = entries.slice(top, top + size.rows);
  if (theme.options.plain) {
    const whole = visible.map(({ left, right }, index): Row => {
      const pointer = span(top + index === cursor ? '> ' : '  ');
      return spread([pointer, ...left], right, size.columns, theme);
    });
    return wrapEntries(whole, cursor - top, size);
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

/** A question with its two keys. */
export function planConfirm(question: string, columns: number): readonly Row[] {
  return [[], ...indented(question, columns, 'text'), []];
}
