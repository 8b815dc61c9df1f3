/** Resolves the paths in session files: an edit through a link changes the link's target. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../platform/system-error.ts';
import type { RecordedTurn } from './core/turn-edits.ts';

/** The turns with resolved paths; a file that no longer exists keeps its name in its resolved folder. */
export async function withRealPaths(turns: readonly RecordedTurn[]): Promise<readonly RecordedTurn[]> {
  const known = new Map<string, string>();
  const real = async (file: string): Promise<string> => {
    const found = known.get(file) ?? (await realPathOf(file));
    known.set(file, found);
    return found;
  };
  const seen: RecordedTurn[] = [];
  for (const turn of turns) {
    const edits: RecordedTurn['edits'][number][] = [];
    for (const edit of turn.edits) {
      const movedFrom = edit.movedFrom === undefined ? {} : { movedFrom: await real(edit.movedFrom) };
      edits.push({ ...edit, path: await real(edit.path), ...movedFrom });
    }
    seen.push({ ...turn, edits });
  }
  return seen;
}

/** The path without links; names that do not exist stay unchanged. */
export async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (thrown) {
    if (systemCode(thrown) === null) throw thrown;
    const folder = path.dirname(file);
    return folder === file ? file : path.join(await realPathOf(folder), path.basename(file));
  }
}
