/** Puts the user's context rows in front of a model. Rows of files show the current lines, which can be edited. */
import type { ContextRow } from '../../protocol/agent.ts';
import { readFile } from '../tools/read-file.ts';
import type { ShownLines, ToolContext } from '../tools/tool.ts';
import { contextBlock } from './prompt.ts';

export interface AssembledContext {
  readonly blocks: readonly string[];
  readonly shown: readonly ShownLines[];
}

/** All rows, in order. */
export async function assembleContext(
  rows: readonly ContextRow[],
  context: ToolContext,
): Promise<AssembledContext> {
  const blocks: string[] = [];
  const shown: ShownLines[] = [];
  for (const row of rows) {
    const read = await readRow(row, context);
    blocks.push(...(read?.blocks ?? [plainRow(row)]));
    shown.push(...(read?.shown ?? []));
  }
  return { blocks, shown };
}

/** The row's lines from the file itself; null if it is not of a file, or the file can no longer be read. */
async function readRow(row: ContextRow, context: ToolContext): Promise<AssembledContext | null> {
  if (row.file_path === null || (row.kind !== 'file' && row.kind !== 'selection')) return null;
  const start = row.start_line ?? 1;
  const end = row.end_line === null ? undefined : Math.max(start, row.end_line);
  const given = readFile.input.safeParse({ file_path: row.file_path, start_line: start, end_line: end });
  if (!given.success) return null;
  const outcome = await readFile.run(given.data, context);
  return outcome.ok ? outcome.value : null;
}

function plainRow(row: ContextRow): string {
  const from: Record<string, string> = row.file_path === null ? {} : { file: row.file_path };
  return contextBlock({ kind: row.kind, ...from }, row.content);
}
