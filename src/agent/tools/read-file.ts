/** `read_file`: lines of one file, cut by limits at a line's end; a file map outlines the rest. */
import * as z from 'zod';
import { fail, ok, type Result } from '../../lib/result.ts';
import { type ByteSource, withSource } from './file-source.ts';
import { refuseKeptBack } from './kept-back.ts';
import { PATH_MAX_CHARS, READ_BYTES_CAP } from './limits.ts';
import { type LineRange, readLineRange, splitLines } from './line-range.ts';
import { type ProjectPath, resolveInProject } from './project-path.ts';
import { rangeHash } from './range-hash.ts';
import { decodeText, fileBlock, numberLines } from './shown-text.ts';
import { defineTool, type FileOutline, type ToolContext, type ToolOutcome } from './tool.ts';

const line = z.int().min(1);

const input = z
  .strictObject({
    file_path: z.string().min(1).max(PATH_MAX_CHARS).describe('From the project folder.'),
    start_line: line.default(1),
    end_line: line.optional().describe('Inclusive.'),
    max_bytes: z.int().min(1).optional(),
  })
  .refine(
    (given) => given.end_line === undefined || given.end_line >= given.start_line,
    'end_line must not be before start_line',
  );
type ReadInput = z.output<typeof input>;

export const readOutputSchema = z.strictObject({
  file_path: z.string(),
  content: z.string(),
  start_line: z.int(),
  /** `start_line - 1` for an empty file. */
  end_line: z.int(),
  total_lines: z.int().nullable(),
  /** Of the shown lines; null if the only one was cut. */
  hash: z.string().nullable(),
  /** What was left out, and how to continue; null if nothing was. */
  notice: z.string().nullable(),
});
type ReadOutput = z.output<typeof readOutputSchema>;

const grouped = new Intl.NumberFormat('en-US');

function noticeOf(given: ReadInput, range: LineRange): string | null {
  const total = range.totalLines === null ? '' : ` of ${grouped.format(range.totalLines)}`;
  if (range.cutInLine) {
    return `[Line ${given.start_line}${total} is too long to be shown; this is its beginning. It cannot be edited.]`;
  }
  const wantsMore = given.end_line === undefined || given.end_line > range.endLine;
  const hasMore = range.totalLines === null || range.totalLines > range.endLine;
  if (!wantsMore || !hasMore) return null;
  return `[Showing lines ${given.start_line}-${range.endLine}${total}. Read on with start_line ${range.endLine + 1}.]`;
}

async function readRange(given: ReadInput, context: ToolContext, source: ByteSource): Promise<LineRange> {
  const { limits, readMaxBytes } = context;
  const wantedLines =
    given.end_line === undefined ? Number.POSITIVE_INFINITY : given.end_line - given.start_line + 1;
  return await readLineRange(source, {
    startLine: given.start_line,
    maxLines: Math.min(wantedLines, limits.max_read_lines_default),
    maxBytes: Math.min(given.max_bytes ?? limits.max_read_bytes_default, READ_BYTES_CAP, readMaxBytes),
    count: true,
    signal: context.signal,
  });
}

function outcomeOf(
  file: ProjectPath,
  given: ReadInput,
  range: LineRange,
  text: string,
  version: string,
): ToolOutcome<ReadOutput> {
  const lines = splitLines(text);
  const output: ReadOutput = {
    file_path: file.relative,
    content: text,
    start_line: given.start_line,
    end_line: range.endLine,
    total_lines: range.totalLines,
    hash: range.cutInLine ? null : rangeHash(lines),
    notice: noticeOf(given, range),
  };
  const ends: Record<string, string> = lines.some((one) => one.endsWith('\r\n')) ? { line_ends: 'CRLF' } : {};
  const attributes = { path: file.relative, lines: `${given.start_line}-${range.endLine}`, ...ends };
  const block = fileBlock(attributes, numberLines(given.start_line, lines));
  const shown = {
    filePath: file.relative,
    startLine: given.start_line,
    lines,
    totalLines: range.totalLines,
    version,
  };
  return {
    output,
    blocks: [output.notice === null ? block : `${block}\n${output.notice}`],
    shown: range.cutInLine ? [] : [shown],
    summary: `${file.relative} ${given.start_line}-${range.endLine}`,
    count: lines.length,
  };
}

/** The second block of a cut reading: the outline, or why there is none. */
async function withMap(
  file: ProjectPath,
  context: ToolContext,
  outcome: ToolOutcome<ReadOutput>,
): Promise<ToolOutcome<ReadOutput>> {
  const map = await mapOf(file, context, outcome);
  if (map === null) return outcome;
  if (!map.ok) return { ...outcome, blocks: [...outcome.blocks, `[No outline: ${map.error.message}]`] };
  return { ...outcome, blocks: [...outcome.blocks, map.value.text], map: map.value };
}

async function mapOf(
  file: ProjectPath,
  context: ToolContext,
  { output }: ToolOutcome<ReadOutput>,
): Promise<Result<FileOutline> | null> {
  // A map of the disk's file would be wrong for a buffer's lines.
  const isBuffered = context.buffers.read(file.relative) !== undefined;
  if (output.notice === null || context.maps === null || context.mapMaxBytes <= 0 || isBuffered) return null;
  return await context.maps.outline(
    { absolutePath: file.absolute, relativePath: file.relative },
    context.mapMaxBytes,
    context.signal,
  );
}

async function run(given: ReadInput, context: ToolContext): Promise<Result<ToolOutcome<ReadOutput>>> {
  const file = await resolveInProject(context.root, given.file_path);
  if (!file.ok) return file;
  const shown = await refuseKeptBack(file.value, given.file_path, context);
  if (!shown.ok) return shown;
  const outcome = await withSource(file.value, context.buffers, async (source) => {
    const range = await readRange(given, context, source);
    const text = decodeText(file.value.relative, range.bytes, range.cutInLine);
    if (!text.ok) return text;
    const isBehindEnd = range.totalLines !== null && given.start_line > Math.max(1, range.totalLines);
    if (isBehindEnd) {
      return fail('not_found', `${JSON.stringify(file.value.relative)} has only ${range.totalLines} lines.`);
    }
    return ok(outcomeOf(file.value, given, range, text.value, source.version));
  });
  return outcome.ok ? ok(await withMap(file.value, context, outcome.value)) : outcome;
}

export const readFile = defineTool<ReadInput, ReadOutput>({
  name: 'read_file',
  description:
    'Shows lines of a file, each with its number. Lines that you want to change must have been shown to you by this or by search_project. A long file is cut, and an outline of all of it goes along.',
  input,
  run,
});
