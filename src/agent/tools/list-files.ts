/** `list_files`: names of files below a prefix, sorted. */
import * as z from 'zod';
import { compileGlob } from '../../lib/glob.ts';
import { fail, ok, type Result } from '../../lib/result.ts';
import { GLOB_MAX_CHARS, LIST_FILES_CAP, LISTED_NAMES_MAX_BYTES, PATH_MAX_CHARS } from './limits.ts';
import { resolveInProject } from './project-path.ts';
import { ripgrep } from './ripgrep.ts';
import { defineTool, type ToolContext, type ToolOutcome } from './tool.ts';

const input = z.strictObject({
  prefix: z.string().max(PATH_MAX_CHARS).default('').describe('A folder, or how the paths begin.'),
  glob: z
    .string()
    .min(1)
    .max(GLOB_MAX_CHARS)
    .default('**/*')
    .describe('Only paths that fit, such as "**/*.md".'),
});
type ListInput = z.output<typeof input>;

export const listOutputSchema = z.strictObject({
  files: z.array(z.string()),
  /** All matches, listed here or not. */
  total: z.int(),
  notice: z.string().nullable(),
});
type ListOutput = z.output<typeof listOutputSchema>;

type ListContext = Pick<ToolContext, 'root' | 'env' | 'skipIgnored' | 'isSecret' | 'signal' | 'buffers'>;

/** Every visible file of the project, by the rules of a search; `more` are further options of ripgrep. */
export async function projectFiles(
  context: ListContext,
  more: readonly string[] = [],
): Promise<Result<readonly string[]>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const outcome = await ripgrep(['--files', '--null', ...more, '.'], {
    ...context,
    onOutput: (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      return bytes <= LISTED_NAMES_MAX_BYTES;
    },
  });
  if (!outcome.ok) return outcome;
  const onDisk = Buffer.concat(chunks)
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((name) => name.replace(/^\.\//, ''));
  const { buffers } = context;
  const inBuffers = buffers.paths().filter((name) => buffers.read(name) instanceof Uint8Array);
  const there = onDisk.filter((name) => buffers.read(name) !== null);
  return ok([...new Set([...there, ...inBuffers])].filter((name) => !context.isSecret(name)));
}

/** The paths below `prefix`: a folder's own files, or all paths with this prefix if there is no such folder. */
async function prefixFilter(root: string, prefix: string): Promise<Result<(name: string) => boolean>> {
  const resolved = await resolveInProject(root, prefix);
  if (!resolved.ok) return resolved;
  const { relative, exists } = resolved.value;
  if (relative === '') return ok(() => true);
  return ok((name) =>
    exists ? name === relative || name.startsWith(`${relative}/`) : name.startsWith(relative),
  );
}

async function run(given: ListInput, context: ToolContext): Promise<Result<ToolOutcome<ListOutput>>> {
  const glob = compileGlob(given.glob);
  if (glob === null) return fail('invalid', 'The glob has too many alternatives.', 'Use fewer braces.');
  const prefix = await prefixFilter(context.root, given.prefix);
  if (!prefix.ok) return prefix;
  const all = await projectFiles(context);
  if (!all.ok) return all;
  const fitting = all.value.filter((name) => prefix.value(name) && glob(name)).sort();
  const files = fitting.slice(0, LIST_FILES_CAP);
  const notice =
    files.length < fitting.length
      ? `[Showing ${files.length} of ${fitting.length} files. Narrow it by prefix or glob.]`
      : null;
  const listed = files.length === 0 ? 'No file fits.' : files.map((name) => JSON.stringify(name)).join('\n');
  return ok({
    output: { files, total: fitting.length, notice },
    blocks: [notice === null ? listed : `${listed}\n${notice}`],
    shown: [],
    summary: `${given.prefix || '.'}: ${fitting.length} files`,
    count: files.length,
  });
}

export const listFiles = defineTool<ListInput, ListOutput>({
  name: 'list_files',
  description: 'Lists the files of the project, sorted by path.',
  input,
  run,
});
