/** The chat's layout: which entry each row belongs to, wrapped once per entry, width and card state. Pure. */

import { createLineWrapper, rowText, type SpansOf } from '../../lib/text-layout.ts';
import { keepEach, keepLast } from '../kit/memo.ts';
import type { ChatEntry } from './entries.ts';

export type ChatRow =
  | { readonly kind: 'title'; readonly entry: ChatEntry }
  | { readonly kind: 'text'; readonly entry: ChatEntry; readonly text: string }
  | { readonly kind: 'gap'; readonly entry: ChatEntry };

export interface ChatLayout {
  readonly rows: readonly ChatRow[];
  readonly firstRow: ReadonlyMap<string, number>;
}

/** Most rows of a card's body; the rest is counted. */
const BODY_MAX_ROWS = 2_000;

/** Lays out entries; an unchanged entry is not wrapped again. */
export type LayChat = (
  entries: readonly ChatEntry[],
  columns: number,
  opened: ReadonlySet<string>,
) => ChatLayout;

/** Makes the layout, which caches each entry's rows for as long as the entry lives. */
export function createLayChat(): LayChat {
  const keepRows = keepEach<ChatEntry, readonly ChatRow[]>();
  const keepLayout = keepLast<ChatLayout>();
  const spansAt = createLineWrapper();
  return (entries, columns, opened) =>
    keepLayout([entries, columns, opened], () => {
      const rows: ChatRow[] = [];
      const firstRow = new Map<string, number>();
      for (const [index, entry] of entries.entries()) {
        if (index > 0 && needsGap(entry, entries[index - 1])) rows.push({ kind: 'gap', entry });
        firstRow.set(entry.id, rows.length);
        const isOpen = opened.has(entry.id);
        const room = { columns, spansOf: spansAt(columns), isOpen };
        for (const row of keepRows(entry, [columns, isOpen], () => rowsOf(entry, room))) rows.push(row);
      }
      return { rows, firstRow };
    });
}

/** Cards and notes follow each other directly; messages have empty rows around them. */
function needsGap(entry: ChatEntry, before: ChatEntry | undefined): boolean {
  const isClose = (one: ChatEntry | undefined) => one?.kind === 'card' || one?.kind === 'note';
  return !(isClose(entry) && isClose(before));
}

/** Whether an entry's text is shown; for a card, only while it is open. */
export const isBodyShown = (entry: ChatEntry, isOpen: boolean): boolean => entry.kind !== 'card' || isOpen;

function rowsOf(
  entry: ChatEntry,
  { columns, spansOf, isOpen }: { columns: number; spansOf: SpansOf; isOpen: boolean },
): readonly ChatRow[] {
  const rows: ChatRow[] = entry.title.length === 0 ? [] : [{ kind: 'title', entry }];
  if (!isBodyShown(entry, isOpen)) return rows;
  for (const [index, line] of entry.lines.entries()) {
    if (rows.length > BODY_MAX_ROWS) {
      rows.push({ kind: 'text', entry, text: `… ${entry.lines.length - index} more lines` });
      break;
    }
    for (const part of spansOf(line)) {
      rows.push({ kind: 'text', entry, text: rowText(line.text, part, columns) });
    }
  }
  return rows;
}
