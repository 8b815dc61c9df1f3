/** A list longer than its pane. Pure. */
import { rowText, wrapLine } from '../../lib/text-layout.ts';
import { type Row, rowPlainText, type Size, span } from './row.ts';

/** The first row in view, such that the marked one is visible. */
export function listTop(top: number, selected: number, total: number, height: number): number {
  if (height <= 0) return 0;
  const least = Math.max(0, selected - height + 1);
  const most = Math.max(0, Math.min(selected, total - height));
  return Math.min(Math.max(top, least), Math.max(most, least));
}

/** Entries for plain mode, each in full, from the first one unless that would hide the marked one. */
export function wrapEntries(
  entries: readonly Row[],
  marked: number,
  { columns, rows }: Size,
): readonly Row[] {
  const wrapped = entries.map((entry) => {
    const text = rowPlainText(entry);
    return wrapLine(text, columns).map((part): Row => [span(rowText(text, part, columns).trimEnd())]);
  });
  const endOf = (first: number) => wrapped.slice(first, marked + 1).flat().length;
  let first = 0;
  while (first < marked && endOf(first) > rows) first++;
  return wrapped.slice(first).flat().slice(0, rows);
}
