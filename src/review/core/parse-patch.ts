/**
 * Reads a patch. The header's counts decide which lines belong to a hunk, whatever they resemble: there `--- `, `@@`
 * and `diff --git` are content. Skips prose around the diff, removes colours, recounts wrong counts and reports that.
 * Refuses combined diffs, truncated diffs, and anything that is not a unified diff.
 */

import { fail, ok, type Result } from '../../lib/result.ts';
import { runAtOnce, type Steps } from '../../lib/steps.ts';
import { parseBinary } from './binary-patch.ts';
import { displayBytes, LF, latin1, startsWithAt } from './bytes.ts';
import { withFinalNewline, withoutColours } from './clean-patch.ts';
import {
  applyExtendedHeader,
  type FileHeader,
  finishHeader,
  isHollow,
  newHeader,
  otherName,
} from './file-header.ts';
import { type DeclaredNumbers, isBareHunkHeader, readHunkNumbers } from './hunk-numbers.ts';
import { type HunkScan, type PatchEnding, scanHunk } from './hunk-scan.ts';
import { type LineTable, lineStart, lineTableSteps } from './line-table.ts';
import {
  type FilePatch,
  HEADER_MAX_BYTES,
  PATCH_MAX_BYTES,
  PATCH_MAX_FILES,
  PATCH_MAX_HUNKS,
  PATCH_MAX_LINES,
  type Patch,
} from './patch-model.ts';
import { gitHeaderNames, headerName } from './quoted-name.ts';

export interface ParseOptions {
  /** Nothing can have been truncated in transit. */
  readonly isWhole?: boolean;
}

/** Parses a patch from git, `diff -u`, a mail or a model. */
export function parsePatch(input: Uint8Array, options: ParseOptions = {}): Result<Patch> {
  return runAtOnce(parseSteps(input, options));
}

/** Steps between two pauses of `parseSteps`. */
const STEPS_AT_ONCE = 100;

/** The same in steps, so that the caller can do other work in between. */
export function* parseSteps(input: Uint8Array, { isWhole = false }: ParseOptions = {}): Parsing {
  if (input.length > PATCH_MAX_BYTES) {
    return fail('refused', `The patch is larger than ${PATCH_MAX_BYTES / 1024 / 1024} MiB.`, IN_PARTS_HINT);
  }
  const clean = yield* withoutColours(input);
  const ending = input.at(-1) === LF ? 'closed' : 'open';
  const table = yield* lineTableSteps(withFinalNewline(clean.bytes));
  const reader = new PatchReader(table, isWhole ? 'whole' : ending);
  if (clean.changed) reader.notes.push('Colour codes were removed from the patch.');
  return yield* reader.read();
}

type Parsing = Steps<Result<Patch>>;

export const IN_PARTS_HINT = 'Offer the change in parts: by folders, or some files at a time.';

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
  #file: FileHeader | null = null;

  constructor(table: LineTable, ending: PatchEnding) {
    this.#bytes = table.bytes;
    this.#table = table;
    this.#ending = ending;
  }

  *read(): Parsing {
    const tooLong = this.#excess();
    if (tooLong !== null) return tooLong;
    yield;
    for (let steps = 1; this.#at < this.#bytes.length; steps += 1) {
      if (steps % STEPS_AT_ONCE === 0) yield;
      const step = this.#isBinary ? yield* this.#binary() : this.#step();
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

  /** A refusal that names the exceeded limit; null if within limits. */
  #excess(): Result<never> | null {
    if (this.#table.count > PATCH_MAX_LINES) return tooMany(PATCH_MAX_LINES, 'lines');
    if (this.#files.length > PATCH_MAX_FILES) return tooMany(PATCH_MAX_FILES, 'files');
    return this.#hunks > PATCH_MAX_HUNKS ? tooMany(PATCH_MAX_HUNKS, 'hunks') : null;
  }

  /** Reads one line outside a hunk, or one whole hunk or binary part. */
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
    if (this.#file !== null && this.#file.hunks.length === 0) return this.#extended();
    this.#nextLine();
    return ok(null);
  }

  /** The beginning of the next line. */
  get #next(): number {
    return lineStart(this.#table, this.#line + 1);
  }

  #nextLine(): void {
    this.#at = this.#next;
    this.#line += 1;
  }

  /** The line without its end, and without the CR that DOS text has. */
  #text(): string {
    const text = latin1(this.#bytes, this.#at, Math.min(this.#next, this.#at + HEADER_MAX_BYTES));
    return text.replace(/\r?\n$/, '');
  }

  #startGitFile(): Result<null> {
    const done = this.#finishFile();
    if (!done.ok) return done;
    this.#file = newHeader(this.#line);
    this.#file.isGit = true;
    this.#file.gitNames = gitHeaderNames(this.#text().slice('diff --git '.length));
    this.#nextLine();
    return ok(null);
  }

  /** A `---` or `+++` line with its counterpart or right before a hunk. One may be missing, or both swapped. */
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
    // A second `---` begins a new file: plain diffs have nothing else between files.
    if (this.#file === null || this.#file.oldName !== undefined) {
      const done = this.#finishFile();
      if (!done.ok) return done;
      this.#file = newHeader(this.#line);
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

  get #isBinary(): boolean {
    return startsWithAt(this.#bytes, this.#at, 'GIT binary patch');
  }

  *#binary(): Steps<Result<null>> {
    if (this.#file === null) return fail('invalid', `Line ${this.#line + 1}: a binary part without a file.`);
    const parsed = yield* parseBinary(this.#bytes, this.#next);
    if (!parsed.ok) return parsed;
    const { forward, reverse, end } = parsed.value;
    this.#file.binary = { kind: 'present', forward, reverse };
    while (this.#at < end) this.#nextLine();
    return ok(null);
  }

  #hunk(): Result<null> {
    const declared = readHunkNumbers(this.#bytes, this.#at);
    if (this.#file === null || (this.#file.oldName === undefined && this.#file.gitNames === null)) {
      if (declared === null) this.#nextLine();
      else
        return fail(
          'invalid',
          `Line ${this.#line + 1}: a hunk without the name of its file.`,
          'Put two lines with the name above it: --- a/FILE and +++ b/FILE.',
        );
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

  #pushHunk(file: FileHeader, declared: DeclaredNumbers | null, scan: HunkScan): void {
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
    const file = finishHeader(draft);
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
