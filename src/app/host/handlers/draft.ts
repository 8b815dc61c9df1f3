/** Handlers of the draft: revisions keep two companions from overwriting each other. */
import { isDeepStrictEqual } from 'node:util';
import { fail, ok, type Result } from '../../../lib/result.ts';
import type { StoredDraft } from '../../../protocol/commands/draft.ts';
import type { Draft, DraftLine } from '../../../protocol/draft.ts';
import type { StoreWriter } from '../../../store/store.ts';
import type { HandlerContext, Handlers } from '../handler.ts';

/** A draft as JSON text; it travels whole with every change. */
export const DRAFT_MAX_BYTES = 4 * 1024 * 1024;

export const draftHandlers: Pick<Handlers, 'draft/load' | 'draft/save' | 'draft/append'> = {
  'draft/load': (input, context) => ok(context.store.drafts.get(input.key)),

  'draft/save': (input, context) =>
    context.write((writer) => {
      const stored = writer.drafts.get(input.key);
      if (stored.revision === input.baseRevision) return keep(writer, context, stored, input.draft);
      // Our own save whose answer was lost: the text stands there already.
      const saved = stored.revision === input.baseRevision + 1;
      if (saved && isDeepStrictEqual(stored.draft, input.draft)) return ok(stored);
      return fail(
        'refused',
        `Another companion changed this draft (revision ${stored.revision}, yours was ${input.baseRevision}).`,
        'Load it again; nothing was overwritten.',
      );
    }),

  'draft/append': (input, context) =>
    context.write((writer) => {
      const stored = writer.drafts.get(input.key);
      return keep(writer, context, stored, appendNotes(stored.draft, input.text));
    }),
};

/** Writes `draft` as the next revision of `stored` and tells everyone. */
function keep(
  writer: StoreWriter,
  context: HandlerContext,
  stored: StoredDraft,
  draft: Draft,
): Result<StoredDraft> {
  const bytes = Buffer.byteLength(JSON.stringify(draft));
  if (bytes > DRAFT_MAX_BYTES) {
    return fail(
      'refused',
      `The draft would have ${bytes} bytes; the limit is ${DRAFT_MAX_BYTES}.`,
      'Send or delete part of it first.',
    );
  }
  const next: StoredDraft = {
    key: stored.key,
    draft,
    revision: stored.revision + 1,
    updatedAt: context.now(),
  };
  writer.drafts.put(next);
  writer.emit({ type: 'draft/changed', draft: next, client: context.client });
  return ok(next);
}

/** `text` as notes at the end; the line feed at its own end opens no further line. */
function appendNotes(draft: Draft, text: string): Draft {
  const notes = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map(
      (line, index): DraftLine => ({
        id: draft.nextLineId + index,
        text: line,
        tag: 'note',
        changed: false,
        origin: null,
      }),
    );
  return { ...draft, lines: [...draft.lines, ...notes], nextLineId: draft.nextLineId + notes.length };
}
