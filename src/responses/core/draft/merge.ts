/** Takes the draft back from an editor that knows no tags. The user is asked about a line that is ambiguous. */
import { alignSequences, Interner } from '../../../lib/sequence-diff.ts';
import type { Draft, DraftLine } from '../../../protocol/draft.ts';
import { extractNotes, type LineKind, type LineMark } from '../notes.ts';
import { type DraftChange, type DraftState, noteLine } from './model.ts';

/** The draft with its text replaced by `texts`; null if they equal its lines. */
export function mergeText({ draft, cursor }: DraftState, texts: readonly string[]): DraftChange | null {
  const old = draft.lines;
  if (texts.length === old.length && texts.every((text, index) => text === old[index]?.text)) return null;
  const kept = keptLines(draft, texts);
  const contested = contestedTexts(draft, texts);
  const buffer = texts.map((text, index) => {
    const line = kept[index] ?? null;
    const mark: LineMark = line === null || contested.has(text) ? 'unknown' : line.tag;
    return { text, mark, changed: line?.changed ?? false };
  });
  const { kinds, origins } = extractNotes(buffer, draft.pulls, { marks: 'firm' });
  let nextLineId = draft.nextLineId;
  const lines = texts.map((text, index) => {
    const line = kept[index] ?? null;
    if (line !== null && !contested.has(text)) return line;
    const origin = origins[index] ?? null;
    const at = origin === null ? null : { turnId: origin.turnId, row: origin.row };
    const kind = contested.has(text) ? 'ambiguous' : (kinds[index] ?? 'note');
    nextLineId += 1;
    return taggedLine(nextLineId - 1, text, { kind, at });
  });
  const sameLine = lines.findIndex((line) => line.id === old[cursor.line]?.id);
  return { lines, nextLineId, cursor: sameLine < 0 ? cursor : { line: sameLine, offset: cursor.offset } };
}

/** For each text, the old line with that text, in order; null for new text. */
function keptLines(draft: Draft, texts: readonly string[]): readonly (DraftLine | null)[] {
  const interner = new Interner();
  const olds = interner.idsOf(draft.lines.map((line) => line.text));
  const partners = alignSequences(interner.idsOf(texts), olds);
  return texts.map((_, index) => draft.lines[partners[index] ?? -1] ?? null);
}

/** Texts that both a note and a response line had, one of which is gone: we cannot tell which. */
function contestedTexts(draft: Draft, texts: readonly string[]): ReadonlySet<string> {
  const tags = new Map<string, Set<string>>();
  const left = new Map<string, number>();
  for (const { text, tag } of draft.lines) {
    if (text.trim() === '') continue;
    tags.set(text, (tags.get(text) ?? new Set()).add(tag));
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  for (const text of texts) left.set(text, (left.get(text) ?? 0) - 1);
  return new Set(
    [...tags].filter(([text, both]) => both.size > 1 && (left.get(text) ?? 0) > 0).map(([text]) => text),
  );
}

interface Verdict {
  readonly kind: LineKind;
  readonly at: DraftLine['origin'];
}

function taggedLine(id: number, text: string, { kind, at }: Verdict): DraftLine {
  if (kind === 'note' || kind === 'blank') return noteLine(id, text);
  return { id, text, tag: 'response', changed: kind !== 'response', origin: at };
}
