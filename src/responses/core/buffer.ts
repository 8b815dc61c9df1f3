/**
 * Pulls into and clears an editor's buffer: `extractNotes` turns its lines into a draft, which the companion's own
 * reducer changes. Returns edits of whole lines; removes only lines of the AI.
 */
import type { Draft, DraftLine, DraftPull } from '../../protocol/draft.ts';
import type { BufferEdit, NotesEdits } from '../../protocol/notes.ts';
import { type DraftAction, openDraft, reduceDraft } from './draft.ts';
import { type Anchor, type BufferLine, type ExtractedNotes, extractNotes } from './notes.ts';

export interface EditorBuffer {
  readonly lines: readonly BufferLine[];
  readonly pulls: readonly DraftPull[];
}

export interface BufferPull {
  readonly pull: DraftPull;
  /** The line below which it is inserted, from 0. */
  readonly below: number;
  /** Newer than all others in the buffer. */
  readonly newest: boolean;
}

/** The edits that insert a response into the buffer, or replace the earlier pull of the same turn. */
export function pullIntoBuffer(buffer: EditorBuffer, { pull, below, newest }: BufferPull): NotesEdits {
  return change(buffer, { type: 'draft/pull', turnId: pull.turnId, lines: pull.lines, newest }, below);
}

/** The edits that remove the response lines. */
export function clearBuffer(buffer: EditorBuffer): NotesEdits {
  return change(buffer, { type: 'draft/clear-pulled' }, 0);
}

function change(buffer: EditorBuffer, action: DraftAction, line: number): NotesEdits {
  const before = draftOf(buffer);
  const opened = openDraft(before);
  const cursor = { line: Math.min(line, Math.max(0, before.lines.length - 1)), offset: 0 };
  const after = reduceDraft({ ...opened, cursor }, action).draft;
  const stays = new Set(after.lines.map(({ id }) => id));
  const kept = before.lines.flatMap(({ id, tag, changed, origin }, at) =>
    origin !== null && tag === 'response' && !changed && stays.has(id) ? [{ line: at, ...origin }] : [],
  );
  return { edits: editsBetween(before.lines, after.lines), kept };
}

/** The buffer as a draft; ids count the lines from 1. */
function draftOf({ lines, pulls }: EditorBuffer): Draft {
  const extracted = extractNotes(lines, pulls);
  const blanks = blankOrigins(lines, pulls, extracted);
  const tagged = lines.map(({ text }, at): DraftLine => {
    const kind = extracted.kinds[at] ?? 'note';
    const origin = blanks.get(at) ?? extracted.origins[at] ?? null;
    const isTheirs = (kind !== 'note' && kind !== 'blank') || blanks.has(at);
    const isChanged = kind === 'changed' || kind === 'ambiguous';
    return {
      id: at + 1,
      text,
      tag: isTheirs && origin !== null ? 'response' : 'note',
      changed: isTheirs && origin !== null && isChanged,
      origin: isTheirs && origin !== null ? { turnId: origin.turnId, row: origin.row } : null,
    };
  });
  return { lines: tagged, pulls: [...pulls], nextLineId: lines.length + 1 };
}

/** Blank lines of a response, with their row: by a mark, or by position between two of its lines. */
function blankOrigins(
  lines: readonly BufferLine[],
  pulls: readonly DraftPull[],
  { kinds, origins }: ExtractedNotes,
): ReadonlyMap<number, Anchor> {
  const rows = new Map(pulls.map((pull) => [pull.turnId, pull.lines]));
  const found = new Map<number, Anchor>();
  let above: Anchor | null = null;
  let run: number[] = [];
  for (let at = 0; at <= lines.length; at += 1) {
    if (kinds[at] === 'blank') {
      run.push(at);
      continue;
    }
    const below = kinds[at] === 'response' ? (origins[at] ?? null) : null;
    const room = blankRowsBetween(above, below, rows);
    run.forEach((blank, nth) => {
      const owner = above ?? below;
      if (owner !== null && (nth < room || lines[blank]?.mark === 'response')) found.set(blank, owner);
    });
    run = [];
    above = kinds[at] === 'response' ? (origins[at] ?? null) : null;
  }
  return found;
}

function blankRowsBetween(
  above: Anchor | null,
  below: Anchor | null,
  rows: ReadonlyMap<string, readonly string[]>,
): number {
  if (above === null || below === null || above.turnId !== below.turnId) return 0;
  const between = rows.get(above.turnId)?.slice(above.row + 1, below.row) ?? [];
  return between.every((row) => row.trim() === '') ? between.length : 0;
}

/** Edits from `before` to `after`; kept lines have the same id and order. */
function editsBetween(before: readonly DraftLine[], after: readonly DraftLine[]): BufferEdit[] {
  const edits: BufferEdit[] = [];
  let [old, next] = [0, 0];
  while (old < before.length || next < after.length) {
    const [at, from] = [old, next];
    while (next < after.length && isFresh(after[next], before.length)) next += 1;
    const kept = after[next]?.id ?? before.length + 1;
    while (old < before.length && (before[old]?.id ?? 0) < kept) old += 1;
    if (old > at || next > from) edits.push({ at, remove: old - at, ...contentOf(after.slice(from, next)) });
    if (next < after.length) {
      old += 1;
      next += 1;
    }
  }
  return edits;
}

/** New lines as content of an edit: notes become quotes above the rows of the response. */
function contentOf(fresh: readonly DraftLine[]): Pick<BufferEdit, 'quotes' | 'from' | 'to'> {
  const rows = fresh.filter(({ tag }) => tag === 'response');
  const quotes = fresh.filter(({ tag }) => tag === 'note').map(({ text }) => text);
  const from = rows[0]?.origin?.row ?? 0;
  return { quotes, from, to: from + rows.length };
}

function isFresh(line: DraftLine | undefined, known: number): boolean {
  return line !== undefined && line.id > known;
}
