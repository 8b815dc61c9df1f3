/**
 * Reads a patch. Lines inside a hunk are counted by its header and never looked at for what they resemble: `--- `,
 * `@@` and `diff --git` are content there. Prose around the diff is skipped, colours are taken out, wrong counts
 * are recounted and said. Refuses combined diffs, diffs that were cut off, and what is no unified diff at all.
 */
import { fail, ok, type Result } from '../../lib/result.ts';
import { runAtOnce, type Steps } from '../../lib/steps.ts';
import { parseBinary } from './binary-patch.ts';
import { displayBytes, LF, latin1, startsWithAt } from './bytes.ts';
import { withFinalNewline, withoutColours } from './clean-patch.ts';
import { type DeclaredNumbers, isBareHunkHeader, readHunkNumbers } from './hunk-numbers.ts';
import { type HunkScan, type PatchEnding, scanHunk } from './hunk-scan.ts';
import { type LineTable, lineStart, lineTable } from './line-table.ts';
import {
  type BinaryPatch,
  type FilePatch,
  HEADER_MAX_BYTES,
  PATCH_MAX_BYTES,
  PATCH_MAX_FILES,
  PATCH_MAX_HUNKS,
  PATCH_MAX_LINES,
  type Patch,
  type PatchHunk,
} from './patch-model.ts';
import { gitHeaderNames, headerName, readQuoted, stripPrefixes } from './quoted-name.ts';

/** The header of one file while its lines are read. */
interface Draft {
  line: number;
  gitNames: readonly [string, string] | null;
  oldName: string | null | undefined;
  newName: string | null | undefined;
  /** From `rename from` and the like: exact, without prefixes. */
  exactOld: string | null;
  exactNew: string | null;
  operation: FilePatch['operation'];
  oldMode: number | null;
  newMode: number | null;
  oldBlob: string | null;
  newBlob: string | null;
  hunks: PatchHunk[];
  binary: BinaryPatch | null;
}

export interface ParseOptions {
  /** Nothing can have been cut off on its way. */
  readonly isWhole?: boolean;
}

/** Parses a patch: git's, `diff -u`'s, a mail's, a model's. */
export function parsePatch(input: Uint8Array, options: ParseOptions = {}): Result<Patch> {
  return runAtOnce(parseSteps(input, options));
}

/** Steps between two pauses of `parseSteps`. */
const STEPS_AT_ONCE = 100;

/** The same, piece by piece: whoever drives it may do something else in between. */
export function* parseSteps(input: Uint8Array, { isWhole = false }: ParseOptions = {}): Parsing {
  if (input.length > PATCH_MAX_BYTES) {
    return fail('refused', `The patch is larger than ${PATCH_MAX_BYTES / 1024 / 1024} MiB.`, IN_PARTS_HINT);
  }
  const clean = withoutColours(input);
  const ending = input.at(-1) === LF ? 'closed' : 'open';
  const reader = new PatchReader(withFinalNewline(clean.bytes), isWhole ? 'whole' : ending);
  if (clean.changed) reader.notes.push('Colour codes were removed from the patch.');
  return yield* reader.read();
}

type Parsing = Steps<Result<Patch>>;

const IN_PARTS_HINT = 'Offer the change in parts: by folders, or some files at a time.';

const tooMany = (most: number, what: string) =>
  fail('refused', `The patch has more than ${most} ${what}.`, IN_PARTS_HINT);

class PatchReader {
  readonly notes: string[] = [];
  readonly #bytes: Uint8Array;
  readonly #table: LineTable;
  readonly #ending: PatchEnding;
  readonly #files: FilePatch[] = [];
  #at = 0;
  #line = 0;
  #hunks = 0;
  #file: Draft | null = null;

  constructor(bytes: Uint8Array, ending: PatchEnding) {
    this.#bytes = bytes;
    this.#table = lineTable(bytes);
    this.#ending = ending;
  }

  *read(): Parsing {
    const tooLong = this.#excess();
    if (tooLong !== null) return tooLong;
    yield;
    for (let steps = 1; this.#at < this.#bytes.length; steps += 1) {
      if (steps % STEPS_AT_ONCE === 0) yield;
      const step = this.#step();
      if (!step.ok) return step;
      const excess = this.#excess();
      if (excess !== null) return excess;
    }
    const end = this.#finishFile();
    if (!end.ok) return end;
    const excess = this.#excess();
    if (excess !== null) return excess;
    if (this.#files.length === 0) {
      return fail('invalid', 'This is not a unified diff: it contains no file and no hunk.');
    }
    const { starts: lineStarts } = this.#table;
    return ok({ bytes: this.#bytes, lineStarts, files: this.#files, notes: this.notes });
  }

  /** What there is too much of, as a refusal; null while it is within the limits. */
  #excess(): Result<never> | null {
    if (this.#table.count > PATCH_MAX_LINES) return tooMany(PATCH_MAX_LINES, 'lines');
    if (this.#files.length > PATCH_MAX_FILES) return tooMany(PATCH_MAX_FILES, 'files');
    return this.#hunks > PATCH_MAX_HUNKS ? tooMany(PATCH_MAX_HUNKS, 'hunks') : null;
  }

  /** One line outside a hunk, or one whole hunk or binary part. */
  #step(): Result<null> {
    const bytes = this.#bytes;
    const at = this.#at;
    if (startsWithAt(bytes, at, 'diff --git ')) return this.#startGitFile();
    if (
      startsWithAt(bytes, at, 'diff --cc ') ||
      startsWithAt(bytes, at, 'diff --combined ') ||
      startsWithAt(bytes, at, '@@@ ')
    ) {
      return fail(
        'refused',
        'This is a combined diff of a merge: it has no single old side to apply to.',
        'Make the diff against one parent.',
      );
    }
    if (this.#isNames(at)) return this.#fileNames();
    if (startsWithAt(bytes, at, '@@')) return this.#hunk();
    if (startsWithAt(bytes, at, 'GIT binary patch')) return this.#binary();
    if (this.#file !== null && this.#file.hunks.length === 0) return this.#extended();
    this.#nextLine();
    return ok(null);
  }

  /** Where the next line begins. */
  get #next(): number {
    return lineStart(this.#table, this.#line + 1);
  }

  #nextLine(): void {
    this.#at = this.#next;
    this.#line += 1;
  }

  /** The line without its end, also without the CR of a patch that travelled as DOS text. */
  #text(): string {
    const text = latin1(this.#bytes, this.#at, Math.min(this.#next, this.#at + HEADER_MAX_BYTES));
    return text.replace(/\r?\n$/, '');
  }

  #startGitFile(): Result<null> {
    const done = this.#finishFile();
    if (!done.ok) return done;
    this.#file = newDraft(this.#line);
    this.#file.gitNames = gitHeaderNames(this.#text().slice('diff --git '.length));
    this.#nextLine();
    return ok(null);
  }

  /** A `---` or `+++` line with its counterpart, or right before a hunk: one of the two may be missing, or they may be turned round. */
  #isNames(at: number): boolean {
    const bytes = this.#bytes;
    const next = this.#next;
    if (startsWithAt(bytes, at, '--- '))
      return startsWithAt(bytes, next, '+++ ') || startsWithAt(bytes, next, '@@ -');
    return (
      startsWithAt(bytes, at, '+++ ') &&
      (startsWithAt(bytes, next, '--- ') || startsWithAt(bytes, next, '@@ -'))
    );
  }

  #fileNames(): Result<null> {
    // A second `---` belongs to a new file: plain diffs have nothing else between files.
    if (this.#file === null || this.#file.oldName !== undefined) {
      const done = this.#finishFile();
      if (!done.ok) return done;
      this.#file = newDraft(this.#line);
    }
    const names: { old?: string | null; new?: string | null } = {};
    const raw: { old?: string | null; new?: string | null } = {};
    for (let line = 0; line < 2; line += 1) {
      const side = startsWithAt(this.#bytes, this.#at, '--- ')
        ? 'old'
        : startsWithAt(this.#bytes, this.#at, '+++ ')
          ? 'new'
          : null;
      if (side === null) break;
      const text = this.#text().slice(4);
      names[side] = headerName(text);
      raw[side] = headerName(text, { absentByTime: false });
      this.#nextLine();
    }
    this.#file.oldName = names.old === undefined ? otherName(names.new ?? null) : names.old;
    if (raw.old && raw.new) this.#file.gitNames ??= [raw.old, raw.new];
    this.#file.newName = names.new === undefined ? otherName(names.old ?? null) : names.new;
    return ok(null);
  }

  #extended(): Result<null> {
    if (this.#file !== null) {
      const applied = applyExtendedHeader(this.#file, this.#text());
      if (!applied.ok) return applied;
    }
    this.#nextLine();
    return ok(null);
  }

  #binary(): Result<null> {
    if (this.#file === null) return fail('invalid', `Line ${this.#line + 1}: a binary part without a file.`);
    const parsed = parseBinary(this.#bytes, this.#next);
    if (!parsed.ok) return parsed;
    this.#file.binary = { kind: 'present', forward: parsed.value.forward };
    while (this.#at < parsed.value.end) this.#nextLine();
    return ok(null);
  }

  #hunk(): Result<null> {
    const declared = readHunkNumbers(this.#bytes, this.#at);
    if (this.#file === null || (this.#file.oldName === undefined && this.#file.gitNames === null)) {
      if (declared === null) this.#nextLine();
      else return fail('invalid', `Line ${this.#line + 1}: a hunk without the name of its file.`);
      return ok(null);
    }
    if (declared === 'absurd') return fail('refused', `Line ${this.#line + 1}: no file has that many lines.`);
    if (declared === null && !isBareHunkHeader(this.#text())) {
      const shown = displayBytes(this.#text().slice(0, 80));
      return fail('invalid', `Line ${this.#line + 1}: the header of this hunk cannot be read: ${shown}`);
    }
    const scan = scanHunk(this.#table, this.#line + 1, declared, this.#ending);
    if (!scan.ok) return fail('invalid', `Line ${this.#line + 1}: ${scan.error}`, scan.hint);
    this.#pushHunk(this.#file, declared, scan.value);
    return ok(null);
  }

  #pushHunk(file: Draft, declared: DeclaredNumbers | null, scan: HunkScan): void {
    file.hunks.push({
      oldStart: declared?.oldStart ?? null,
      oldCount: scan.oldCount,
      newStart: declared?.newStart ?? null,
      newCount: scan.newCount,
      headerStart: this.#at,
      bodyStart: this.#next,
      bodyEnd: scan.end,
      lines: scan.lines,
      firstLine: this.#line + 1,
      recounted: scan.recounted,
    });
    this.#hunks += 1;
    this.#at = scan.end;
    this.#line += 1 + scan.lines;
  }

  #finishFile(): Result<null> {
    const draft = this.#file;
    this.#file = null;
    if (draft === null) return ok(null);
    const file = finishDraft(draft);
    if (file === null) return fail('invalid', `Line ${draft.line + 1}: a file without a name.`);
    if (isHollow(file)) {
      return fail(
        'invalid',
        `The diff of ${displayBytes(file.newPath ?? file.oldPath ?? '?')} has a header and nothing after it: it was cut off.`,
      );
    }
    this.#files.push(file);
    file.hunks.forEach((hunk, i) => {
      if (!hunk.recounted) return;
      const name = displayBytes(file.newPath ?? file.oldPath ?? '?');
      this.notes.push(
        `Hunk ${i + 1} of ${name}: the counts in its header were wrong and have been taken from its lines.`,
      );
    });
    return ok(null);
  }
}

function newDraft(line: number): Draft {
  return {
    line,
    gitNames: null,
    oldName: undefined,
    newName: undefined,
    exactOld: null,
    exactNew: null,
    operation: 'modify',
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    hunks: [],
    binary: null,
  };
}

/** The name of the side that was left out: the same, with the other prefix. */
function otherName(name: string | null): string | null {
  const prefix = /^[ab]\//.exec(name ?? '')?.[0];
  return name === null || prefix === undefined ? name : `${prefix === 'a/' ? 'b/' : 'a/'}${name.slice(2)}`;
}

const exactName = (text: string) => (text.startsWith('"') ? (readQuoted(text, 0)?.name ?? text) : text);

/** Takes one line between `diff --git` and the first hunk. Unknown lines are skipped: git adds some in time. */
function applyExtendedHeader(file: Draft, text: string): Result<null> {
  const match =
    /^(old mode|new mode|deleted file mode|new file mode|rename from|rename to|copy from|copy to|index|Binary files) (.*)$/s.exec(
      text,
    );
  if (match === null) return ok(null);
  const value = match[2] ?? '';
  switch (match[1]) {
    case 'old mode':
      return setMode(file, 'oldMode', value);
    case 'new mode':
      return setMode(file, 'newMode', value);
    case 'deleted file mode':
      file.operation = 'delete';
      return setMode(file, 'oldMode', value);
    case 'new file mode':
      file.operation = 'create';
      return setMode(file, 'newMode', value);
    case 'rename from':
    case 'copy from':
      file.exactOld = exactName(value);
      return ok(null);
    case 'rename to':
    case 'copy to':
      file.operation = match[1] === 'rename to' ? 'rename' : 'copy';
      file.exactNew = exactName(value);
      return ok(null);
    case 'index':
      return setIndex(file, value);
    default:
      if (/ differ$/.test(value)) file.binary = { kind: 'absent' };
      return ok(null);
  }
}

function setMode(file: Draft, side: 'oldMode' | 'newMode', digits: string): Result<null> {
  if (!/^[0-7]{6}$/.test(digits))
    return fail('invalid', `A file mode that cannot be read: ${displayBytes(digits.slice(0, 20))}`);
  file[side] = Number.parseInt(digits, 8);
  return ok(null);
}

function setIndex(file: Draft, value: string): Result<null> {
  const match = /^([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?$/.exec(value);
  if (match === null) return ok(null);
  file.oldBlob = match[1] ?? null;
  file.newBlob = match[2] ?? null;
  if (match[3] !== undefined) {
    file.oldMode ??= Number.parseInt(match[3], 8);
    file.newMode ??= Number.parseInt(match[3], 8);
  }
  return ok(null);
}

function finishDraft(draft: Draft): FilePatch | null {
  const headerOld = draft.oldName === undefined ? (draft.gitNames?.[0] ?? null) : draft.oldName;
  const headerNew = draft.newName === undefined ? (draft.gitNames?.[1] ?? null) : draft.newName;
  const stripped = stripPrefixes(fromHere(headerOld), fromHere(headerNew), draft.gitNames);
  let operation = draft.operation;
  if (operation === 'modify' && draft.oldName === null) operation = 'create';
  if (operation === 'modify' && draft.newName === null) operation = 'delete';
  const isMove = operation === 'rename' || operation === 'copy';
  // `diff -u x.orig x` is no rename: the file is the one whose name is no back-up.
  const plain = pickPlainName(stripped[0], stripped[1]);
  const oldPath = isMove ? (draft.exactOld ?? stripped[0]) : plain;
  const newPath = isMove ? (draft.exactNew ?? stripped[1]) : plain;
  if (oldPath === null || newPath === null || oldPath === '' || newPath === '') return null;
  return {
    operation,
    oldPath: operation === 'create' ? null : oldPath,
    newPath: operation === 'delete' ? null : newPath,
    oldMode: draft.oldMode,
    newMode: draft.newMode,
    oldBlob: draft.oldBlob,
    newBlob: draft.newBlob,
    hunks: draft.hunks,
    binary: draft.binary,
  };
}

/** `diff -r . other` and `find` begin a name with `./`. */
const fromHere = (name: string | null) => name?.replace(/^(?:\.\/+)+/, '') ?? null;

function pickPlainName(old: string | null, neu: string | null): string | null {
  if (old === null || neu === null) return old ?? neu;
  return /(?:\.orig|\.old|\.bak|~)$/.test(neu) && !/(?:\.orig|\.old|\.bak|~)$/.test(old) ? old : neu;
}

const EMPTY_BLOB_NAMES = /^e69de29|^473a0f4c/;

/** A header that promises a change of content and holds none. */
function isHollow(file: FilePatch): boolean {
  if (file.hunks.length > 0 || file.binary !== null) return false;
  if (file.operation === 'rename' || file.operation === 'copy') return false;
  if (file.operation === 'create') return file.newBlob !== null && !EMPTY_BLOB_NAMES.test(file.newBlob);
  if (file.operation === 'delete') return file.oldBlob !== null && !EMPTY_BLOB_NAMES.test(file.oldBlob);
  return file.oldMode === file.newMode || file.oldBlob !== file.newBlob;
}
