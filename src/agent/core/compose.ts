/** Turns edits into changes of files. Checks all against the same text; a single fault refuses the proposal. */
import type { EditFault, ProposedEdit } from '../../protocol/agent.ts';
import { sameBytes, utf8Bytes } from '../../review/core/bytes.ts';
import type { HashBytes } from '../../review/core/change.ts';
import { type LineTable, lineRange, lineTable } from '../../review/core/line-table.ts';
import { comparePieces, type Piece, replay } from '../../review/core/piece.ts';
import { pathProblem } from '../../review/core/safe-path.ts';
import { diffLines } from '../../review/core/text-diff.ts';
import { type ComposedHunk, joinClose } from './composed-hunk.ts';
import { pieceOf } from './edit-text.ts';
import { joinMoved, withClosingLines } from './moved-hunks.ts';
import { slideRegions } from './slide-regions.ts';

/** A file of the current project, with unsaved edits. */
export type FileFact =
  | { readonly kind: 'text'; readonly bytes: Uint8Array; readonly executable: boolean }
  | { readonly kind: 'absent' }
  /** It exists but may not be edited; the reason, as the end of a sentence about it. */
  | {
      readonly kind: 'refused';
      readonly code: 'not_text' | 'outside_root' | 'protected' | 'conflict';
      readonly why: string;
    };

export interface ComposeFacts {
  /** For every path that the edits name. */
  readonly files: ReadonlyMap<string, FileFact>;
  readonly hash: HashBytes;
}

export interface ComposedFile {
  readonly path: string;
  readonly newPath: string | null;
  readonly change: 'modify' | 'create' | 'delete' | 'rename';
  readonly base: { readonly table: LineTable; readonly executable: boolean } | null;
  /** The proposed text; empty for a deleted file. */
  readonly proposed: LineTable;
  readonly hunks: readonly ComposedHunk[];
  readonly fileEditIds: readonly string[];
}

export type Composed =
  | { readonly ok: true; readonly files: readonly ComposedFile[] }
  | { readonly ok: false; readonly faults: readonly EditFault[] };

/** The limit of new text in one proposal, in characters: it is sent in one message, and a person has to read it. */
export const PROPOSAL_MAX_CHARACTERS = 2_000_000;
const NO_BYTES = new Uint8Array(0);

/** Every path that the edits name, in the form for lookups. */
export function pathsOfEdits(edits: readonly ProposedEdit[]): string[] {
  const paths = edits.flatMap((edit) => [edit.file_path, edit.new_path ?? edit.file_path]).map(plainPath);
  return [...new Set(paths)];
}

/** `./notes/a.md` as `notes/a.md`. */
export const plainPath = (path: string): string => path.replace(/^(?:\.\/)+/, '');

/** All edits as changes, or every fault found. */
export function composeEdits(given: readonly ProposedEdit[], facts: ComposeFacts): Composed {
  const edits = given.map((edit) => ({ ...edit, file_path: plainPath(edit.file_path) }));
  const faults: EditFault[] = [
    ...sizeFaults(edits),
    ...idFaults(edits),
    ...edits.flatMap((edit) => checkEdit(edit, facts)),
  ];
  if (faults.length > 0) return { ok: false, faults };
  const files: ComposedFile[] = [];
  for (const [path, own] of Map.groupBy(edits, (edit) => edit.file_path)) {
    const composed = composeFile(path, own, facts);
    if (Array.isArray(composed)) faults.push(...composed);
    else files.push(composed);
  }
  faults.push(...targetFaults(edits));
  return faults.length > 0 ? { ok: false, faults } : { ok: true, files };
}

const faultOf = (edit: ProposedEdit, code: EditFault['code'], message: string): EditFault => ({
  edit_id: edit.edit_id,
  code,
  message: `${edit.edit_id}: ${message}`,
});

function sizeFaults(edits: readonly ProposedEdit[]): EditFault[] {
  const [first] = edits;
  const size = edits.reduce((sum, edit) => sum + edit.new_text.length, 0);
  if (first === undefined || size <= PROPOSAL_MAX_CHARACTERS) return [];
  const message = `the proposal has ${size} characters of new text; the most are ${PROPOSAL_MAX_CHARACTERS}. Propose fewer files at a time.`;
  return [faultOf(first, 'invalid', message)];
}

function idFaults(edits: readonly ProposedEdit[]): EditFault[] {
  const seen = new Set<string>();
  return edits.flatMap((edit) => {
    if (seen.has(edit.edit_id))
      return [faultOf(edit, 'invalid', 'this edit_id stands twice; give each edit its own.')];
    seen.add(edit.edit_id);
    return [];
  });
}

function checkEdit(edit: ProposedEdit, facts: ComposeFacts): EditFault[] {
  const { file_path: path } = edit;
  const named = pathFault(path);
  if (named !== null) return [faultOf(edit, named.code, named.message)];
  const fact = facts.files.get(path) ?? { kind: 'absent' };
  if (fact.kind === 'refused') return [faultOf(edit, fact.code, `${path} ${fact.why}`)];
  const shape = shapeFault(edit);
  if (shape !== null) return [faultOf(edit, 'invalid', shape)];
  if (edit.new_text.includes('\0')) {
    return [faultOf(edit, 'not_text', 'new_text holds a NUL character; only text can be written.')];
  }
  if (fact.kind === 'absent') return absentFaults(edit, facts);
  return textFaults(edit, lineTable(fact.bytes), facts);
}

function shapeFault({
  operation,
  start_line: start,
  end_line: end,
  new_text: text,
  new_path: to,
}: ProposedEdit) {
  switch (operation) {
    case 'replace':
    case 'delete':
      if (start === undefined || end === undefined) return `${operation} needs start_line and end_line.`;
      if (end < start) return `end_line ${end} lies before start_line ${start}.`;
      return operation === 'delete' && text !== ''
        ? 'delete takes no new_text; use replace to put something there.'
        : null;
    case 'insert':
      if (start === undefined) return 'insert needs start_line: the text goes before that line.';
      return text === '' ? 'insert needs a new_text.' : null;
    case 'delete_file':
      return text === '' ? null : 'delete_file takes no new_text.';
    case 'rename_file':
      if (to === undefined) return 'rename_file needs new_path.';
      return text === ''
        ? null
        : 'rename_file takes no new_text; edit its lines with further edits of the old path.';
  }
}

function absentFaults(edit: ProposedEdit, { hash }: ComposeFacts): EditFault[] {
  const { file_path: path } = edit;
  if (edit.operation !== 'insert' || edit.start_line !== 1) {
    const message = `${path} does not exist. To make it, use one insert at line 1; list_files shows what there is.`;
    return [faultOf(edit, 'missing', message)];
  }
  if (edit.expected_hash === `sha256:${hash([NO_BYTES])}`) return [];
  const message = `${path} does not exist any more; what you saw of it is gone. To make it anew, propose one insert at line 1 again, with all of its text.`;
  return [faultOf(edit, 'missing', message)];
}

function textFaults(edit: ProposedEdit, table: LineTable, facts: ComposeFacts): EditFault[] {
  const { file_path: path } = edit;
  const { count } = table;
  const start = edit.start_line ?? 1;
  const lines = `${path} has ${count} ${count === 1 ? 'line' : 'lines'}`;
  if (edit.operation === 'insert' && start > count + 1) {
    const message = `line ${start} is out of range: ${lines}; to append, insert at line ${count + 1}.`;
    return [faultOf(edit, 'out_of_range', message)];
  }
  if ((edit.operation === 'replace' || edit.operation === 'delete') && (edit.end_line ?? start) > count) {
    return [faultOf(edit, 'out_of_range', `lines ${start}-${edit.end_line} are out of range: ${lines}.`)];
  }
  const [from, to] = hashedLines(edit, count);
  const now = `sha256:${facts.hash([lineRange(table, from, to)])}`;
  if (now !== edit.expected_hash) {
    const shown = to - from <= 1 ? `line ${from + 1}` : `lines ${from + 1}-${to}`;
    const code =
      edit.expected_hash === `sha256:${facts.hash([NO_BYTES])}` && count > 0 ? 'exists' : 'wrong_hash';
    const why =
      code === 'exists'
        ? `${path} exists and you have not seen ${shown} of it`
        : `${shown} of ${path} are not what you saw: the file has changed`;
    return [faultOf(edit, code, `${why}. Read ${shown} again, then propose the edit anew.`)];
  }
  if (edit.operation === 'rename_file') return renameFaults(edit, facts);
  return [];
}

/** The lines `[from, to)`, from 0, that the edit's hash covers. */
export function hashedLines(edit: ProposedEdit, count: number): readonly [number, number] {
  const start = edit.start_line ?? 1;
  switch (edit.operation) {
    case 'insert':
      return [Math.max(0, start - 2), Math.min(count, start)];
    case 'delete_file':
    case 'rename_file':
      return [0, count];
    default:
      return [start - 1, edit.end_line ?? start];
  }
}

function renameFaults(edit: ProposedEdit, { files }: ComposeFacts): EditFault[] {
  const to = plainPath(edit.new_path ?? '');
  const named = pathFault(to);
  if (named !== null) return [faultOf(edit, named.code, named.message)];
  const target = files.get(to) ?? { kind: 'absent' };
  if (target.kind === 'absent') return [];
  if (target.kind === 'refused') return [faultOf(edit, target.code, `${to} ${target.why}`)];
  return [
    faultOf(
      edit,
      'exists',
      `${to} exists already; choose another new_path, or delete that file in another proposal.`,
    ),
  ];
}

/** Two edits that create or move a file to the same path. */
function targetFaults(edits: readonly ProposedEdit[]): EditFault[] {
  const made = new Map<string, string>();
  const faults: EditFault[] = [];
  const named = new Map(edits.map((edit) => [edit.file_path, edit]));
  for (const edit of edits) {
    if (edit.operation !== 'rename_file') continue;
    const to = plainPath(edit.new_path ?? '');
    const other = made.get(to) ?? (to === edit.file_path ? undefined : named.get(to)?.edit_id);
    if (to === edit.file_path)
      faults.push(faultOf(edit, 'no_change', 'new_path is the path that the file has.'));
    else if (other !== undefined)
      faults.push(faultOf(edit, 'overlap', `${other} is about ${to} too; only one of them can be.`));
    made.set(to, edit.edit_id);
  }
  return faults;
}

function composeFile(
  path: string,
  edits: readonly ProposedEdit[],
  facts: ComposeFacts,
): ComposedFile | EditFault[] {
  const whole = edits.filter(({ operation }) => operation === 'delete_file' || operation === 'rename_file');
  const [first, second] = whole;
  if (first !== undefined && second !== undefined) {
    return [faultOf(second, 'overlap', `${first.edit_id} is about ${path} as a whole already.`)];
  }
  const lines = edits.filter((edit) => !whole.includes(edit));
  const fact = facts.files.get(path) ?? { kind: 'absent' };
  const base = fact.kind === 'text' ? { table: lineTable(fact.bytes), executable: fact.executable } : null;
  const fileEditIds = whole.map((edit) => edit.edit_id);
  if (first?.operation === 'delete_file') {
    const [other] = lines;
    if (other !== undefined) return [faultOf(other, 'overlap', `${first.edit_id} deletes ${path}.`)];
    const hunks = base === null || base.table.count === 0 ? [] : [wholeHunk(base.table, first)];
    return { path, newPath: null, change: 'delete', base, proposed: lineTable(NO_BYTES), hunks, fileEditIds };
  }
  const newPath = first === undefined ? null : plainPath(first.new_path ?? '');
  return composeLines({ path, newPath, base, fileEditIds }, lines);
}

const wholeHunk = (table: LineTable, edit: ProposedEdit): ComposedHunk => ({
  regions: [{ aStart: 0, aEnd: table.count, bStart: 0, bEnd: 0 }],
  editIds: [edit.edit_id],
  rationale: edit.rationale ?? null,
});

interface Placed {
  readonly edit: ProposedEdit;
  readonly piece: Piece;
}

function composeLines(
  about: Pick<ComposedFile, 'path' | 'newPath' | 'base' | 'fileEditIds'>,
  edits: readonly ProposedEdit[],
): ComposedFile | EditFault[] {
  const table = about.base?.table ?? lineTable(NO_BYTES);
  const overlaps = overlapFaults(edits);
  if (overlaps.length > 0) return overlaps;
  const placed = edits.map((edit, order) => ({ edit, piece: pieceOf(table, lineEditOf(edit), order) }));
  placed.sort((a, b) => comparePieces(a.piece, b.piece));
  const faults = [...borderFaults(placed), ...placed.flatMap((one) => noChange(one, table))];
  if (faults.length > 0) return faults;
  const proposed = lineTable(
    replay(
      table,
      placed.map(({ piece }) => piece),
    ),
  );
  const change = about.base === null ? 'create' : about.newPath === null ? 'modify' : 'rename';
  return { ...about, change, proposed, hunks: joinMoved(hunksOf(placed, table, proposed), table, proposed) };
}

function lineEditOf(edit: ProposedEdit) {
  const start = (edit.start_line ?? 1) - 1;
  const end = edit.operation === 'insert' ? start : (edit.end_line ?? start + 1);
  return { start, end, text: edit.new_text };
}

function overlapFaults(edits: readonly ProposedEdit[]): EditFault[] {
  const sorted = edits
    .map((edit) => ({ edit, ...lineEditOf(edit) }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const faults: EditFault[] = [];
  let last: (typeof sorted)[number] | null = null;
  for (const one of sorted) {
    const isInsert = one.start === one.end;
    const twice = last !== null && isInsert && last.start === last.end && last.start === one.start;
    if (last !== null && (twice || one.start < last.end)) {
      const message = twice
        ? `${last.edit.edit_id} inserts before line ${one.start + 1} too; send one insert with both texts.`
        : `it overlaps ${last.edit.edit_id} (lines ${last.start + 1}-${last.end}); send one edit for these lines.`;
      faults.push(faultOf(one.edit, 'overlap', message));
    }
    if (last === null || one.end >= last.end) last = one;
  }
  return faults;
}

/** At the ends of a file an edit includes the line next to it; two edits that do this count as one. */
function borderFaults(placed: readonly Placed[]): EditFault[] {
  return placed.flatMap((one, i) => {
    const before = placed[i - 1];
    if (before === undefined || one.piece.start >= before.piece.end) return [];
    return [
      faultOf(
        one.edit,
        'overlap',
        `it borders on ${before.edit.edit_id} at the end of the file; send one edit for both.`,
      ),
    ];
  });
}

function noChange({ edit, piece }: Placed, table: LineTable): EditFault[] {
  if (!sameBytes(lineRange(table, piece.start, piece.end), piece.text)) return [];
  return [faultOf(edit, 'no_change', 'these lines read like that already; leave the edit out.')];
}

/** The hunks, in order: the differing lines of each edit, with close ones joined. */
function hunksOf(placed: readonly Placed[], table: LineTable, proposed: LineTable): ComposedHunk[] {
  const hunks: ComposedHunk[] = [];
  let shift = 0;
  for (const { edit, piece } of placed) {
    const old = lineTable(lineRange(table, piece.start, piece.end));
    const bStart = piece.start + shift;
    const count = lineTable(piece.text).count;
    const updated = lineTable(lineRange(proposed, bStart, bStart + count));
    shift += count - (piece.end - piece.start);
    const found = slideRegions(diffLines(old, updated), old, updated);
    const regions = withClosingLines(found, old, updated).map((region) => ({
      aStart: region.aStart + piece.start,
      aEnd: region.aEnd + piece.start,
      bStart: region.bStart + bStart,
      bEnd: region.bEnd + bStart,
    }));
    for (const group of joinClose(regions)) {
      hunks.push({ regions: group, editIds: [edit.edit_id], rationale: edit.rationale ?? null });
    }
  }
  return hunks;
}

/** Why an edit may not name this path; null if it may. */
function pathFault(path: string): { readonly code: EditFault['code']; readonly message: string } | null {
  if (!path.isWellFormed()) return { code: 'invalid', message: 'the path is not text.' };
  const problem = pathProblem(utf8Bytes(path));
  if (problem === null) return null;
  const code = problem.includes('version control')
    ? 'protected'
    : problem.includes('root')
      ? 'outside_root'
      : 'invalid';
  return { code, message: `${problem} Paths are relative to the project's folder.` };
}
