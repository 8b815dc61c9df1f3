/** Handlers of the draft: revisions keep two companions from overwriting each other's changes. */
import { createHash } from 'node:crypto';
import { fail, ok, type Result } from '../../../lib/result.ts';
import type { CommandInput } from '../../../protocol/command.ts';
import type { DraftHead } from '../../../protocol/commands/draft.ts';
import type { DraftEdit, DraftLine } from '../../../protocol/draft.ts';
import { editBetween } from '../../../responses/core/draft-edit.ts';
import type { StoredHead } from '../../../store/draft-table.ts';
import type { StoreWriter } from '../../../store/store.ts';
import type { HandlerContext, Handlers } from '../handler.ts';

/** The limit of a draft as JSON text. */
export const DRAFT_MAX_BYTES = 4 * 1024 * 1024;

export const draftHandlers: Pick<Handlers, 'draft/load' | 'draft/save' | 'draft/append'> = {
  'draft/load': (input, context) => ok(context.store.drafts.get(input.key)),

  'draft/save': (input, context) => context.write((writer) => save(writer, context, input)),

  'draft/append': (input, context) =>
    context.write((writer) => {
      const head = writer.drafts.head(input.key);
      return keep(writer, context, head, appendNotes(head, input.text));
    }),
};

function save(
  writer: StoreWriter,
  context: HandlerContext,
  { key, baseRevision, edit, draft }: CommandInput<'draft/save'>,
): Result<DraftHead> {
  const head = writer.drafts.head(key);
  const wanted = edit ?? (draft === undefined ? null : editBetween(writer.drafts.get(key).draft, draft));
  if (wanted === null) return fail('invalid', 'A save needs "edit" or "draft".');
  if (head.revision === baseRevision) return keep(writer, context, head, wanted);
  // A repeat of our own save whose answer was lost.
  const isNext = head.revision === baseRevision + 1;
  const isDone = edit === undefined ? changesNothing(wanted) : head.lastEdit === nameOf(edit);
  if (isNext && isDone) return ok(headOf(head));
  return fail(
    'refused',
    `Another companion changed this draft (revision ${head.revision}, yours was ${baseRevision}).`,
    'Load it again; nothing was overwritten.',
  );
}

const changesNothing = ({ remove, lines, pulls }: DraftEdit) =>
  remove === 0 && lines.length === 0 && pulls === null;

const nameOf = (edit: DraftEdit) => createHash('sha256').update(JSON.stringify(edit)).digest('hex');

const headOf = ({ key, revision, updatedAt, lines }: StoredHead): DraftHead => ({
  key,
  revision,
  updatedAt,
  lines,
});

/** Writes the edit as the next revision of the draft and emits the event. */
function keep(
  writer: StoreWriter,
  context: HandlerContext,
  head: StoredHead,
  edit: DraftEdit,
): Result<DraftHead> {
  if (edit.from + edit.remove > head.lines) {
    return fail('invalid', `The draft has ${head.lines} lines; the edit concerns lines beyond them.`);
  }
  const lines = head.lines - edit.remove + edit.lines.length;
  const next = { key: head.key, revision: head.revision + 1, updatedAt: context.now(), lines };
  const bytes = writer.drafts.edit(next.key, edit, { ...next, lastEdit: nameOf(edit) });
  if (bytes > DRAFT_MAX_BYTES) {
    return fail(
      'refused',
      `The draft would have ${bytes} bytes; the limit is ${DRAFT_MAX_BYTES}.`,
      'Send or delete part of it first.',
    );
  }
  writer.emit({ type: 'draft/changed', key: next.key, revision: next.revision, client: context.client });
  return ok(next);
}

/** An edit that appends `text` as notes; a trailing line feed does not add an empty line. */
function appendNotes({ lines: count, nextLineId }: StoredHead, text: string): DraftEdit {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index): DraftLine => {
      return { id: nextLineId + index, text: line, tag: 'note', changed: false, origin: null };
    });
  return { from: count, remove: 0, lines, nextLineId: nextLineId + lines.length, pulls: null };
}
