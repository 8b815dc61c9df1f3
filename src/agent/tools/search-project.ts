/** `search_project`: finds text in the project's files and shows the places, each with the hash of its lines. */
import * as z from 'zod';
import { compileGlob, type GlobMatch } from '../../lib/glob.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { withSource } from './file-source.ts';
import { GLOB_MAX_CHARS, QUERY_MAX_CHARS } from './limits.ts';
import { readLineRange, splitLines } from './line-range.ts';
import { resolveInProject } from './project-path.ts';
import { rangeHash } from './range-hash.ts';
import { patternProblem, ripgrep } from './ripgrep.ts';
import { chooseWindows, type LineWindow, windowsOf } from './search-windows.ts';
import { decodeText, fileBlock, numberLines, snippetLine } from './shown-text.ts';
import { defineTool, type ShownLines, type ToolContext, type ToolOutcome } from './tool.ts';

const input = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(QUERY_MAX_CHARS)
    .refine((query) => !/[\n\r\0]/.test(query), 'must be one line')
    .describe('The text to find. Upper and lower case count only when it holds upper case.'),
  glob: z
    .string()
    .min(1)
    .max(GLOB_MAX_CHARS)
    .default('**/*')
    .describe('Only files whose path fits, such as "notes/**/*.md".'),
  limit: z.int().min(1).optional().describe('How many places to show.'),
  regex: z.boolean().default(false).describe('Take the query for a regular expression.'),
});
type SearchInput = z.output<typeof input>;

export const searchOutputSchema = z.strictObject({
  results: z.array(
    z.strictObject({
      file_path: z.string(),
      start_line: z.int(),
      end_line: z.int(),
      snippet: z.string(),
      /** Null if a line was too long to be shown completely: such lines cannot be edited from here. */
      hash: z.string().nullable(),
    }),
  ),
  /** How many places were found; null: too many to count. */
  total_matches: z.int().nullable(),
  matching_files: z.int(),
});
type SearchOutput = z.output<typeof searchOutputSchema>;

/** Beyond this many matches, only the first files in order are shown and nothing is counted. */
const MATCHES_MAX = 20_000;
/** The limit for one file; a file with more is marked. */
const MATCHES_PER_FILE = 200;
const SNIPPET_MAX_BYTES = 64 * 1024;
/** How many working buffers are searched one by one. */
const BUFFERS_MAX = 200;

interface FileMatches {
  readonly path: string;
  readonly lines: readonly number[];
}

interface Matches {
  readonly files: readonly FileMatches[];
  readonly overflowed: boolean;
}

/** `--`-safe arguments for one search. */
function matchArguments(query: string, regex: boolean, sorted: boolean): string[] {
  return [
    ...['--null', '--line-number', '--no-heading', '--with-filename', '--only-matching', '--replace', ''],
    '--smart-case',
    `--max-count=${MATCHES_PER_FILE}`,
    ...(sorted ? ['--sort=path'] : []),
    ...(regex ? [] : ['--fixed-strings']),
    '-e',
    query,
    '--',
  ];
}

/** A glob's last part lets ripgrep skip files; the whole glob is matched here. Unlike `-g` it keeps ignore rules. */
function typeArguments(glob: string): string[] {
  const name = glob.split('/').at(-1) ?? '';
  if (!/^[\w.*?-]+$/.test(name) || /^\*+$/.test(name)) return [];
  return ['--type-add', `wanted:${name}`, '--type', 'wanted'];
}

const byPath = (a: FileMatches, b: FileMatches) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

async function searchOnce(
  given: SearchInput,
  context: ToolContext,
  options: { readonly sorted: boolean; readonly maxMatches: number; readonly stdin?: Uint8Array },
): Promise<Result<MatchStream>> {
  const stream = new MatchStream(options.maxMatches);
  const args = [
    ...(options.stdin === undefined ? typeArguments(given.glob) : []),
    ...matchArguments(given.query, given.regex, options.sorted),
    options.stdin === undefined ? '.' : '-',
  ];
  const outcome = await ripgrep(args, {
    ...context,
    onOutput: (chunk) => stream.push(chunk),
    ...(options.stdin === undefined ? {} : { input: options.stdin }),
  });
  if (!outcome.ok) return outcome;
  const problem = patternProblem(outcome.value);
  if (problem === null) return ok(stream);
  return fail('invalid', `The query is not a valid regular expression: ${problem}`, 'Set regex to false.');
}

/** Searches the disk: in parallel first; if there are too many matches, again in order, for a stable result. */
async function searchDisk(
  given: SearchInput,
  context: ToolContext,
  wanted: (path: string) => boolean,
): Promise<Result<Matches>> {
  const found = await searchOnce(given, context, { sorted: false, maxMatches: MATCHES_MAX });
  if (!found.ok) return found;
  const inOrder = found.value.overflowed
    ? await searchOnce(given, context, { sorted: true, maxMatches: MATCHES_MAX })
    : found;
  if (!inOrder.ok) return inOrder;
  const files = [...inOrder.value.files]
    .map(([path, lines]) => ({ path: path.replace(/^\.\//, ''), lines }))
    .filter(({ path }) => wanted(path));
  return ok({ files, overflowed: inOrder.value.overflowed });
}

async function searchBuffers(
  given: SearchInput,
  context: ToolContext,
  wanted: (path: string) => boolean,
): Promise<Result<readonly FileMatches[]>> {
  const files: FileMatches[] = [];
  for (const path of context.buffers.paths().filter(wanted).slice(0, BUFFERS_MAX)) {
    const bytes = context.buffers.read(path);
    if (bytes === null || bytes === undefined) continue;
    const found = await searchOnce(given, context, { sorted: false, maxMatches: MATCHES_MAX, stdin: bytes });
    if (!found.ok) return found;
    const lines = [...found.value.files.values()][0] ?? [];
    if (lines.length > 0) files.push({ path, lines });
  }
  return ok(files);
}

async function findMatches(
  given: SearchInput,
  context: ToolContext,
  glob: GlobMatch,
): Promise<Result<Matches>> {
  const buffered = new Set(context.buffers.paths());
  const wanted = (path: string) => glob(path) && !context.isSecret(path);
  const disk = await searchDisk(given, context, (path) => wanted(path) && !buffered.has(path));
  if (!disk.ok) return disk;
  const buffers = await searchBuffers(given, context, wanted);
  if (!buffers.ok) return buffers;
  return ok({ ...disk.value, files: [...disk.value.files, ...buffers.value].sort(byPath) });
}

interface Place {
  readonly result: SearchOutput['results'][number];
  readonly shown: ShownLines | null;
}

/** The lines of one window; null if the file is not text, gone, or shorter than before. */
async function showPlace(filePath: string, window: LineWindow, context: ToolContext): Promise<Place | null> {
  const file = await resolveInProject(context.root, filePath);
  if (!file.ok) return null;
  const place = await withSource(file.value, context.buffers, async (source) => {
    const range = await readLineRange(source, {
      startLine: window.startLine,
      maxLines: window.endLine - window.startLine + 1,
      maxBytes: SNIPPET_MAX_BYTES,
      count: false,
      signal: context.signal,
    });
    const text = decodeText(filePath, range.bytes, range.cutInLine);
    if (!text.ok) return text;
    const lines = splitLines(text.value);
    const cutLines = lines.map(snippetLine);
    const isWhole = !range.cutInLine && cutLines.every((line) => !line.cut);
    const result = {
      file_path: file.value.relative,
      start_line: window.startLine,
      end_line: Math.max(window.startLine, range.endLine),
      snippet: cutLines.map((line) => line.text).join('\n'),
      hash: isWhole ? rangeHash(lines) : null,
    };
    const shown = {
      filePath: result.file_path,
      startLine: window.startLine,
      lines,
      totalLines: range.totalLines,
      version: source.version,
    };
    return ok<Place>({ result, shown: isWhole && lines.length > 0 ? shown : null });
  });
  return place.ok && place.value.result.snippet !== '' ? place.value : null;
}

function blockOf(output: SearchOutput): string {
  const { results, total_matches: total } = output;
  if (results.length === 0) return 'Nothing was found.';
  const blocks = results.map((result) => {
    const lines = `${result.start_line}-${result.end_line}`;
    const cut: Record<string, string> = result.hash === null ? { note: 'long lines are cut' } : {};
    return fileBlock(
      { path: result.file_path, lines, ...cut },
      numberLines(result.start_line, result.snippet.split('\n')),
    );
  });
  const counted = total === null ? 'More matches than could be counted' : `${total} matching lines`;
  const head = `${counted} in ${output.matching_files} files; ${results.length} places are shown.`;
  return [head, ...blocks].join('\n\n');
}

async function run(given: SearchInput, context: ToolContext): Promise<Result<ToolOutcome<SearchOutput>>> {
  const glob = compileGlob(given.glob);
  if (glob === null) return fail('invalid', 'The glob has too many alternatives.', 'Use fewer braces.');
  const found = await findMatches(given, context, glob);
  if (!found.ok) return found;
  const { limits } = context;
  const limit = Math.min(given.limit ?? limits.max_search_results_default, limits.max_search_results_cap);
  const files = found.value.files.map((file) => ({
    ...file,
    windows: windowsOf(file.lines, limits.max_search_snippet_lines),
  }));
  const places: Place[] = [];
  for (const { file, windows } of chooseWindows(files, limit)) {
    for (const window of windows) {
      const place = await showPlace(file.path, window, context);
      if (place !== null) places.push(place);
    }
  }
  const total = files.reduce((sum, file) => sum + file.lines.length, 0);
  const isCounted = !found.value.overflowed && files.every((file) => file.lines.length < MATCHES_PER_FILE);
  const output: SearchOutput = {
    results: places.map(({ result }) => result),
    total_matches: isCounted ? total : null,
    matching_files: files.length,
  };
  return ok({
    output,
    blocks: [blockOf(output)],
    shown: places.flatMap(({ shown }) => (shown === null ? [] : [shown])),
    summary: `${JSON.stringify(given.query)}: ${places.length} places in ${files.length} files`,
    count: places.length,
  });
}

export const searchProject = defineTool<SearchInput, SearchOutput>({
  name: 'search_project',
  description:
    'Finds text in the files of the project. Gives places: path, line numbers, the lines. Use it before you read whole files.',
  input,
  run,
});

const NUL = 0;
const LF = 0x0a;

/** The most that is kept of one record; paths are shorter. */
const RECORD_MAX_BYTES = 16 * 1024;

/** Parses ripgrep's `PATH NUL LINE : LF`, without text: a match in a line of 10 MB costs nothing. Sans I/O. */
export class MatchStream {
  readonly files = new Map<string, number[]>();
  readonly #maxMatches: number;
  #rest: Buffer = Buffer.alloc(0);
  #matches = 0;

  constructor(maxMatches: number) {
    this.#maxMatches = maxMatches;
  }

  get overflowed(): boolean {
    return this.#matches >= this.#maxMatches;
  }

  /** Takes output; false once there are more matches than wanted. */
  push(chunk: Buffer): boolean {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const nul = bytes.indexOf(NUL);
      const end = nul === -1 ? -1 : bytes.indexOf(LF, nul);
      if (end === -1) break;
      this.#add(bytes.toString('utf8', 0, nul), bytes.toString('latin1', nul + 1, end));
      bytes = bytes.subarray(end + 1);
      if (this.overflowed) return false;
    }
    this.#rest = Buffer.from(bytes.length > RECORD_MAX_BYTES ? Buffer.alloc(0) : bytes);
    return true;
  }

  #add(path: string, rest: string): void {
    const line = /^(\d+):/.exec(rest)?.[1];
    if (line === undefined) return;
    const number = Number(line);
    const lines = this.files.get(path);
    if (lines === undefined) this.files.set(path, [number]);
    else if (lines.at(-1) !== number) lines.push(number);
    else return;
    this.#matches += 1;
  }
}
