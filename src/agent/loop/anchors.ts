/**
 * Turns edits that quote their lines, or give a file as a whole, into edits of numbered lines. What is quoted was seen:
 * it is remembered as such, with the version of the file in which it was found.
 */
import { fail, ok, type Result } from '../../lib/result.ts';
import type { DraftEdit } from '../../protocol/agent.ts';
import { anchor } from '../core/anchor.ts';
import { lineEdits } from '../core/line-edits.ts';
import type { ModelEdit } from '../model-edit.ts';
import { withSource } from '../tools/file-source.ts';
import { type KeptBackContext, refuseKeptBack } from '../tools/kept-back.ts';
import { readLineRange, splitLines } from '../tools/line-range.ts';
import { type ProjectPath, resolveInProject } from '../tools/project-path.ts';
import { decodeText } from '../tools/shown-text.ts';
import type { ShownLines } from '../tools/tool.ts';
import type { WorkingBuffers } from './port.ts';

/** Larger files are edited by line numbers alone. */
const QUOTED_FILE_MAX_BYTES = 4 * 1024 * 1024;

export interface AnchorContext extends KeptBackContext {
  readonly buffers: WorkingBuffers;
  readonly signal: AbortSignal;
  /** The model was shown these lines. */
  readonly saw: (shown: readonly ShownLines[]) => void;
  /** The model was shown the whole file, as it is now. */
  readonly hasSeenWhole: (filePath: string, version: string) => boolean;
}

interface FileText {
  readonly file: ProjectPath;
  /** With their line ends. */
  readonly lines: readonly string[];
  readonly version: string;
}

/** The edits of numbered lines that `edit` means: one, or any number for a whole file. */
export async function placedEdits(
  edit: ModelEdit,
  context: AnchorContext,
): Promise<Result<readonly DraftEdit[]>> {
  const { old_text, whole, ...plain } = edit;
  const gap = leftOutLine(edit.new_text);
  if (old_text === undefined && whole === undefined && gap === null) return ok([plain]);
  const text = await textOf(edit.file_path, context);
  const isNew = whole === true || old_text?.trim() === '';
  if (!text.ok) {
    const created = { ...plain, operation: 'insert', start_line: 1 } as const;
    return isNew && text.error.code === 'not_found' ? ok([created]) : text;
  }
  const place = { text: text.value, context };
  const isInFile = text.value.lines.some((line) => bare(line).trim() === gap);
  if (gap !== null && !isInFile)
    return old_text === undefined ? leavesOut(gap) : pieces(edit, old_text, place);
  if (whole) return wholeFile(plain, text.value, context);
  return old_text === undefined ? ok([plain]) : quotedLines(plain, old_text, place);
}

/** An edit that leaves out lines in the quote and in the new text, as several edits. */
function pieces(edit: ModelEdit, quoted: string, place: Place): Result<readonly DraftEdit[]> {
  const { old_text: _, whole: __, ...plain } = edit;
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

function leavesOut(gap: string): Result<never> {
  const hint = 'Edit only the lines that change, or give every line as it shall stand in the file.';
  return fail('invalid', `The new_text leaves lines out (“${gap}”).`, hint);
}

/** The text of a file as the user sees it. */
export async function textOf(path: string, context: AnchorContext): Promise<Result<FileText>> {
  const { root, buffers, signal } = context;
  const file = await resolveInProject(root, path);
  if (!file.ok) return file;
  // Whether a text stands in it would tell of it.
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

const bare = (line: string): string => line.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');

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
  const found = anchor(lines.map(bare), quoted, edit.start_line ?? null);
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
  if (edit.operation === 'insert')
    return ok([{ ...rest, start_line: end + 1, new_text: adapt(edit.new_text) }]);
  const new_text = edit.operation === 'delete' ? '' : adapt(edit.new_text);
  const operation = new_text === '' ? 'delete' : 'replace';
  return ok([{ ...rest, operation, start_line: start + 1, end_line: end, new_text }]);
}

/** An existing file is replaced by its differences, and only by a model that has read all of it. */
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
/** Dots alone are code in some languages, so a word must stand beside them; a `#` with words alone is a heading. */
const LEFT_OUT = [
  new RegExp(`^\\s*${MARK}?\\s*(?:\\.{3}|…).*\\b(?:${WORDS})\\b.*$`, 'im'),
  new RegExp(`^\\s*(?://|--|/\\*+|<!--|\\{/\\*)\\s*${OF_CODE}.{0,40}$`, 'im'),
  new RegExp(`^\\s*#\\s*${OF_CODE}.{0,20}\\b(?:unchanged|same|here|remains|stays)\\b.*$`, 'im'),
];

/** The first such line, without the white space around; null when there is none. */
function leftOutLine(text: string): string | null {
  for (const pattern of LEFT_OUT) {
    const found = pattern.exec(text);
    if (found !== null) return found[0].trim();
  }
  return null;
}

/** The text between such lines. */
function betweenGaps(text: string): readonly string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (leftOutLine(line) === null) parts.at(-1)?.push(line);
    else parts.push([]);
  }
  return parts.map((lines) => lines.join('\n'));
}
