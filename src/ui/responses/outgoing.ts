/** What the draft would send: its notes, and the lines that the user must decide on. */

import { fail, type Result } from '../../lib/result.ts';
import type { Draft, NoteContext } from '../../protocol/draft.ts';
import { type ComposedMessage, composeMessage } from '../../responses/core/compose.ts';
import { extractDraftNotes } from '../../responses/core/draft.ts';
import type { ExtractedNotes, NoteItem } from '../../responses/core/notes.ts';
import { keepEach, keepLast } from '../kit/memo.ts';

export interface Outgoing {
  /** Changed and ambiguous lines, each sent only if chosen. */
  readonly open: readonly NoteItem[];
  readonly message: Result<ComposedMessage>;
  readonly lineIds: readonly number[];
}

interface OutgoingWish {
  readonly context: NoteContext;
  /** Draft lines of open items that were chosen. */
  readonly chosen: readonly number[];
  /** Only these lines; null: all. */
  readonly range: { readonly first: number; readonly last: number } | null;
  /** Ids of lines already being sent. */
  readonly sending: readonly number[];
}

export type ReadOutgoing = (draft: Draft, wanted: OutgoingWish) => Outgoing;

/** Makes the reader, which caches per draft: telling notes from pulled lines takes 0.1 s for 20,000. */
export function createOutgoingReader(): ReadOutgoing {
  const keepNotes = keepEach<Draft, ExtractedNotes>();
  const keep = keepLast<Outgoing>();
  return (draft, wanted) => {
    const { context, chosen, range, sending } = wanted;
    return keep([draft, context, chosen, range, sending], () => {
      const notes = keepNotes(draft, [], () => extractDraftNotes(draft));
      return readOutgoing(draft, notes, wanted);
    });
  };
}

function readOutgoing(
  { lines, pulls }: Draft,
  notes: ExtractedNotes,
  { context, chosen, range, sending }: OutgoingWish,
): Outgoing {
  const items = notes.items.filter(
    ({ line }) =>
      (range === null || (line >= range.first && line <= range.last)) &&
      !sending.includes(lines[line]?.id ?? Number.NaN),
  );
  const going = new Set(chosen);
  return {
    open: items.filter((item) => item.kind !== 'note' && item.text.trim() !== ''),
    message:
      items.length === 0 && sending.length > 0
        ? fail('refused', 'Your notes are already on their way.')
        : composeMessage(items, { context, pulls, chosen: going }),
    lineIds: items.flatMap((item) =>
      item.kind === 'note' || going.has(item.line) ? (lines[item.line]?.id ?? []) : [],
    ),
  };
}
