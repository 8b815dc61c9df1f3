/** Turns edits that quote lines, or give a whole file, into edits of numbered lines, and records quotes as seen. */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { DraftEdit } from '../../protocol/agent.ts';
import { anchor, standsBeside, withoutNeighbours } from '../core/anchor.ts';
import { lineEdits } from '../core/line-edits.ts';
import type { ModelEdit } from '../model-edit.ts';
import { withSource } from '../tools/file-source.ts';
import { type KeptBackContext, refuseKeptBack } from '../tools/kept-back.ts';
import { readLineRange, splitLines } from '../tools/line-range.ts';
import { type ProjectPath, resolveInProject } from '../tools/project-path.ts';
import { decodeText } from '../tools/shown-text.ts';
import type { ShownLines } from '../tools/tool.ts';
import type { WorkingBuffers } from './port.ts';

/** Larger files can only be edited by line numbers. */
const QUOTED_FILE_MAX_BYTES = 4 * 1024 * 1024;

export interface AnchorContext extends KeptBackContext {
  readonly buffers: WorkingBuffers;
  readonly signal: AbortSignal;
  readonly saw: (shown: readonly ShownLines[]) => void;
  readonly hasSeenWhole: (filePath: string, version: string) => boolean;
}

interface FileText {
  readonly file: ProjectPath;
  readonly lines: readonly string[];
  readonly version: string;
}

/** The edits of numbered lines that `edit` means: one, or several for a whole file. */
export async function placedEdits(
  edit: ModelEdit,
  context: AnchorContext,
): Promise<Result<readonly DraftEdit[]>> {
  const { old_text, whole, every, ...plain } = edit;
  const gap = leftOutLine(edit.new_text);
  const isInsert = plain.operation === 'insert' && old_text === undefined && whole === undefined;
  if (old_text === undefined && whole === undefined && gap === null && !isInsert) return ok([plain]);
  const text = await textOf(edit.file_path, context);
  const isNew = whole === true || old_text?.trim() === '';
  if (!text.ok) {
    // The check of the edit tells whether such a file may exist.
    if (isInsert && gap === null) return ok([plain]);
    const created = { ...plain, operation: 'insert', start_line: 1 } as const;
    return isNew && text.error.code === 'not_found' ? ok([created]) : text;
  }
  const place = { text: text.value, context };
  const isInFile = text.value.lines.some((line) => bareLine(line).trim() === gap);
  if (gap !== null && !isInFile)
    return old_text === undefined ? leavesOut(gap) : pieces(edit, old_text, place);
  const at = (plain.start_line ?? 1) - 1;
  if (isInsert && standsBeside(plain.new_text, text.value.lines.map(bareLine), at))
    return standsThere(text.value.file.relative, at + 1);
  if (whole) return wholeFile(plain, text.value, context);
  if (old_text === undefined) return ok([plain]);
  return every ? everyPlace(plain, old_text, place) : quotedLines(plain, old_text, place);
}

/** Splits an edit that leaves out lines both in the quote and in the new text. */
function pieces(edit: ModelEdit, quoted: string, place: Place): Result<readonly DraftEdit[]> {
  const { old_text: _, whole: __, every: ___, ...plain } = edit;
  const [old, fresh] = [betweenGaps(quoted), betweenGaps(edit.new_text)];
  if (old.length !== fresh.length) return leavesOut(leftOutLine(edit.new_text) ?? '');
  const edits: DraftEdit[] = [];
  for (const [at, part] of old.entries()) {
    const new_text = fresh[at] ?? '';
    if (part === new_text) continue;
    const placed = quotedLines({ ...plain, new_text }, part, place);
    if (!placed.ok) return placed;
    edits.push(...placed.value);
  }
  return ok(edits);
}

function standsThere(file: string, line: number): Result<never> {
  const hint = 'To change a line, replace it. To have it twice, replace it by both.';
  return fail('invalid', `What you insert before line ${line} of ${file} stands there already.`, hint);
}

function leavesOut(gap: string): Result<never> {
  const hint = 'Edit only the lines that change, or give every line as it shall stand in the file.';
  return fail('invalid', `The new_text leaves lines out (“${gap}”).`, hint);
}

/** The text of a file as the user sees it. */
export async function textOf(path: string, context: AnchorContext): Promise<Result<FileText>> {
  const { root, buffers, signal } = context;
  const file = await resolveInProject(root, path);
  if (!file.ok) return file;
  // Whether it contains a text would reveal something about it.
  const shown = await refuseKeptBack(file.value, path, context);
  if (!shown.ok) return shown;
  return withSource(file.value, buffers, async (source) => {
    const wanted = { startLine: 1, maxLines: Number.POSITIVE_INFINITY, maxBytes: QUOTED_FILE_MAX_BYTES };
    const range = await readLineRange(source, { ...wanted, count: false, signal });
    if (range.totalLines === null || range.endLine < range.totalLines)
      return fail(
        'refused',
        `${path} is too long for old_text.`,
        'Name the lines by start_line and end_line.',
      );
    const decoded = decodeText(file.value.relative, range.bytes, false);
    if (!decoded.ok) return decoded;
    return ok({ file: file.value, lines: splitLines(decoded.value), version: source.version });
  });
}

/** A line without BOM and end. */
export const bareLine = (line: string): string => line.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

interface Place {
  readonly text: FileText;
  readonly context: AnchorContext;
}

function quotedLines(
  edit: DraftEdit,
  quoted: string,
  { text, context }: Place,
): Result<readonly DraftEdit[]> {
  const { file, lines, version } = text;
  if (quoted.trim() === '' && lines.length > 0) {
    const hint = 'Quote the lines that it is about, or name them by start_line and end_line.';
    return fail('invalid', `The old_text is empty, and ${file.relative} is not.`, hint);
  }
  if (quoted.trim() === '') return ok([{ ...edit, operation: 'insert', start_line: 1 }]);
  const found = anchor(lines.map(bareLine), quoted, edit.start_line ?? null);
  if (found.kind === 'nowhere') {
    const read = `Read it with read_file(file_path: ${JSON.stringify(file.relative)}) and quote its lines as they stand there.`;
    return fail('invalid', `The old_text is not in ${file.relative}.`, read);
  }
  if (found.kind === 'several') {
    const places = found.lines.slice(0, 10).join(', ');
    return fail(
      'invalid',
      `The old_text stands in ${file.relative} at lines ${places}.`,
      'Say which by start_line, or quote more lines.',
    );
  }
  const { start, end, adapt } = found.at;
  // An insert is checked by the lines around it.
  const [from, to] = [Math.max(0, start - 1), Math.min(lines.length, end + 1)];
  const totalLines = lines.length;
  context.saw([
    { filePath: file.relative, startLine: from + 1, lines: lines.slice(from, to), totalLines, version },
  ]);
  const { end_line: _, ...rest } = edit;
  if (edit.operation === 'insert' && !beginsAlike(edit.new_text, quoted))
    return ok([{ ...rest, start_line: end + 1, new_text: adapt(edit.new_text) }]);
  const adapted = edit.operation === 'delete' ? '' : adapt(edit.new_text);
  const new_text = withoutNeighbours(adapted, lines.map(bareLine), { start, end });
  const operation = new_text === '' ? 'delete' : 'replace';
  return ok([{ ...rest, operation, start_line: start + 1, end_line: end, new_text }]);
}

/** A new text that repeats the quote from its first line replaces the quote, whatever operation the model named. */
function beginsAlike(newText: string, quoted: string): boolean {
  const first = (text: string) =>
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim();
  return first(newText) === first(quoted);
}

/** A name that is replaced in every line that contains it. */
function everyPlace(edit: DraftEdit, name: string, { text, context }: Place): Result<readonly DraftEdit[]> {
  const { file, lines, version } = text;
  const word = new RegExp(`(?<![\\w$])${name.replace(/[$-]/g, '\\$&')}(?![\\w$])`, 'g');
  const { start_line: _, end_line: __, ...common } = edit;
  const edits = lines.map(bareLine).flatMap((line, at) => {
    const new_text = line.replace(word, () => edit.new_text);
    return new_text === line ? [] : [{ ...common, start_line: at + 1, end_line: at + 1, new_text }];
  });
  if (edits.length === 0) return fail('invalid', `“${name}” does not stand in ${file.relative}.`);
  const totalLines = lines.length;
  context.saw([{ filePath: file.relative, startLine: 1, lines: [...lines], totalLines, version }]);
  return ok(edits);
}

/** An existing file is replaced by its differences, and only by a model that has read it completely. */
function wholeFile(
  edit: DraftEdit,
  { file, lines, version }: FileText,
  context: AnchorContext,
): Result<readonly DraftEdit[]> {
  if (!context.hasSeenWhole(file.relative, version))
    return fail(
      'refused',
      `${file.relative} exists, and you have not seen all of it.`,
      `Read it with read_file(file_path: ${JSON.stringify(file.relative)}) first, and edit its lines.`,
    );
  const before = lines.join('');
  const isCrlf = lines[0]?.endsWith('\r\n') === true;
  const plain = edit.new_text
    .replace(/\r\n/g, '\n')
    .replace(/\n?$/, before.endsWith('\n') || before === '' ? '\n' : '');
  const after = isCrlf ? plain.replace(/\n/g, '\r\n') : plain;
  const common = edit.rationale === undefined ? {} : { rationale: edit.rationale };
  return ok(lineEdits(file.relative, before, after).map((one) => ({ ...one, ...common })));
}

const MARK = '(?://|#|--|/\\*+|<!--|\\{/\\*|;|%|\\*|\\[|\\()';
const WORDS = 'rest|remaining|remainder|existing|unchanged|previous|same as|keep|omitted';
const OF_CODE =
  '(?:the )?(?:rest of|remaining|existing) (?:the |of the )?(?:code|file|function|class|content|imports|methods)\\b';
const COMMENT = '(?://|#|--|/\\*+|<!--|\\{/\\*)';
/** Dots alone are code in some languages, so they need a word or a comment; `#` with only words is a heading. */
const LEFT_OUT = new RegExp(
  [
    `^${COMMENT}\\s*(?:\\.{3}|…).*\\b(?:${WORDS})\\b`,
    // Without a comment, dots right before a name are code: \`...rest\`.
    `^${MARK}?\\s*(?:\\.{3}|…)(?!\\w).*\\b(?:${WORDS})\\b`,
    `^(?://|--|/\\*+|<!--|\\{/\\*)\\s*${OF_CODE}.{0,40}$`,
    `^#\\s*${OF_CODE}.{0,20}\\b(?:unchanged|same|here|remains|stays)\\b`,
    `^${COMMENT}[\\s(]*(?:\\.{3}|…)[\\s)]*(?:\\*/\\}?|-->)?$`,
  ].join('|'),
  'i',
);
/** In code that is not a quote, dots without code beside them, or a comment with such a word, are suspicious enough. */
const MAY_LEAVE_OUT = new RegExp(
  `^\\W*(?:\\.{3}|…)(?!\\w)|(?<!/)(?:\\.{3}|…)[\\s)\\]}*/>-]*$|^${MARK}.*\\b(?:${WORDS})\\b`,
  'i',
);

/** The first line that stands for omitted lines, without surrounding white space; null if there is none. */
function leftOutLine(text: string): string | null {
  const found = text.split('\n').find((line) => LEFT_OUT.test(line.trim()));
  return found?.trim() ?? null;
}

/** Whether code contains more lines that may stand for others than the lines that it replaces. */
export function leavesLinesOut(replaced: readonly string[], written: readonly string[]): boolean {
  const own = replaced.map((line) => line.trim()).filter((line) => MAY_LEAVE_OUT.test(line));
  const said = written.map((line) => line.trim()).filter((line) => MAY_LEAVE_OUT.test(line));
  const known = new Set(own);
  return said.length > own.length || said.some((line) => !known.has(line));
}

function betweenGaps(text: string): readonly string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (leftOutLine(line) === null) parts.at(-1)?.push(line);
    else parts.push([]);
  }
  return parts.map((lines) => lines.join('\n'));
}
