/** Turns edits with quotes into a patch. A quote must occur exactly once, or the edit must say which place. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import { type ByteString, concatBytes, displayBytes, fromLatin1 } from './bytes.ts';
import { formatFile, type PatchSide } from './format-diff.ts';
import { lineTable } from './line-table.ts';
import { MODE_FILE } from './patch-model.ts';
import type { TextEdit } from './text-edits.ts';

/** A target file; text with one character per byte. */
export interface EditedFile {
  readonly text: ByteString;
  readonly mode: number;
}

const CONTEXT_LINES = 3;
/** Most places that a sentence names. */
const NAMED_PLACES_MAX = 3;
const QUOTED_MAX_CHARACTERS = 60;

/** The patch of all edits in order. `files`: the content at each path; null for nothing. */
export function patchOfEdits(
  edits: readonly TextEdit[],
  files: ReadonlyMap<ByteString, EditedFile | null>,
  nameBlob: (bytes: Uint8Array) => string,
): Result<Uint8Array> {
  const now = new Map(files);
  /** A moved file's old name, by its new one. */
  const moved = new Map<ByteString, ByteString>();
  for (const edit of edits) {
    const done = apply(edit, now);
    if (!done.ok) return done;
    if (edit.new_path === undefined) continue;
    moved.set(edit.new_path, moved.get(edit.file_path) ?? edit.file_path);
    moved.delete(edit.file_path);
  }
  const side = (path: ByteString, file: EditedFile | null): PatchSide | null => {
    if (file === null) return null;
    const bytes = fromLatin1(file.text);
    return { path, mode: file.mode, table: lineTable(bytes), blob: nameBlob(bytes) };
  };
  const paths = [...now.keys()];
  return ok(
    concatBytes(
      paths.map((path) => {
        const from = moved.get(path) ?? path;
        const [before, after] = [files.get(from) ?? null, now.get(path) ?? null];
        const isGone = after === null && [...moved.values()].includes(path);
        return isGone || (before === null && after === null)
          ? new Uint8Array(0)
          : formatFile(side(from, before), side(path, after), CONTEXT_LINES);
      }),
    ),
  );
}

function apply(edit: TextEdit, now: Map<ByteString, EditedFile | null>): Result<null> {
  const { file_path: path, old_text: old, new_text: fresh } = edit;
  const file = now.get(path) ?? null;
  if (file === null && (old !== null || fresh === null))
    return fail(
      'invalid',
      `${displayBytes(path)} is not in the project; an edit needs the file that it changes.`,
    );
  if (edit.new_path !== undefined) return move(path, edit.new_path, now);
  if (fresh === null) {
    now.set(path, null);
    return ok(null);
  }
  if (old === null) return create(path, fresh, now);
  if (file === null) return ok(null);
  const placed = place(edit, file.text);
  if (!placed.ok) return placed;
  now.set(path, { ...file, text: placed.value });
  return ok(null);
}

function move(from: ByteString, to: ByteString, now: Map<ByteString, EditedFile | null>): Result<null> {
  if ((now.get(to) ?? null) !== null)
    return fail('invalid', `${displayBytes(from)} cannot move to ${displayBytes(to)}, which exists already.`);
  now.set(to, now.get(from) ?? null);
  now.set(from, null);
  return ok(null);
}

function create(path: ByteString, text: ByteString, now: Map<ByteString, EditedFile | null>): Result<null> {
  const there = now.get(path) ?? null;
  if (there !== null && there.text.trim() !== '')
    return fail(
      'invalid',
      `${displayBytes(path)} exists already, and the edit does not quote the lines that it changes.`,
    );
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  now.set(path, { text: whole, mode: there?.mode ?? MODE_FILE });
  return ok(null);
}

const LINES = /[^\n]*\n|[^\n]+$/g;
const bare = (line: string) => line.replace(/\r?\n$/, '');
/** How lines are compared: exactly, then without trailing blanks. */
const VIEWS: readonly ((line: string) => string)[] = [bare, (line) => bare(line).trimEnd()];

function place(edit: TextEdit, text: ByteString): Result<ByteString> {
  const lines = text.match(LINES) ?? [];
  const old = quoted(edit.old_text ?? '');
  const fresh = quoted(edit.new_text ?? '');
  const found = VIEWS.map((view) => placesOf(lines.map(view), old.map(view))).find((some) => some.length > 0);
  if (found === undefined) return placeIndented(edit, lines, { old, fresh });
  const at = found.length === 1 ? found[0] : meant(edit, lines, found);
  if (at === undefined) return ambiguous(edit, found);
  return ok(spliced(lines, at, { old, fresh }));
}

interface Quotes {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

const spliced = (lines: readonly string[], at: number, { old, fresh }: Quotes) =>
  [
    ...lines.slice(0, at),
    ...replaced(lines.slice(at, at + old.length), old, fresh),
    ...lines.slice(at + old.length),
  ].join('');

/** A quote indented differently from its file by constant blanks: the new lines are shifted the same way. */
function placeIndented(edit: TextEdit, lines: readonly string[], quotes: Quotes): Result<ByteString> {
  const trimmed = (line: string) => bare(line).trim();
  const key = quotes.old.findIndex((line) => line.trim() !== '');
  const found = placesOf(lines.map(trimmed), quotes.old.map(trimmed)).flatMap((at) => {
    const moveLine = key === -1 ? null : shift(bare(lines[at + key] ?? ''), quotes.old[key] ?? '');
    const old = moveLine === null ? [] : quotes.old.map(moveLine);
    const isHere =
      old.length > 0 && old.every((line, i) => line?.trimEnd() === bare(lines[at + i] ?? '').trimEnd());
    const fresh = moveLine === null || !isHere ? [] : quotes.fresh.map(moveLine);
    return isHere && !fresh.includes(null) ? [{ at, quotes: { old, fresh } as Quotes }] : [];
  });
  if (found.length === 0) return missing(edit, quotes.old);
  const places = found.map(({ at }) => at);
  const place = places.length === 1 ? places[0] : meant(edit, lines, places);
  const one = found.find(({ at }) => at === place);
  return one === undefined ? ambiguous(edit, places) : ok(spliced(lines, one.at, one.quotes));
}

/** Shifts a line as `quoted` is shifted to match `there`; null for a line with too few blanks. */
function shift(there: string, quoted: string): ((line: string) => string | null) | null {
  const [wanted, written] = [there, quoted].map((line) => /^\s*/.exec(line)?.[0] ?? '');
  if (wanted === undefined || written === undefined) return null;
  const isBlank = (line: string) => line.trim() === '';
  if (wanted.endsWith(written)) {
    const added = wanted.slice(0, wanted.length - written.length);
    return (line) => (isBlank(line) ? line : added + line);
  }
  const taken = written.slice(0, written.length - wanted.length);
  if (!written.endsWith(wanted)) return null;
  return (line) => (isBlank(line) ? line : line.startsWith(taken) ? line.slice(taken.length) : null);
}

/** A quote's lines; it has no final line end. */
const quoted = (text: string): readonly string[] =>
  text === '' ? [] : text.split('\n').map((line) => line.replace(/\r$/, ''));

function placesOf(lines: readonly string[], quote: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at + quote.length <= lines.length; at += 1)
    if (quote.every((line, index) => lines[at + index] === line)) places.push(at);
  return places;
}

/** The place that the edit identifies by a line number or a line above it. */
function meant(
  { near, below }: TextEdit,
  lines: readonly string[],
  places: readonly number[],
): number | undefined {
  const atNumber = places.find((place) => place + 1 === near);
  if (atNumber !== undefined || below === undefined) return atNumber;
  const anchors = [...lines.keys()].filter((at) => bare(lines[at] ?? '').trim() === below.trim());
  const [anchor] = anchors;
  return anchors.length === 1 && anchor !== undefined ? places.find((place) => place > anchor) : undefined;
}

/** The new lines with the line end of the lines they replace; unchanged lines keep their bytes. */
function replaced(
  there: readonly string[],
  old: readonly string[],
  fresh: readonly string[],
): readonly string[] {
  const interner = new Interner();
  const kept = alignSequences(interner.idsOf(fresh), interner.idsOf(old));
  const end = /\r?\n$/.exec(there[0] ?? '')?.[0] ?? '\n';
  const lastEnd = /\r?\n$/.exec(there.at(-1) ?? '')?.[0] ?? '';
  return fresh.map((line, at) => {
    const own = there[kept[at] ?? -1];
    const text = own === undefined ? line : bare(own);
    const ownEnd = own === undefined ? end : (/\r?\n$/.exec(own)?.[0] ?? end);
    return `${text}${at === fresh.length - 1 ? lastEnd : ownEnd}`;
  });
}

function missing({ file_path }: TextEdit, old: readonly string[]): Result<never> {
  const first = displayBytes((old.find((line) => line.trim() !== '') ?? '').trim());
  const shown = first.length > QUOTED_MAX_CHARACTERS ? `${first.slice(0, QUOTED_MAX_CHARACTERS)}…` : first;
  return fail(
    'invalid',
    `${displayBytes(file_path)} does not contain the lines to replace, which begin with "${shown}".`,
    'The file has changed since, or they are quoted otherwise; quote them as they are now.',
  );
}

function ambiguous({ file_path }: TextEdit, places: readonly number[]): Result<never> {
  const named = places.slice(0, NAMED_PLACES_MAX).map((at) => at + 1);
  const more = places.length > named.length ? ` and ${places.length - named.length} more` : '';
  return fail(
    'invalid',
    `The lines to replace stand in ${displayBytes(file_path)} ${places.length} times (at lines ${named.join(', ')}${more}).`,
    'Quote more lines around them, so that one place is meant.',
  );
}
