/** Remarks on a hunk as rows: by its author, the reader and copane. Pure. */
import { rangeWords } from '../../lib/count.ts';
import { sanitize } from '../../lib/sanitize.ts';
import type { Comment, Hunk, Suggestion } from '../../protocol/review.ts';
import { type Row, span, wrapWords } from '../kit/row.ts';
import type { Role } from '../kit/theme/role.ts';
import type { HunkDoc } from './hunk-doc.ts';

export const NOTE_INDENT_CELLS = 5;
/** Most rows for a hunk's notes and comments; longer ones are cut with a note. */
export const NOTES_MAX_ROWS = 40;

/** Remarks on the whole suggestion, shown at its first hunk: the rest of its description, what was tolerated. */
export function aboutSuggestion(suggestion: Suggestion): readonly string[] {
  const { description, notes } = suggestion;
  const rest = description.split('\n').slice(1).join('\n').trim();
  return [...(rest === '' ? [] : [rest]), ...notes.map((note) => `note: ${note}`), ...stackWords(suggestion)];
}

/** Its position among the open suggestions about the same files. */
function stackWords({ id, stack = [] }: Suggestion): readonly string[] {
  if (stack.length === 0) return [];
  const names = stack.map((one) => {
    const name = one.description === '' ? 'no description' : one.description;
    return `${one.place}. ${one.id === id ? 'this one' : name}`;
  });
  return [`open about the same files, oldest first: ${names.join(', ')}`];
}

/** A hunk that may have remarks. */
interface Remarked {
  readonly hunk: Hunk;
  readonly doc: HunkDoc;
}

/** Rows below the header of hunks, which share a row if there are several. Common remarks appear once. */
export function noteRows(
  all: readonly Remarked[],
  { about, columns }: { readonly about: readonly string[]; readonly columns: number },
): readonly Row[] {
  // Of thousands of hunks, most have no remarks.
  const remarked = all.filter(({ hunk }) => !isPlain(hunk));
  if (about.length === 0 && remarked.length === 0) return NO_ROWS;
  const remarks = new Map<string, Role>([
    // First, so that no long note pushes them out of view.
    ...remarked.flatMap(({ hunk }) => hunk.warnings.map(({ text }) => [`! ${text}`, 'warn'] as const)),
    ...about.map((text) => [text, 'note'] as const),
    ...remarked.flatMap(remarksOf),
  ]);
  return bounded(
    [...remarks, ...remarked.flatMap(commentsOf)].flatMap(([text, role]) => prose(text, columns, role)),
  );
}

function remarksOf({ hunk }: Remarked): (readonly [string, Role])[] {
  return [
    ...(hunk.status === 'modified' ? [['replaced by your own text', 'dim'] as const] : []),
    ...(hunk.reason === null ? [] : [[`! ${hunk.reason}`, 'warn'] as const]),
    ...(hunk.diffComplete ? [] : [['not fully loaded, or cut at a very long line', 'dim'] as const]),
    ...(hunk.note === null ? [] : [[`AI: ${hunk.note}`, 'note'] as const]),
  ];
}

function commentsOf({ hunk, doc }: Remarked): (readonly [string, Role])[] {
  const comments = hunk.comments.filter((comment) => lineOf(hunk, doc, comment) === null);
  return comments.map((one) => [commentWords(one), 'note']);
}

const NO_ROWS: readonly Row[] = [];
const NO_REMARKS: ReadonlyMap<number, readonly Row[]> = new Map();

function isPlain({ status, reason, diffComplete, note, comments, warnings }: Hunk): boolean {
  const hasRemarks = reason !== null || note !== null || comments.length > 0 || warnings.length > 0;
  return status !== 'modified' && diffComplete && !hasRemarks;
}

/** The comments on lines, shown below the last line of each, by its index in `doc`. */
export function lineRemarks(hunk: Hunk, doc: HunkDoc, columns: number): ReadonlyMap<number, readonly Row[]> {
  if (hunk.comments.length === 0) return NO_REMARKS;
  const remarks = new Map<number, readonly Row[]>();
  for (const comment of hunk.comments) {
    const index = lineOf(hunk, doc, comment);
    if (index === null) continue;
    const rows = prose(commentWords(comment), columns, 'note');
    remarks.set(index, bounded([...(remarks.get(index) ?? []), ...rows]));
  }
  return remarks;
}

/** The line above a comment; null if it is described in words because its lines are not shown now. */
function lineOf({ parent, status }: Hunk, { lines, own }: HunkDoc, { lines: on, place }: Comment) {
  if (parent !== null || status === 'conflict') return null;
  const index =
    on === null
      ? lines.findLastIndex(({ op, after }) => isOfFile(op) && after === place?.last)
      : own.from + Math.min(on.last, own.count) - 1;
  return index < 0 ? null : index;
}

const isOfFile = (op: HunkDoc['lines'][number]['op']) => op === 'around' || op === 'same' || op === 'added';

function commentWords({ text, place, by, quote }: Comment): string {
  if (by === 'author') return `AI replies: ${text}`;
  if (place !== null) return `you, ${placeWords(place)}: ${text}`;
  return quote === '' ? `you: ${text}` : `you, on lines that are gone: ${text}\n${quote}`;
}

/** `line 42`, `lines 42-44`, `old line 42` for removed ones. */
export function placeWords(place: NonNullable<Comment['place']>): string {
  const words = `${place.first === place.last ? 'line' : 'lines'} ${rangeWords(place)}`;
  return place.side === 'new' ? words : `old ${words}`;
}

function bounded(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= NOTES_MAX_ROWS) return rows;
  const left = rows.length - NOTES_MAX_ROWS + 1;
  return [...rows.slice(0, NOTES_MAX_ROWS - 1), [span(`${left} more rows of notes`, 'dim')]];
}

function prose(text: string, columns: number, role: Role): readonly Row[] {
  const width = Math.max(10, columns - NOTE_INDENT_CELLS - 1);
  return sanitize(text)
    .replace(/\t/g, ' ')
    .split('\n')
    .flatMap((line) => (line === '' ? [[]] : wrapWords(line, width, role)));
}
