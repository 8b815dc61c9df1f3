/** What would go out of the draft: its notes, and the lines about which the human must decide. Pure. */

import type { Result } from '../../../lib/result.ts';
import type { NoteContext } from '../../../protocol/draft.ts';
import { type ComposedMessage, composeMessage } from '../../../responses/core/compose.ts';
import { type DraftState, extractDraftNotes } from '../../../responses/core/draft.ts';
import type { NoteItem } from '../../../responses/core/notes.ts';

export interface Outgoing {
  /** Changed and ambiguous lines: each goes out only when chosen. */
  readonly open: readonly NoteItem[];
  readonly message: Result<ComposedMessage>;
  /** Ids of the draft lines that go out. */
  readonly lineIds: readonly number[];
}

export interface OutgoingOptions {
  readonly context: NoteContext;
  /** Buffer lines of open items that were chosen. */
  readonly chosen: readonly number[];
  /** Only these lines; null means all. */
  readonly range: { readonly first: number; readonly last: number } | null;
}

/** Reads the draft as it would be sent. */
export function readOutgoing(state: DraftState, { context, chosen, range }: OutgoingOptions): Outgoing {
  const { lines, pulls } = state.draft;
  const extracted = extractDraftNotes(state.draft);
  const items = extracted.items.filter(
    ({ line }) => range === null || (line >= range.first && line <= range.last),
  );
  const going = new Set(chosen);
  return {
    open: items.filter((item) => item.kind !== 'note' && item.text.trim() !== ''),
    message: composeMessage(items, { context, pulls, chosen: going }),
    lineIds: items.flatMap((item) =>
      item.kind === 'note' || going.has(item.line) ? (lines[item.line]?.id ?? []) : [],
    ),
  };
}
