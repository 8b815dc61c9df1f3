/** Files that the user names in an instruction: short ones are shown with it, so that a model need not ask for them. */
import path from 'node:path';
import { namesFile } from '../core/names-file.ts';
import { projectFiles } from '../tools/list-files.ts';
import { resolveInProject } from '../tools/project-path.ts';
import { readFile } from '../tools/read-file.ts';
import type { ShownLines, ToolContext } from '../tools/tool.ts';
import type { AssembledContext } from './context.ts';
import { plainFile } from './plain-form.ts';
import type { LoopInput } from './port.ts';
import type { Answered } from './prompt.ts';

/** A longer file is left for the model to read, in the parts that it needs. */
const ONE_FILE_MAX_BYTES = 16_384;
/** The limit for several files together. */
const FILES_MAX_BYTES = 8_192;
/** The most words of an instruction that are checked. */
const WORDS_MAX = 400;
/** The share of a model's reading limit for these files. */
const SHARE = 0.5;

interface Asked {
  /** The model has a small context, and so rarely asks for files. Only such a model is shown several files. */
  readonly isSmall: boolean;
  /** The text is shown without line numbers. */
  readonly isPlain: boolean;
  /** Files that it was already shown. */
  readonly shown: ReadonlySet<string>;
}

interface NamedFiles extends AssembledContext {
  /** The complete texts. */
  readonly texts: readonly string[];
}

/** The short files that `instruction` names. */
export async function namedFiles(
  instruction: string,
  context: ToolContext,
  { isSmall, isPlain, shown }: Asked,
): Promise<NamedFiles> {
  const found = { blocks: [] as string[], shown: [] as ShownLines[], texts: [] as string[] };
  const named = await filesOf(namesIn(instruction), context);
  if (named.length > 1 && !isSmall) return found;
  let room = Math.min(context.readMaxBytes * SHARE, named.length > 1 ? FILES_MAX_BYTES : ONE_FILE_MAX_BYTES);
  for (const file_path of named.filter((file) => !shown.has(file))) {
    const outcome = await readFile.run({ file_path, start_line: 1 }, context);
    if (!outcome.ok || outcome.value.output.notice !== null) continue;
    const bytes = Buffer.byteLength(outcome.value.blocks.join(''));
    if (bytes > room) continue;
    room -= bytes;
    const { content } = outcome.value.output;
    found.texts.push(content);
    if (isPlain) found.blocks.push(plainFile(file_path, content));
    else found.blocks.push(...outcome.value.blocks);
    found.shown.push(...outcome.value.shown);
  }
  return found;
}

/** Words that may be file names: they contain a dot or a slash, or begin like `Makefile`. */
function namesIn(instruction: string): readonly string[] {
  const words = instruction.split(/[\s"'`<>()[\]{},;]+/, WORDS_MAX);
  const bare = words.map((word) => word.replace(/^@/, '').replace(/(?<![.:!?])[.:!?]+$/, ''));
  return [...new Set(bare.filter((word) => /\w[./]\w|^\.\w|^[A-Z]\w{3,}$/.test(word)))];
}

/** The matching files of the project: by path, or by a unique name. */
async function filesOf(names: readonly string[], context: ToolContext): Promise<readonly string[]> {
  const files: string[] = [];
  const others: string[] = [];
  for (const name of names) {
    const direct = await resolveInProject(context.root, name);
    if (!direct.ok) continue;
    if (direct.value.exists) files.push(direct.value.relative);
    else if (name.includes('.') && !name.includes('/')) others.push(name);
  }
  const listed = others.length === 0 ? null : await projectFiles(context);
  const all = Map.groupBy(listed?.ok ? listed.value : [], (file) => path.posix.basename(file));
  for (const name of others) {
    const [file, ...more] = all.get(name) ?? [];
    if (file !== undefined && more.length === 0) files.push(file);
  }
  return [...new Set(files)];
}

/** Whether the user named a file: in a request now or before, in an answer, or as a row of the context. */
export function isNamed(file: string, input: LoopInput, answered: readonly Answered[]): boolean {
  const { instruction, chat, contextRows, root } = input;
  const theirs = chat.filter(({ role }) => role === 'user').map(({ text }) => text);
  const texts = [instruction, ...theirs, ...answered.map(({ answer }) => answer)];
  return (
    contextRows.some(({ file_path }) => file_path === file) ||
    texts.some((text) => namesFile(text, file) || namesFile(text, `${root}/${file}`))
  );
}
