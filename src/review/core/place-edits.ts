/** Turns edits with quotes into a patch. A quote must occur exactly once, or the edit must say which place. Pure. */
import { fail, ok, type Result } from '../../lib/result.ts';
import { alignSequences, Interner } from '../../lib/sequence-diff.ts';
import type { Steps } from '../../lib/steps.ts';
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
/** Lines that are compared for all edits of a patch. */
const COMPARED_MAX_LINES = 10_000_000;
/** Lines compared between two pauses. */
const COMPARED_AT_ONCE = 10_000;
/** Of longer quotes, lines that stay are not looked for. */
const ALIGNED_MAX_LINES = 5_000;

/** A file while its edits are placed: its lines, with their ends. */
interface Working {
  readonly lines: readonly string[];
  readonly mode: number;
}

type Files = Map<ByteString, Working | null>;

/** The lines that may still be compared. */
interface Budget {
  left: number;
}

/** The patch of all edits in order. `files`: the content at each path; null for nothing. */
export function* patchOfEdits(
  edits: readonly TextEdit[],
  files: ReadonlyMap<ByteString, EditedFile | null>,
  nameBlob: (bytes: Uint8Array) => string,
): Steps<Result<Uint8Array>> {
  const now: Files = new Map();
  for (const [path, file] of files)
    now.set(path, file === null ? null : { lines: file.text.match(LINES) ?? [], mode: file.mode });
  const budget = { left: COMPARED_MAX_LINES };
  /** A moved file's old name, by its new one. */
  const moved = new Map<ByteString, ByteString>();
  for (const edit of edits) {
    const done = yield* apply(edit, now, budget);
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
  const parts: Uint8Array[] = [];
  for (const [path, working] of now) {
    yield;
    const from = moved.get(path) ?? path;
    const before = files.get(from) ?? null;
    const after = working === null ? null : { text: working.lines.join(''), mode: working.mode };
    const isGone = after === null && [...moved.values()].includes(path);
    if (isGone || (before === null && after === null)) continue;
    parts.push(formatFile(side(from, before), side(path, after), CONTEXT_LINES));
  }
  return ok(concatBytes(parts));
}

function* apply(edit: TextEdit, now: Files, budget: Budget): Steps<Result<null>> {
  yield;
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
  const placed = yield* place(edit, file.lines, budget);
  if (budget.left < 0) return tooMuch();
  if (!placed.ok) return placed;
  now.set(path, { ...file, lines: placed.value });
  return ok(null);
}

const tooMuch = () =>
  fail(
    'refused',
    'The edits are too many, or quote too many lines, to find their places in files of this length.',
    'Send a unified diff: "git diff" makes it.',
  );

function move(from: ByteString, to: ByteString, now: Files): Result<null> {
  if ((now.get(to) ?? null) !== null)
    return fail('invalid', `${displayBytes(from)} cannot move to ${displayBytes(to)}, which exists already.`);
  now.set(to, now.get(from) ?? null);
  now.set(from, null);
  return ok(null);
}

function create(path: ByteString, text: ByteString, now: Files): Result<null> {
  const there = now.get(path) ?? null;
  if (there?.lines.some((line) => line.trim() !== '') === true)
    return fail(
      'invalid',
      `${displayBytes(path)} exists already, and the edit does not quote the lines that it changes.`,
    );
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  now.set(path, { lines: whole.match(LINES) ?? [], mode: there?.mode ?? MODE_FILE });
  return ok(null);
}

const LINES = /[^\n]*\n|[^\n]+$/g;
const bare = (line: string) =>
  line.endsWith('\r\n') ? line.slice(0, -2) : line.endsWith('\n') ? line.slice(0, -1) : line;
const trimmed = (line: string) => bare(line).trim();
/** How lines are compared: exactly, then without trailing blanks. */
const VIEWS: readonly View[] = [bare, (line) => bare(line).trimEnd()];
type View = (line: string) => string;

function* place(edit: TextEdit, lines: readonly string[], budget: Budget): Steps<Result<readonly string[]>> {
  const quotes = { old: quoted(edit.old_text ?? ''), fresh: quoted(edit.new_text ?? '') };
  for (const view of VIEWS) {
    const found = yield* placesOf(lines, quotes.old, view, budget);
    yield;
    const at = found.length === 1 ? found[0] : meant(edit, lines, found);
    if (at !== undefined) return ok(spliced(lines, at, quotes));
    if (found.length > 0) return ambiguous(edit, found);
  }
  return yield* placeIndented(edit, lines, quotes, budget);
}

interface Quotes {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

const spliced = (lines: readonly string[], at: number, { old, fresh }: Quotes): readonly string[] => {
  const end = at + old.length;
  return [...lines.slice(0, at), ...replaced(lines.slice(at, end), old, fresh), ...lines.slice(end)];
};

/** A quote indented differently from its file by constant blanks: the new lines are shifted the same way. */
function* placeIndented(
  edit: TextEdit,
  lines: readonly string[],
  quotes: Quotes,
  budget: Budget,
): Steps<Result<readonly string[]>> {
  const indented = quotes.old.findIndex((line) => /^\s+\S/.test(line));
  const key = indented === -1 ? quotes.old.findIndex((line) => line.trim() !== '') : indented;
  const places: number[] = [];
  for (const at of yield* placesOf(lines, quotes.old, trimmed, budget)) {
    budget.left -= quotes.old.length;
    if (budget.left < 0) return tooMuch();
    yield;
    if (shiftedTo(at, key, lines, quotes) !== null) places.push(at);
  }
  if (places.length === 0) return missing(edit, quotes.old);
  const at = places.length === 1 ? places[0] : meant(edit, lines, places);
  const shifted = at === undefined ? null : shiftedTo(at, key, lines, quotes);
  return at === undefined || shifted === null ? ambiguous(edit, places) : ok(spliced(lines, at, shifted));
}

/** The quotes with the indentation of the lines at `at`; null if one shift does not explain all of them. */
function shiftedTo(at: number, key: number, lines: readonly string[], quotes: Quotes): Quotes | null {
  const moveLine = key === -1 ? null : shift(bare(lines[at + key] ?? ''), quotes.old[key] ?? '');
  if (moveLine === null) return null;
  const old = quotes.old.map(moveLine);
  const isHere = old.every((line, i) => line?.trimEnd() === bare(lines[at + i] ?? '').trimEnd());
  const fresh = isHere ? quotes.fresh.map(moveLine) : [null];
  return fresh.includes(null) ? null : ({ old, fresh } as Quotes);
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
  const width = written.length / wanted.length;
  if (Number.isInteger(width) && /^\t+ +$/.test(wanted + written)) return (line) => tabbed(line, width);
  const taken = written.slice(0, written.length - wanted.length);
  if (!written.endsWith(wanted)) return null;
  return (line) => (isBlank(line) ? line : line.startsWith(taken) ? line.slice(taken.length) : null);
}

/** A line with its tabs, which became blanks on the way: a copy from a terminal has no tabs. */
function tabbed(line: string, width: number): string | null {
  const tabs = line.search(/[^ ]|$/) / width;
  if (line.trim() === '') return line;
  return Number.isInteger(tabs) ? '\t'.repeat(tabs) + line.trimStart() : null;
}

/** A quote's lines; it has no final line end. */
const quoted = (text: string): readonly string[] =>
  text === '' ? [] : text.split('\n').map((line) => line.replace(/\r$/, ''));

/** Where the quote stands in the lines, both seen in the same way; the places so far if the budget ends. */
function* placesOf(
  lines: readonly string[],
  quote: readonly string[],
  view: View,
  budget: Budget,
): Steps<readonly number[]> {
  const wanted = quote.map(view);
  const places: number[] = [];
  let compared = 0;
  for (let at = 0; at + wanted.length <= lines.length && budget.left >= 0; at += 1) {
    let same = 0;
    while (same < wanted.length && view(lines[at + same] ?? '') === wanted[same]) same += 1;
    if (same === wanted.length) places.push(at);
    budget.left -= same + 1;
    compared += same + 1;
    if (compared < COMPARED_AT_ONCE) continue;
    compared = 0;
    yield;
  }
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
  const anchors = [...lines.keys()].filter((at) => trimmed(lines[at] ?? '') === below.trim());
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
  const isLong = old.length + fresh.length > ALIGNED_MAX_LINES;
  const kept = isLong ? [] : alignSequences(interner.idsOf(fresh), interner.idsOf(old));
  const end = /\r?\n$/.exec(there[0] ?? '')?.[0] ?? '\n';
  const lastEnd = /\r?\n$/.exec(there.at(-1) ?? '')?.[0] ?? '';
  return fresh.map((line, at) => {
    const own = there[kept[at] ?? -1];
    const text = own === undefined ? line : bare(own);
    const ownEnd = own === undefined ? end : (/\r?\n$/.exec(own)?.[0] ?? end);
    return `${text}${at === fresh.length - 1 ? lastEnd : ownEnd}`;
  });
}

const ELLIPSIS = /^(?:\/\/|\/\*|#|--|<!--|;)?\s*(?:\.{3}|…)(?:$|\s|[^.\w])/;

/** The line with which a model left others out, as shown; null if it wrote all. */
export const omissionIn = (lines: readonly ByteString[]): string | null =>
  lines.map((line) => displayBytes(line).trim()).find((line) => ELLIPSIS.test(line)) ?? null;

function missing({ file_path }: TextEdit, old: readonly string[]): Result<never> {
  const omission = omissionIn(old);
  if (omission !== null)
    return fail(
      'invalid',
      `The lines to replace in ${displayBytes(file_path)} are not quoted in full: "${omission}" stands for others.`,
      'Quote each line, or make an edit of each part.',
    );
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
